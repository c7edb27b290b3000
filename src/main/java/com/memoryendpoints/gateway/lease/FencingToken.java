package com.memoryendpoints.gateway.lease;

/**
 * The number that fences stale owners (Invariant 9): strictly increasing per memory and per name.
 *
 * @param value 1 to 2^53 - 1, so that JSON numbers are exact
 */
public record FencingToken(long value) {
  /** The largest token: the largest integer that every JSON reader keeps exact. */
  public static final long MAX = (1L << 53) - 1;

  /** Checks the range. */
  public FencingToken {
    if (value < 1 || value > MAX) {
      throw new IllegalArgumentException("a fencing token is from 1 to 2^53 - 1");
    }
  }
}
