package com.memoryendpoints.gateway.lease;

/**
 * The answer to a claim.
 *
 * @param replayed whether an earlier use of the key was granted this, and it still stands
 * @param tookOver whether a lease that had lapsed was in the way
 */
public record Claimed(Lease lease, boolean replayed, boolean tookOver) {
  /** The answer to a claim that took nothing over. */
  public Claimed(Lease lease, boolean replayed) {
    this(lease, replayed, false);
  }
}
