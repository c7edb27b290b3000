package com.memoryendpoints.gateway.lease;

import java.time.Instant;

/**
 * The answer that a token is current and its lease live.
 *
 * @param ttlRemainingMs by the database's clock, above 0
 */
public record Verified(String canonicalName, Instant expiresAt, long ttlRemainingMs) {}
