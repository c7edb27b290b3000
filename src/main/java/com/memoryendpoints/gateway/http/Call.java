package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One request that was let in: who calls, and what for, all of it read.
 *
 * @param knownCaller null where the endpoint needs no token
 * @param key null where none came or the endpoint has no use for one
 * @param query valid; what the body says is not yet
 */
record Call(
    HttpServerRequest request,
    Endpoint endpoint,
    @Nullable Caller knownCaller,
    @Nullable IdempotencyKey key,
    Map<String, String> path,
    Fields query,
    Payload payload) {
  private static final Form.Id ID = new Form.Id(false);

  /** Who calls; only where the endpoint needs a token. */
  Caller caller() {
    return Objects.requireNonNull(knownCaller);
  }

  /** The key; only where the endpoint requires one. */
  IdempotencyKey requiredKey() {
    return Objects.requireNonNull(key);
  }

  /** What the body says; only where the endpoint takes one object. */
  Fields fields() {
    return payload.items().get(0);
  }

  /** Which page is asked for. */
  Paging paging() {
    return Paging.of(query);
  }

  /**
   * The pool in the path.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal INVALID_REQUEST when no pool can be called
   *     so
   */
  PoolName pool() {
    String text = Objects.requireNonNull(path.get("pool"));
    if (!PoolName.isPoolName(text)) {
      throw Fields.invalid("/pool", Fault.BAD_FORMAT);
    }
    return new PoolName(text);
  }

  /**
   * An id in the path.
   *
   * @param unknown what a malformed one is answered with: it names nothing
   */
  UUID id(String parameter, Problem unknown) {
    if (ID.ofText(Objects.requireNonNull(path.get(parameter))) instanceof UUID id) {
      return id;
    }
    throw unknown.because("malformed id");
  }
}
