package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.idempotency.Fingerprint;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.tenant.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A request for identifiers of a pool, as many as are free.
 *
 * @param key names the request, in that pool, across its retries
 * @param ownerClientId 1 to 255 code points
 * @param count 1 to {@link Limits#POOL_CLAIM_COUNT_MAX}
 * @param ttlSeconds 1 to 300; null takes the pool's default
 */
public record PoolClaim(
    IdempotencyKey key,
    Caller caller,
    PoolName pool,
    String ownerClientId,
    int count,
    @Nullable Integer ttlSeconds) {
  /** Checks the count. */
  public PoolClaim {
    if (count < 1 || count > Limits.POOL_CLAIM_COUNT_MAX) {
      throw new IllegalArgumentException("a claim is for 1 to 1,000 identifiers");
    }
  }

  /**
   * What makes a second request under the same key the same request, but for the ttl: whether an
   * absent one equals another's is for the statement to say, which knows the pool's default.
   */
  public Fingerprint fingerprint() {
    return Fingerprint.of(
        Operation.POOL_CLAIM, caller.principal(), pool.text(), ownerClientId, count);
  }
}
