package com.memoryendpoints.gateway.quota;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;
import static com.memoryendpoints.gateway.problem.Problem.QUOTA_EXCEEDED;
import static com.memoryendpoints.gateway.problem.Problem.UNAVAILABLE;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Tenants;
import com.memoryendpoints.gateway.tenant.Term;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** Lets in what the quotas of tenants leave room for. Confined to one event loop. */
public final class Quotas {
  private static final UUID BEFORE_ALL = new UUID(0, 0);
  private static final long BELIEVED_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Limits.QUOTA_COUNT_BELIEVED_MS);

  private final Tenants tenants;
  private final Estimates estimates;
  private final LongSupplier nanos;
  private final Meters meters;
  private final Batcher<CountUsage.Wanted, CountUsage.Part> counts;
  private final Map<Estimates.Key, Future<Void>> underWay = new HashMap<>();

  /**
   * Over the connections of this event loop.
   *
   * @param tenants whose terms hold
   * @param estimates the gateway's, which its event loops share
   * @param nanos nanoseconds since any moment
   */
  public Quotas(
      Database database, Tenants tenants, Estimates estimates, Meters meters, LongSupplier nanos) {
    this.tenants = tenants;
    this.estimates = estimates;
    this.meters = meters;
    this.nanos = nanos;
    this.counts = database.batcher(Lane.READ, new CountUsage());
  }

  /**
   * What a request may make.
   *
   * @param most how many it makes at most
   * @param news asks how many it would make; asked only where there is no room for the most
   * @param made how many an answer has made
   */
  public record Making<T>(int most, Supplier<Future<Integer>> news, ToIntFunction<T> made) {}

  /**
   * Starts a request unless it would go beyond a quota.
   *
   * @param resource one of the terms that are quotas
   * @return what the request answers; or QUOTA_EXCEEDED, or what kept the database from counting
   */
  public <T> Future<T> within(
      UUID tenantId, Term resource, Making<T> making, Supplier<Future<T>> request) {
    Long quota = tenants.terms(tenantId).get(resource);
    if (quota == null) {
      return request.get();
    }
    Estimates.Key key = new Estimates.Key(tenantId, resource);
    Estimate estimate = estimates.of(key);
    return counted(key, estimate, quota)
        .compose(
            fresh ->
                estimate.admit(making.most, quota)
                    ? admitted(estimate, making.most, making, request)
                    : making
                        .news
                        .get()
                        .recover(Quotas::unasked)
                        .compose(news -> few(key, estimate, quota, news, making, request)));
  }

  /** At the quota: goes on only with what fits after all, or makes nothing new. */
  private <T> Future<T> few(
      Estimates.Key key,
      Estimate estimate,
      long quota,
      int news,
      Making<T> making,
      Supplier<Future<T>> request) {
    if (news == 0) {
      return request.get();
    }
    if (estimate.admit(news, quota)) {
      return admitted(estimate, news, making, request);
    }
    meters.quotaExceeded(key.resource());
    long waitNanos = estimate.freshNanos(nanos.getAsLong());
    return Future.failedFuture(
        QUOTA_EXCEEDED
            .because(key.resource().wire())
            .with("quota", key.resource().wire())
            .retryAfterMs(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1));
  }

  private static <T> Future<T> admitted(
      Estimate estimate, int more, Making<T> making, Supplier<Future<T>> request) {
    return Future.succeededFuture()
        .compose(go -> request.get())
        .onComplete(
            answer -> estimate.settle(more, making.made.applyAsInt(answer)),
            failure -> estimate.settle(more, isUnknown(failure) ? more : 0));
  }

  /** A count that is believed: the last, or a new one. */
  private Future<Void> counted(Estimates.Key key, Estimate estimate, long quota) {
    if (estimate.isFresh(nanos.getAsLong())) {
      return Future.succeededFuture();
    }
    Future<Void> begun = underWay.get(key);
    return begun != null ? begun : count(key, estimate, quota);
  }

  private Future<Void> count(Estimates.Key key, Estimate estimate, long quota) {
    Estimate.Mark mark = estimate.begin(nanos.getAsLong());
    Future<Void> count =
        count(new CountUsage.Wanted(key, quota + 1, BEFORE_ALL), 0)
            .recover(Quotas::unasked)
            .map(
                used -> {
                  // However much there is to count, counting takes a small part of the time.
                  long took = nanos.getAsLong() - mark.nanos();
                  long believed = took * Limits.QUOTA_COUNT_SHARE;
                  estimate.counted(mark, used, Math.max(BELIEVED_NANOS, believed));
                  return null;
                });
    if (!count.isComplete()) {
      underWay.put(key, count);
      count.onComplete(done -> underWay.remove(key, count));
    }
    return count;
  }

  private Future<Long> count(CountUsage.Wanted wanted, long before) {
    return counts
        .submit(wanted.what().tenantId(), wanted)
        .compose(
            part -> {
              long used = before + part.used();
              return part.next() == null || used >= wanted.most()
                  ? Future.succeededFuture(used)
                  : count(new CountUsage.Wanted(wanted.what(), wanted.most(), part.next()), used);
            });
  }

  private static boolean isUnknown(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.problem() == OUTCOME_UNKNOWN;
  }

  /** To ask changes nothing that a caller could ask about. */
  private static <T> Future<T> unasked(Throwable failure) {
    return Future.failedFuture(
        isUnknown(failure) ? UNAVAILABLE.because("a quota could not be counted") : failure);
  }
}
