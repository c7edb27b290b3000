package com.memoryendpoints.gateway.lease;

import java.util.Locale;

/**
 * A lease as its tenant sees it.
 *
 * @param ttlRemainingMs by the database's clock; 0 unless held
 */
public record LeaseView(Lease lease, State state, String ownerClientId, long ttlRemainingMs) {

  /** Where a lease is in its life. */
  public enum State {
    HELD,
    LAPSED,
    RELEASED;

    /** The state as JSON spells it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
