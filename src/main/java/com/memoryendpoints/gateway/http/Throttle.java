package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.RATE_LIMITED;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.meter.Meters.Limit;
import com.memoryendpoints.gateway.tenant.Caller;
import io.github.bucket4j.TimeMeter;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How much may come, before any of it reaches the database: token buckets for each address, each
 * principal and each tenant. A call takes one token, a batch one for each item, from the bucket of
 * its principal and from that of its tenant, or is refused and takes none. What lets an owner keep
 * or give back what it holds has buckets of its own, so that a storm of claims costs no lease.
 *
 * <p>The buckets are the process's, shared by its event loops without a lock: a share for each loop
 * would give a caller with one connection only a part of the stated rate.
 */
public final class Throttle {
  private static final CharSequence RATE_LIMIT = HttpHeaders.createOptimized("ratelimit");
  private static final CharSequence RATE_LIMIT_POLICY =
      HttpHeaders.createOptimized("ratelimit-policy");
  private static final long NANOS_PER_MS = 1_000_000;

  private final Meters meters;
  private final Charged<HttpServerRequest> addresses;
  private final Charged<Caller> requests;
  private final Charged<Caller> upkeep;

  /** Limits what comes from here on. */
  public Throttle(Config.RateLimit config, Meters meters) {
    this(config, meters, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param nanos nanoseconds since any moment
   */
  Throttle(Config.RateLimit config, Meters meters, LongSupplier nanos) {
    TimeMeter clock = meter(nanos);
    this.meters = meters;
    ClientAddress client = new ClientAddress(config.trustedProxies());
    this.addresses =
        new Charged<>(limit(Limit.ADDRESS, config.address(), client::of, clock).toList());
    this.requests =
        new Charged<>(
            Stream.concat(
                    limit(Limit.DEFAULT, config.principal(), Throttle::principal, clock),
                    limit(Limit.TENANT, config.tenant(), Caller::tenantId, clock))
                .toList());
    Config.Rate ofPrincipal = config.principal().times(config.upkeepFactor());
    Config.Rate ofTenant = config.tenant().times(config.upkeepFactor());
    this.upkeep =
        new Charged<>(
            Stream.concat(
                    limit(Limit.UPKEEP, ofPrincipal, Throttle::principal, clock),
                    limit(Limit.TENANT_UPKEEP, ofTenant, Caller::tenantId, clock))
                .toList());
  }

  /** The limits that are charged together, and what is told of them. */
  private record Charged<C>(List<Allowances<C>> limits, CharSequence policy) {
    Charged(List<Allowances<C>> limits) {
      this(
          limits,
          HttpHeaders.createOptimized(
              limits.stream().map(Allowances::policy).collect(Collectors.joining(", "))));
    }
  }

  /**
   * Takes a token of the address that a request came from.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal RATE_LIMITED
   */
  void chargeAddress(HttpServerRequest request) {
    charge(request, addresses, request, 1);
  }

  /**
   * Takes a token for a call, unless only its body tells how many it costs.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal RATE_LIMITED
   */
  void chargeCall(HttpServerRequest request, Endpoint endpoint, Caller caller) {
    if (!endpoint.body().itemized()) {
      charge(request, charged(endpoint), caller, 1);
    }
  }

  /**
   * Takes a token for each item of a body once it has been read, and one for a body that cannot be.
   *
   * @param caller null only where the endpoint needs no token
   * @return the body, or what is wrong with it, or RATE_LIMITED
   */
  Future<Payload> chargeItems(
      HttpServerRequest request,
      Endpoint endpoint,
      @Nullable Caller caller,
      Future<Payload> reading) {
    if (caller == null || !endpoint.body().itemized()) {
      return reading;
    }
    Charged<Caller> limits = charged(endpoint);
    return reading
        .recover(
            unreadable -> {
              charge(request, limits, caller, 1);
              return Future.failedFuture(unreadable);
            })
        .map(
            body -> {
              charge(request, limits, caller, body.items().size());
              return body;
            });
  }

  private Charged<Caller> charged(Endpoint endpoint) {
    return endpoint.upkeep() ? upkeep : requests;
  }

  private <C> void charge(HttpServerRequest request, Charged<C> charged, C caller, int cost) {
    if (charged.limits().isEmpty()) {
      return;
    }
    List<Allowance> left = new ArrayList<>(charged.limits().size());
    for (Allowances<C> limit : charged.limits()) {
      left.add(limit.of(caller));
    }
    Allowance refusing = take(left, cost);
    tell(request.response(), charged, left);
    if (refusing != null) {
      meters.requestLimited(refusing.limit());
      throw RATE_LIMITED.because(refusing.limit().name()).retryAfterMs(waitMs(left, cost));
    }
  }

  /** Takes from all, or from none: then which of them has too little. */
  private static @Nullable Allowance take(List<Allowance> all, int cost) {
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).take(cost)) {
        all.subList(0, i).forEach(taken -> taken.giveBack(cost));
        return all.get(i);
      }
    }
    return null;
  }

  /** Rounded up to more than it is: who waits exactly so long is let in. */
  private static long waitMs(List<Allowance> all, int cost) {
    long waitNanos = 0;
    for (Allowance each : all) {
      waitNanos = Math.max(waitNanos, each.waitNanos(cost));
    }
    return waitNanos / NANOS_PER_MS + 1;
  }

  /** As draft-ietf-httpapi-ratelimit-headers has it. */
  private static <C> void tell(
      HttpServerResponse response, Charged<C> charged, List<Allowance> left) {
    StringBuilder now = new StringBuilder();
    for (int i = 0; i < left.size(); i++) {
      String name = charged.limits().get(i).name();
      left.get(i).describe(now.append(i == 0 ? "" : ", ").append(name));
    }
    response.putHeader(RATE_LIMIT_POLICY, charged.policy());
    response.putHeader(RATE_LIMIT, now.toString());
  }

  private static <C> Stream<Allowances<C>> limit(
      Limit limit, Config.Rate rate, Function<C, Object> key, TimeMeter clock) {
    return rate.perSecond() == 0
        ? Stream.empty()
        : Stream.of(new Allowances<>(limit, rate, key, clock));
  }

  private static Object principal(Caller caller) {
    return caller;
  }

  private static TimeMeter meter(LongSupplier nanos) {
    return new TimeMeter() {
      @Override
      public long currentTimeNanos() {
        return nanos.getAsLong();
      }

      @Override
      public boolean isWallClockBased() {
        return false;
      }
    };
  }
}
