package com.memoryendpoints.gateway.pool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a tenant's pools, in the order of their names.
 *
 * @param next the name after which the next page starts; null on the last page
 */
public record PoolPage(List<Pool> items, @Nullable PoolName next) {}
