package com.memoryendpoints.gateway.lease;

/**
 * The answer to a registration or a branch.
 *
 * @param created whether this request made it; false when it was the tenant's already
 * @param replayed whether an earlier use of the key made it
 */
public record Registered(Memory memory, boolean created, boolean replayed) {}
