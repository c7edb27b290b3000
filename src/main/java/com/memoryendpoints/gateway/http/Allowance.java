package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.meter.Meters;
import io.github.bucket4j.Bucket;

/**
 * What one caller has left of one limit: a bucket of tokens that fills all the time. Every event
 * loop takes from it, without a lock.
 */
final class Allowance {
  private final Meters.Limit limit;
  private final Config.Rate rate;
  private final Bucket bucket;

  Allowance(Meters.Limit limit, Config.Rate rate, Bucket bucket) {
    this.limit = limit;
    this.rate = rate;
    this.bucket = bucket;
  }

  /** Of which limit it is. */
  Meters.Limit limit() {
    return limit;
  }

  /**
   * Takes so many tokens, or none. What costs more than the bucket holds is let in when the bucket
   * is full, and leaves it owing the rest.
   */
  boolean take(int cost) {
    if (!bucket.tryConsume(needed(cost))) {
      return false;
    }
    if (cost > rate.burst()) {
      bucket.consumeIgnoringRateLimits(cost - rate.burst());
    }
    return true;
  }

  /** Gives back what was taken in vain. */
  void giveBack(int cost) {
    bucket.addTokens(cost);
  }

  /** After how many nanoseconds, less than one too few, so much can be taken; 0 is at once. */
  long waitNanos(int cost) {
    return bucket.estimateAbilityToConsume(needed(cost)).getNanosToWaitForRefill();
  }

  /** Adds what is left, and in how many seconds all of it will be: an item of {@code RateLimit}. */
  void describe(StringBuilder field) {
    long tokens = bucket.getAvailableTokens();
    long missing = rate.burst() - tokens;
    field
        .append(";r=")
        .append(Math.max(0, tokens))
        .append(";t=")
        .append((missing + rate.perSecond() - 1) / rate.perSecond());
  }

  private int needed(int cost) {
    return Math.min(cost, rate.burst());
  }
}
