package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.tenant.Caller;

/**
 * Who holds: tenant, principal and {@code owner_client_id}; all three must match (store.md, must
 * 6).
 *
 * @param caller tenant and principal, from the token
 * @param clientId the {@code owner_client_id} that the caller chose; 1 to 255 code points
 */
public record Owner(Caller caller, String clientId) {}
