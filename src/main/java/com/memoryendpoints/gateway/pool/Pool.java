package com.memoryendpoints.gateway.pool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pool as it is.
 *
 * @param oldestHoldAt when the oldest of the holds was claimed (of many thousands, the oldest of
 *     those that lapse first); null without holds
 */
public record Pool(
    PoolName name,
    PoolSettings settings,
    Instant createdAt,
    PoolCounts counts,
    @Nullable Instant oldestHoldAt) {}
