/**
 * Who calls.
 *
 * <p>A token names a {@link com.memoryendpoints.gateway.tenant.Caller} - tenant and principal - and
 * the {@link com.memoryendpoints.gateway.tenant.Scope}s it may use; {@link
 * com.memoryendpoints.gateway.tenant.Terms} are what was agreed with a tenant, its quotas and
 * limits. The package stands far to the left because every statement carries the tenant in its
 * predicate (store.md, must 6), while only package {@code auth} knows how a token becomes a caller.
 */
@NullMarked
package com.memoryendpoints.gateway.tenant;

import org.jspecify.annotations.NullMarked;
