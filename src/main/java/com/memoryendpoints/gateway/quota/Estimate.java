package com.memoryendpoints.gateway.quota;

/**
 * What one tenant has of one thing, as one gateway knows it. Its event loops share it; every method
 * is short.
 *
 * <p>What is under way while the database counts may be in the count or not. It is added all the
 * same: the estimate is never below what there was when the count began.
 */
final class Estimate {
  /** When a count began, and what of {@link #admitted} it surely includes. */
  record Mark(long nanos, long included) {}

  /** What was let in so far, but for what came to nothing. */
  private long admitted;

  /** What of it has no answer yet. */
  private long underWay;

  /** What there was beside {@link #admitted}, by the last count. */
  private long base;

  private boolean counted;
  private long countBegan;
  private long believedUntil;

  /** Whether the last count is still believed. */
  synchronized boolean isFresh(long nowNanos) {
    return counted && nowNanos - believedUntil < 0;
  }

  /** For how many nanoseconds it will be. */
  synchronized long freshNanos(long nowNanos) {
    return Math.max(0, believedUntil - nowNanos);
  }

  /** A count begins. */
  synchronized Mark begin(long nowNanos) {
    return new Mark(nowNanos, admitted - underWay);
  }

  /** A count has ended; of two the one that began later counts. */
  synchronized void counted(Mark mark, long count, long believedNanos) {
    if (!counted || mark.nanos() - countBegan >= 0) {
      counted = true;
      countBegan = mark.nanos();
      base = count - mark.included();
      believedUntil = mark.nanos() + believedNanos;
    }
  }

  /** Lets in so many more, or none. */
  synchronized boolean admit(long more, long quota) {
    if (base + admitted + more > quota) {
      return false;
    }
    admitted += more;
    underWay += more;
    return true;
  }

  /** What was let in has its answer: so many of them were made. */
  synchronized void settle(long more, long made) {
    underWay -= more;
    admitted -= more - made;
  }
}
