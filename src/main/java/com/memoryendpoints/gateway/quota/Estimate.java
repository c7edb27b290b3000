package com.memoryendpoints.gateway.quota;

/**
 * What one tenant has of one thing, as one gateway knows it. Its event loops share it; every method
 * is short.
 *
 * <p>What is under way while the database counts may be in the count or not. It is added all the
 * same: the estimate is never below what there was when the count began.
 */
final class Estimate {
  /** When a count began, for which quota, and what of {@link #admitted} it surely includes. */
  record Mark(long nanos, long quota, long included) {}

  /** What was let in so far, but for what came to nothing. */
  private long admitted;

  /** What of it has no answer yet. */
  private long underWay;

  /** What there was beside {@link #admitted}, by the last count. */
  private long base;

  /** The highest quota of which the last count can tell; a count goes no further than its own. */
  private long reach = -1;

  private long countBegan;
  private long believedUntil;

  /** Whether the last count tells of this quota, and is still believed. */
  synchronized boolean isFresh(long nowNanos, long quota) {
    return quota <= reach && nowNanos - believedUntil < 0;
  }

  /** For how many nanoseconds it will be. */
  synchronized long freshNanos(long nowNanos) {
    return Math.max(0, believedUntil - nowNanos);
  }

  /** A count begins. */
  synchronized Mark begin(long nowNanos, long quota) {
    return new Mark(nowNanos, quota, admitted - underWay);
  }

  /** A count has ended; of two the one that began later counts. */
  synchronized void counted(Mark mark, long count, long believedNanos) {
    if (reach < 0 || mark.nanos() - countBegan >= 0) {
      reach = count > mark.quota() ? mark.quota() : Long.MAX_VALUE;
      countBegan = mark.nanos();
      base = count - mark.included();
      believedUntil = mark.nanos() + believedNanos;
    }
  }

  /** Lets in so many more by the last count, believed or not; or none. */
  synchronized boolean admit(long more, long quota) {
    if (quota > reach || base + admitted + more > quota) {
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
