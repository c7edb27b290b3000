package com.memoryendpoints.gateway.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;

/**
 * One limit, and what each caller has left of it. Of more callers than {@link
 * Limits#RATE_LIMIT_CALLERS_MAX} those that are seen least are forgotten, and start afresh: too
 * many callers make a limit milder, never harsher, and never cost more memory.
 *
 * @param <C> who is limited
 */
final class Allowances<C> {
  private final Meters.Limit limit;
  private final Config.Rate rate;
  private final Function<C, Object> key;
  private final TimeMeter clock;
  private final Bandwidth bandwidth;
  private final String name;
  private final String policy;

  /** Looked after by whoever uses it, a little at a time. */
  private final Cache<Object, Allowance> byKey =
      Caffeine.newBuilder()
          .maximumSize(Limits.RATE_LIMIT_CALLERS_MAX)
          .executor(Runnable::run)
          .build();

  /**
   * A limit of which everybody has everything left.
   *
   * @param key what of a caller has a bucket
   */
  Allowances(Meters.Limit limit, Config.Rate rate, Function<C, Object> key, TimeMeter clock) {
    this.limit = limit;
    this.rate = rate;
    this.key = key;
    this.clock = clock;
    this.bandwidth =
        Bandwidth.builder()
            .capacity(rate.burst())
            .refillGreedy(rate.perSecond(), Duration.ofSeconds(1))
            .build();
    this.name = '"' + limit.name().toLowerCase(Locale.ROOT).replace('_', '-') + '"';
    // The window in which an empty bucket fills: what comes in it is exactly the stated rate.
    long perSecond = rate.perSecond();
    long window = (rate.burst() + perSecond - 1) / perSecond;
    this.policy = name + ";q=" + perSecond * window + ";w=" + window;
  }

  /** What this caller has left. */
  Allowance of(C caller) {
    return byKey.get(key.apply(caller), unseen -> full());
  }

  /** Its name as an item of {@code RateLimit}. */
  String name() {
    return name;
  }

  /** The limit as an item of {@code RateLimit-Policy}. */
  String policy() {
    return policy;
  }

  /** For how many callers there are buckets. */
  long size() {
    byKey.cleanUp();
    return byKey.estimatedSize();
  }

  private Allowance full() {
    Bucket bucket =
        Bucket.builder()
            .addLimit(bandwidth)
            .withCustomTimePrecision(clock)
            .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
            .build();
    return new Allowance(limit, rate, bucket);
  }
}
