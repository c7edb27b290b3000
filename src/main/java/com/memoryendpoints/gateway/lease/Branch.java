package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.idempotency.Fingerprint;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new memory with a parent (Invariant 4).
 *
 * @param key honoured when present: a retry makes one child
 * @param token the parent's current one, its lease live
 */
public record Branch(
    @Nullable IdempotencyKey key, Caller caller, UUID parentId, FencingToken token) {

  /** What makes a second request under the same key the same request. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(Operation.BRANCH, caller.principal(), parentId, token.value());
  }
}
