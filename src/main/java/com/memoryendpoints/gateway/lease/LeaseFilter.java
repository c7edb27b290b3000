package com.memoryendpoints.gateway.lease;

import org.jspecify.annotations.Nullable;

/**
 * Which of the tenant's leases to list; what is absent does not narrow.
 *
 * @param canonicalName the lease that was last granted under this name
 */
public record LeaseFilter(@Nullable String ownerClientId, @Nullable String canonicalName) {}
