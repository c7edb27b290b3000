package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An administrator's request to end one of the tenant's live leases at once.
 *
 * @param canonicalName the lease's name; exactly one of this and {@code memoryId} is present
 * @param token when present, the lease must still be that one
 * @param reason kept with the memory until its next grant; 1 to 255 code points
 */
public record Revocation(
    Caller caller,
    @Nullable String canonicalName,
    @Nullable UUID memoryId,
    @Nullable FencingToken token,
    String reason) {}
