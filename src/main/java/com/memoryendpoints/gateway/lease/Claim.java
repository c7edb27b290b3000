package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.idempotency.Fingerprint;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.name.AgentName;
import java.util.UUID;

/**
 * A request for a name and a memory together (Invariant 6).
 *
 * @param key names the request across its retries
 * @param ttlSeconds 1 to 300, the default filled in
 */
public record Claim(
    IdempotencyKey key, Owner owner, AgentName name, UUID memoryId, int ttlSeconds) {

  /** What makes a second request under the same key the same request. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(
        Operation.CLAIM,
        owner.caller().principal(),
        owner.clientId(),
        name.display(),
        memoryId,
        ttlSeconds);
  }
}
