package com.memoryendpoints.gateway.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.github.bucket4j.TimeMeter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One limit, and what each caller has left of it. Of more callers than {@link
 * Limits#RATE_LIMIT_CALLERS_MAX} those that are seen least are forgotten, and start afresh: too
 * many callers make a limit milder, never harsher, and never cost more memory.
 *
 * @param <C> who is limited
 */
final class Allowances<C> {
  private final Meters.Limit limit;
  private final Function<C, Object> key;
  private final Function<C, Config.Rate> rate;
  private final TimeMeter clock;

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
   * @param rate of that caller's bucket, which may be another one each time
   */
  Allowances(
      Meters.Limit limit, Function<C, Object> key, Function<C, Config.Rate> rate, TimeMeter clock) {
    this.limit = limit;
    this.key = key;
    this.rate = rate;
    this.clock = clock;
  }

  /** What this caller has left; null where it has no limit. */
  @Nullable Allowance of(C caller) {
    Config.Rate current = rate.apply(caller);
    if (current.perSecond() == 0) {
      return null;
    }
    Object whose = key.apply(caller);
    Allowance known = byKey.getIfPresent(whose);
    Allowance left =
        known != null ? known : byKey.get(whose, unseen -> Allowance.full(limit, current, clock));
    left.adopt(current);
    return left;
  }

  /** For how many callers there are buckets. */
  long size() {
    byKey.cleanUp();
    return byKey.estimatedSize();
  }
}
