package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;

/** Whoever shows this says that he holds the identifier. */
public record HoldRef(Caller caller, PoolName pool, UUID identifierId, HoldToken token) {}
