package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.idempotency.Fingerprint;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fenced write of a memory's head (Invariant 9): a digest only, never content (Invariant 11).
 *
 * @param key honoured when present
 * @param digest {@code sha-256:} and 64 lower-case hexadecimal digits
 * @param expectedRevision when present, the head must be at it; 0 before the first commit
 */
public record Commit(
    @Nullable IdempotencyKey key,
    Caller caller,
    UUID memoryId,
    FencingToken token,
    String digest,
    @Nullable Long expectedRevision) {

  /** What makes a second request under the same key the same request. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(
        Operation.COMMIT, caller.principal(), memoryId, token.value(), digest, expectedRevision);
  }
}
