package com.memoryendpoints.gateway.lease;

/**
 * The answer to a claim.
 *
 * @param replayed whether an earlier use of the key was granted this, and it still stands
 */
public record Claimed(Lease lease, boolean replayed) {}
