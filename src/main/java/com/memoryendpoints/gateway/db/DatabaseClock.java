package com.memoryendpoints.gateway.db;

/**
 * The database's time, estimated between two looks at it. Good for windows of hours, such as that
 * of an idempotency key; whatever decides a lease reads the clock inside its statement.
 *
 * <p>Confined to the event loop of its {@link Database}.
 */
public final class DatabaseClock {
  private long offsetMs;
  private boolean known;

  DatabaseClock() {}

  /** Whether the database has ever said what time it is. */
  public boolean known() {
    return known;
  }

  /**
   * The database's time in milliseconds since 1970, off by half a round trip and by what both
   * clocks have drifted since the last look.
   *
   * @throws IllegalStateException unless {@link #known}
   */
  public long nowMs() {
    if (!known) {
      throw new IllegalStateException("the database has not yet said what time it is");
    }
    return monotonicMs() + offsetMs;
  }

  /** Learns that the database's clock stood at this between the two moments. */
  void learn(long databaseMs, long askedMs, long answeredMs) {
    offsetMs = databaseMs - askedMs - (answeredMs - askedMs) / 2;
    known = true;
  }

  /** A clock that never steps, for measuring how long things take; in milliseconds. */
  static long monotonicMs() {
    return System.nanoTime() / 1_000_000;
  }
}
