package com.memoryendpoints.gateway.tenant;

import java.util.UUID;

/**
 * Who a request speaks for, as its token says.
 *
 * @param tenantId who is billed and whose objects can be seen
 * @param principal which of the tenant's identities; part of every owner
 */
public record Caller(UUID tenantId, String principal) {}
