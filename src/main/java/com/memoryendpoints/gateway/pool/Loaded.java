package com.memoryendpoints.gateway.pool;

/**
 * The answer to a load.
 *
 * @param inserted those that the pool did not have
 * @param duplicates those that it had, and those that stood twice in the load
 */
public record Loaded(int inserted, int duplicates) {}
