package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.IDEMPOTENCY_KEY_INVALID;
import static com.memoryendpoints.gateway.problem.Problem.IDEMPOTENCY_KEY_MISSING;

import com.memoryendpoints.gateway.db.DatabaseClock;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request's idempotency key comes from: the {@code Idempotency-Key} field, or the member of
 * a batch item. Both are judged alike, and against the database's clock as long as that is known;
 * while it is not, no request gets as far as using its key.
 */
final class Keys {
  private final DatabaseClock clock;

  Keys(DatabaseClock clock) {
    this.clock = clock;
  }

  /**
   * The key of a request.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal IDEMPOTENCY_KEY_MISSING,
   *     IDEMPOTENCY_KEY_INVALID
   */
  @Nullable IdempotencyKey of(HttpServerRequest request, Endpoint.Key use) {
    if (use == Endpoint.Key.IGNORED) {
      return null;
    }
    List<String> fields = request.headers().getAll("idempotency-key");
    if (fields.size() > 1) {
      throw IDEMPOTENCY_KEY_INVALID.because("more than one field");
    }
    if (!fields.isEmpty()) {
      return inWindow(fields.get(0));
    }
    if (use == Endpoint.Key.REQUIRED) {
      throw IDEMPOTENCY_KEY_MISSING.because("no field");
    }
    return null;
  }

  /** The key of an item that may have one. */
  @Nullable IdempotencyKey of(Fields item) {
    if (item.faulty(Requests.KEY)) {
      throw IDEMPOTENCY_KEY_INVALID.because("the member is no well-formed text");
    }
    String text = item.find(Requests.KEY);
    return text == null ? null : inWindow(text);
  }

  /** The key of an item that must have one. */
  IdempotencyKey requiredOf(Fields item) {
    IdempotencyKey key = of(item);
    if (key == null) {
      throw IDEMPOTENCY_KEY_MISSING.because("no member");
    }
    return key;
  }

  private IdempotencyKey inWindow(String text) {
    IdempotencyKey key = IdempotencyKey.parse(text);
    if (clock.known()) {
      key.requireWithinWindow(clock.nowMs());
    }
    return key;
  }
}
