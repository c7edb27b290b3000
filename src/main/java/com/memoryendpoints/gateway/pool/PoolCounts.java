package com.memoryendpoints.gateway.pool;

/** How many identifiers of a pool are in which state; their sum is what was loaded. */
public record PoolCounts(long unused, long pending, long consumed, long dead) {}
