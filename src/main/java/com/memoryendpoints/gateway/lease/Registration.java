package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.idempotency.Fingerprint;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a memory with no parent.
 *
 * @param key honoured when present: a retry makes one memory
 * @param memoryId a UUIDv7 of the caller's choice; absent has one minted
 */
public record Registration(@Nullable IdempotencyKey key, Caller caller, @Nullable UUID memoryId) {

  /** What makes a second request under the same key the same request. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(Operation.REGISTER, caller.principal(), memoryId);
  }
}
