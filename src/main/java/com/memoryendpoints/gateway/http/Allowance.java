package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.meter.Meters;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import java.util.Locale;

/**
 * What one caller has left of one limit: a bucket of tokens that fills all the time. Every event
 * loop takes from it, without a lock.
 */
final class Allowance {
  private final Meters.Limit limit;
  private final String name;
  private final Bucket bucket;
  private volatile Config.Rate rate;
  private volatile String policy;

  private Allowance(Meters.Limit limit, Config.Rate rate, Bucket bucket) {
    this.limit = limit;
    this.name = '"' + limit.name().toLowerCase(Locale.ROOT).replace('_', '-') + '"';
    this.bucket = bucket;
    this.rate = rate;
    this.policy = policy(rate);
  }

  /** With everything left. */
  static Allowance full(Meters.Limit limit, Config.Rate rate, TimeMeter clock) {
    Bucket bucket =
        Bucket.builder()
            .addLimit(bandwidth(rate))
            .withCustomTimePrecision(clock)
            .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
            .build();
    return new Allowance(limit, rate, bucket);
  }

  private static Bandwidth bandwidth(Config.Rate rate) {
    return Bandwidth.builder()
        .capacity(rate.burst())
        .refillGreedy(rate.perSecond(), Duration.ofSeconds(1))
        .build();
  }

  /** Goes on at another rate with what is left, as far as the bucket holds it. */
  void adopt(Config.Rate other) {
    if (!other.equals(rate)) {
      bucket.replaceConfiguration(
          BucketConfiguration.builder().addLimit(bandwidth(other)).build(),
          TokensInheritanceStrategy.AS_IS);
      rate = other;
      policy = policy(other);
    }
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
    int needed = needed(cost);
    if (!bucket.tryConsume(needed)) {
      return false;
    }
    if (cost > needed) {
      bucket.consumeIgnoringRateLimits(cost - needed);
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
    Config.Rate full = rate;
    long tokens = bucket.getAvailableTokens();
    long missing = full.burst() - tokens;
    field
        .append(name)
        .append(";r=")
        .append(Math.max(0, tokens))
        .append(";t=")
        .append((missing + full.perSecond() - 1) / full.perSecond());
  }

  /** The limit as an item of {@code RateLimit-Policy}. */
  String policy() {
    return policy;
  }

  /** The window in which an empty bucket fills: what comes in it is exactly the stated rate. */
  private String policy(Config.Rate of) {
    long perSecond = of.perSecond();
    long window = (of.burst() + perSecond - 1) / perSecond;
    return name + ";q=" + perSecond * window + ";w=" + window;
  }

  private int needed(int cost) {
    return Math.min(cost, rate.burst());
  }
}
