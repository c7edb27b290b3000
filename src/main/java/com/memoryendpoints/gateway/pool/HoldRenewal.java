package com.memoryendpoints.gateway.pool;

import org.jspecify.annotations.Nullable;

/**
 * A request to go on holding.
 *
 * @param ttlSeconds 1 to 300; null keeps the granted one
 */
public record HoldRenewal(HoldRef hold, @Nullable Integer ttlSeconds) {}
