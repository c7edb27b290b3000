package com.memoryendpoints.gateway.idempotency;

import static com.memoryendpoints.gateway.problem.Problem.IDEMPOTENCY_KEY_REUSED;
import static com.memoryendpoints.gateway.problem.Problem.REQUEST_IN_PROGRESS;

import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose requests this pod is serving now: the one thing that all event loops share. A
 * second request under such a key is refused at once; on another pod it would wait in line in the
 * database and become a replay.
 */
public final class InFlight {
  private static final long RETRY_AFTER_MS = 1_000;

  private record Use(UUID tenant, Operation operation, String space, UUID key) {}

  private final ConcurrentMap<Use, Supplier<Fingerprint>> uses = new ConcurrentHashMap<>();
  private final Meters meters;

  /** No key is in use. */
  public InFlight(Meters meters) {
    this.meters = meters;
  }

  /**
   * Starts a request unless one with its key is being served.
   *
   * @param key null for a request without one, which is always started
   * @param fingerprint of this request; taken only when two meet
   * @return what the request answers, or REQUEST_IN_PROGRESS, or IDEMPOTENCY_KEY_REUSED when the
   *     request being served is another one
   */
  public <T> Future<T> once(
      UUID tenant,
      Operation operation,
      @Nullable IdempotencyKey key,
      Supplier<Fingerprint> fingerprint,
      Supplier<Future<T>> request) {
    return once(tenant, operation, "", key, fingerprint, request);
  }

  /**
   * The same where a tenant's keys of one operation have several spaces.
   *
   * @param space which one; {@link Operation#POOL_CLAIM}: the pool's name
   */
  public <T> Future<T> once(
      UUID tenant,
      Operation operation,
      String space,
      @Nullable IdempotencyKey key,
      Supplier<Fingerprint> fingerprint,
      Supplier<Future<T>> request) {
    if (key == null) {
      return request.get();
    }
    Use use = new Use(tenant, operation, space, key.value());
    Supplier<Fingerprint> other = uses.putIfAbsent(use, fingerprint);
    if (other != null) {
      return Future.failedFuture(refusal(other.get().equals(fingerprint.get())));
    }
    try {
      return request.get().onComplete(answered -> uses.remove(use, fingerprint));
    } catch (Throwable defect) {
      uses.remove(use, fingerprint);
      throw defect;
    }
  }

  private Refusal refusal(boolean same) {
    meters.keyUsed(same ? Meters.Key.IN_PROGRESS : Meters.Key.REUSED);
    return same
        ? REQUEST_IN_PROGRESS.because("in flight").retryAfterMs(RETRY_AFTER_MS)
        : IDEMPOTENCY_KEY_REUSED.because("another request is in flight");
  }
}
