package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.config.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What a pool's owner can set.
 *
 * @param defaultTtlSeconds the hold of a claim that does not say: 1 to 300
 * @param maxAttempts lapses after which an identifier is DEAD: 1 to 1,000; null is no limit
 * @param reclaimGraceMs how long after its lapse a hold is left alone: 0 to 60,000
 */
public record PoolSettings(
    int defaultTtlSeconds, @Nullable Integer maxAttempts, int reclaimGraceMs) {
  /** The settings of a pool whose owner says nothing. */
  public static final PoolSettings DEFAULT =
      new PoolSettings(
          Limits.LEASE_TTL_SECONDS_DEFAULT, null, Limits.POOL_RECLAIM_GRACE_MS_DEFAULT);

  /** Checks the bounds. */
  public PoolSettings {
    require(
        defaultTtlSeconds >= Limits.LEASE_TTL_SECONDS_MIN
            && defaultTtlSeconds <= Limits.LEASE_TTL_SECONDS_MAX,
        "default_ttl_seconds");
    require(
        maxAttempts == null || (maxAttempts >= 1 && maxAttempts <= Limits.POOL_ATTEMPTS_MAX),
        "max_attempts");
    require(
        reclaimGraceMs >= 0 && reclaimGraceMs <= Limits.POOL_RECLAIM_GRACE_MS_MAX,
        "reclaim_grace_ms");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what + " is out of range");
    }
  }
}
