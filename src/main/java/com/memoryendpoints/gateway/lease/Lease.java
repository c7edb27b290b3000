package com.memoryendpoints.gateway.lease;

import java.time.Instant;
import java.util.UUID;

/**
 * One grant.
 *
 * @param expiresAt when it lapses, by the database's clock
 * @param ttlSeconds 1 to 300
 */
public record Lease(
    UUID leaseId,
    String canonicalName,
    UUID memoryId,
    FencingToken fencingToken,
    Instant grantedAt,
    Instant expiresAt,
    int ttlSeconds) {}
