package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.tenant.Caller;

/** A request to make a pool, or to replace its settings. */
public record PutPool(Caller caller, PoolName pool, PoolSettings settings) {}
