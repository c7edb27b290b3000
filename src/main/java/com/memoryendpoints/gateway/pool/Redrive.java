package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.tenant.Caller;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to put DEAD identifiers back to UNUSED.
 *
 * @param identifierIds which ones, up to 1,000; null for all
 */
public record Redrive(Caller caller, PoolName pool, @Nullable List<UUID> identifierIds) {}
