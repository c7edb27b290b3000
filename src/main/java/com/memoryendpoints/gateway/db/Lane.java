package com.memoryendpoints.gateway.db;

import java.util.EnumSet;
import java.util.Set;

/**
 * What may wait behind what: statements of one lane share connections, lanes do not, if possible.
 */
public enum Lane {
  /** Renewals and releases: they keep leases alive, so nothing stands before them. */
  RENEW,
  /** Reads, memories, commits, revocations. */
  READ,
  /** Claims, the slowest: a queue of them must not delay a renewal. */
  CLAIM;

  /**
   * The lanes that a connection serves. An idle connection never serves a lane that is not its own:
   * then a burst of claims would stand before the next renewal.
   *
   * @param place the connection's place among those that are up, from 0
   * @param up how many are up, from 1
   */
  static Set<Lane> servedBy(int place, int up) {
    if (up == 1) {
      return EnumSet.allOf(Lane.class);
    }
    if (place == 0) {
      return EnumSet.of(RENEW);
    }
    if (up == 2) {
      return EnumSet.of(READ, CLAIM);
    }
    return EnumSet.of(place == 1 ? READ : CLAIM);
  }
}
