package com.memoryendpoints.gateway.quota;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;
import static com.memoryendpoints.gateway.problem.Problem.OVERLOADED;
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
import io.vertx.core.Promise;
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

  private final Database database;
  private final Tenants tenants;
  private final Estimates estimates;
  private final LongSupplier nanos;
  private final Meters meters;
  private final Batcher<CountUsage.Wanted, CountUsage.Part> counts;

  /** The counts that have not ended, for those who wait for them. */
  private final Map<Estimates.Key, Future<Boolean>> underWay = new HashMap<>();

  /**
   * Over the connections of this event loop.
   *
   * @param tenants whose terms hold
   * @param estimates the gateway's, which its event loops share
   * @param nanos nanoseconds since any moment
   */
  public Quotas(
      Database database, Tenants tenants, Estimates estimates, Meters meters, LongSupplier nanos) {
    this.database = database;
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

  /** A request that asks for room. */
  private record Asking<T>(
      Estimates.Key key,
      Estimate estimate,
      long quota,
      Making<T> making,
      Supplier<Future<T>> request) {
    boolean fits(int more) {
      return estimate.admit(more, quota);
    }
  }

  /**
   * Starts a request unless it would go beyond a quota. The last count lets in what it leaves room
   * for, however old it is; only a count that is believed refuses. For that one is waited, for
   * {@link Limits#QUOTA_WAIT_MS_MAX}.
   *
   * @param resource one of the terms that are quotas
   * @return what the request answers; or QUOTA_EXCEEDED, OVERLOADED when counting takes too long,
   *     or what kept the database from counting
   */
  public <T> Future<T> within(
      UUID tenantId, Term resource, Making<T> making, Supplier<Future<T>> request) {
    Long quota = tenants.terms(tenantId).get(resource);
    if (quota == null) {
      return request.get();
    }
    Estimates.Key key = new Estimates.Key(tenantId, resource);
    Asking<T> asking = new Asking<>(key, estimates.of(key), quota, making, request);
    Future<Boolean> counted = counted(key, asking.estimate, quota);
    return asking.fits(making.most)
        ? admitted(asking, making.most)
        : counted.compose(
            inTime ->
                asking.fits(making.most)
                    ? admitted(asking, making.most)
                    : making
                        .news
                        .get()
                        .recover(Quotas::unasked)
                        .compose(news -> few(asking, news, inTime)));
  }

  /** At the quota: goes on only with what fits after all, or makes nothing new. */
  private <T> Future<T> few(Asking<T> asking, int news, boolean inTime) {
    if (news == 0) {
      return asking.request.get();
    }
    if (asking.fits(news)) {
      return admitted(asking, news);
    }
    if (!inTime) {
      return OVERLOADED.refuse("a quota is still being counted");
    }
    Term resource = asking.key.resource();
    meters.quotaExceeded(resource);
    long waitNanos = asking.estimate.freshNanos(nanos.getAsLong());
    return Future.failedFuture(
        QUOTA_EXCEEDED
            .because(resource.wire())
            .with("quota", resource.wire())
            .retryAfterMs(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1));
  }

  private static <T> Future<T> admitted(Asking<T> asking, int more) {
    Estimate estimate = asking.estimate;
    return Future.succeededFuture()
        .compose(go -> asking.request.get())
        .onComplete(
            answer -> estimate.settle(more, asking.making.made.applyAsInt(answer)),
            failure -> estimate.settle(more, isUnknown(failure) ? more : 0));
  }

  /** Whether there is a count that is believed, the last or a new one; false: not in time. */
  private Future<Boolean> counted(Estimates.Key key, Estimate estimate, long quota) {
    if (estimate.isFresh(nanos.getAsLong(), quota)) {
      return Future.succeededFuture(true);
    }
    Future<Boolean> begun = underWay.get(key);
    return begun != null ? begun : count(key, estimate, quota);
  }

  /** Whoever comes when the time is over, and the count is not, waits no more. */
  private Future<Boolean> count(Estimates.Key key, Estimate estimate, long quota) {
    Estimate.Mark mark = estimate.begin(nanos.getAsLong(), quota);
    Promise<Boolean> inTime = Promise.promise();
    underWay.put(key, inTime.future());
    database.after(Limits.QUOTA_WAIT_MS_MAX, () -> inTime.tryComplete(false));
    count(new CountUsage.Wanted(key, quota + 1, BEFORE_ALL), 0)
        .recover(Quotas::unasked)
        .onComplete(done -> underWay.remove(key))
        .onSuccess(
            used -> {
              // However much there is to count, counting takes a small part of the time.
              long believed = (nanos.getAsLong() - mark.nanos()) * Limits.QUOTA_COUNT_SHARE;
              estimate.counted(mark, used, Math.max(BELIEVED_NANOS, believed));
              inTime.tryComplete(true);
            })
        .onFailure(inTime::tryFail);
    return inTime.future();
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
