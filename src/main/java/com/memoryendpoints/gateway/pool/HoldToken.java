package com.memoryendpoints.gateway.pool;

/**
 * The number that fences silent holders (Law 5): strictly increasing per identifier.
 *
 * @param value 1 to 2^53 - 1, so that JSON numbers are exact
 */
public record HoldToken(long value) {
  /** The largest token: the largest integer that every JSON reader keeps exact. */
  public static final long MAX = (1L << 53) - 1;

  /** Checks the range. */
  public HoldToken {
    if (value < 1 || value > MAX) {
      throw new IllegalArgumentException("a fencing token is from 1 to 2^53 - 1");
    }
  }
}
