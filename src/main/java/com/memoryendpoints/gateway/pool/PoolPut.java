package com.memoryendpoints.gateway.pool;

/**
 * The answer to a put.
 *
 * @param created whether there was none before
 */
public record PoolPut(Pool pool, boolean created) {}
