package com.memoryendpoints.gateway.lease;

import java.time.Instant;

/**
 * The answer to a renewal.
 *
 * @param expiresAt never earlier than before
 * @param ttlSeconds 1 to 300
 */
public record Renewed(Instant expiresAt, int ttlSeconds) {}
