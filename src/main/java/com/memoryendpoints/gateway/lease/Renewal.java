package com.memoryendpoints.gateway.lease;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to go on holding.
 *
 * @param canonicalName compared byte for byte
 * @param ttlSeconds 1 to 300; absent keeps the granted one
 */
public record Renewal(
    Owner owner,
    String canonicalName,
    UUID memoryId,
    FencingToken token,
    @Nullable Integer ttlSeconds) {}
