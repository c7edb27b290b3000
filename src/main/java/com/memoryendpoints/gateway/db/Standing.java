package com.memoryendpoints.gateway.db;

/** How an event loop's connections stand; what readiness reports. */
public enum Standing {
  /** At least one connection serves. */
  UP,
  /** None does: not reached yet, not migrated yet, or lost. */
  DOWN,
  /** What answers takes no writes: a standby, or a server that is set read-only. */
  STANDBY,
  /** The fencing epoch is anchored in another history: {@code anchor-epoch} has to be run. */
  UNANCHORED,
  /** The fencing epochs are used up: nothing can be granted from this database. */
  USED_UP
}
