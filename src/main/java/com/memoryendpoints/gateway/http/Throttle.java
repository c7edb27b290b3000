package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.RATE_LIMITED;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.meter.Meters.Limit;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Tenants;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.github.bucket4j.TimeMeter;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
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
  private final List<Allowances<HttpServerRequest>> addresses;
  private final List<Allowances<Caller>> requests;
  private final List<Allowances<Caller>> upkeep;

  /** Limits what comes from here on. */
  public Throttle(Config.RateLimit config, Tenants tenants, Meters meters) {
    this(config, tenants, meters, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param tenants what was agreed with some, which goes before the configuration
   * @param nanos nanoseconds since any moment
   */
  Throttle(Config.RateLimit config, Tenants tenants, Meters meters, LongSupplier nanos) {
    TimeMeter clock = meter(nanos);
    ClientAddress client = new ClientAddress(config.trustedProxies());
    this.meters = meters;
    this.addresses =
        List.of(new Allowances<>(Limit.ADDRESS, client::of, any -> config.address(), clock));
    this.requests =
        List.of(
            new Allowances<>(
                Limit.DEFAULT, Throttle::principal, principals(config, tenants, 1), clock),
            new Allowances<>(Limit.TENANT, Caller::tenantId, tenants(config, tenants, 1), clock));
    int factor = config.upkeepFactor();
    this.upkeep =
        List.of(
            new Allowances<>(
                Limit.UPKEEP, Throttle::principal, principals(config, tenants, factor), clock),
            new Allowances<>(
                Limit.TENANT_UPKEEP, Caller::tenantId, tenants(config, tenants, factor), clock));
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
      charge(request, limits(endpoint), caller, 1);
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
    List<Allowances<Caller>> limits = limits(endpoint);
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

  private List<Allowances<Caller>> limits(Endpoint endpoint) {
    return endpoint.upkeep() ? upkeep : requests;
  }

  private <C> void charge(
      HttpServerRequest request, List<Allowances<C>> limits, C caller, int cost) {
    List<Allowance> left = left(limits, caller);
    if (left.isEmpty()) {
      return;
    }
    Allowance refusing = take(left, cost);
    tell(request.response(), left);
    if (refusing != null) {
      meters.requestLimited(refusing.limit());
      throw RATE_LIMITED.because(refusing.limit().name()).retryAfterMs(waitMs(left, cost));
    }
  }

  private static <C> List<Allowance> left(List<Allowances<C>> limits, C caller) {
    List<Allowance> left = new ArrayList<>(limits.size());
    for (Allowances<C> limit : limits) {
      Allowance allowance = limit.of(caller);
      if (allowance != null) {
        left.add(allowance);
      }
    }
    return left;
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
  private static void tell(HttpServerResponse response, List<Allowance> left) {
    StringBuilder policy = new StringBuilder();
    StringBuilder now = new StringBuilder();
    for (Allowance each : left) {
      String separator = now.isEmpty() ? "" : ", ";
      policy.append(separator).append(each.policy());
      each.describe(now.append(separator));
    }
    response.putHeader(RATE_LIMIT_POLICY, policy.toString());
    response.putHeader(RATE_LIMIT, now.toString());
  }

  private static Function<Caller, Config.Rate> principals(
      Config.RateLimit config, Tenants tenants, int factor) {
    return rate(tenants, config.principal(), factor, Term.REQUESTS_PER_SECOND, Term.BURST);
  }

  private static Function<Caller, Config.Rate> tenants(
      Config.RateLimit config, Tenants tenants, int factor) {
    return rate(
        tenants, config.tenant(), factor, Term.TENANT_REQUESTS_PER_SECOND, Term.TENANT_BURST);
  }

  private static Function<Caller, Config.Rate> rate(
      Tenants tenants, Config.Rate configured, int factor, Term perSecond, Term burst) {
    Config.Rate usual = configured.times(factor);
    return caller -> {
      Terms terms = tenants.terms(caller.tenantId());
      return terms.agreed().isEmpty()
          ? usual
          : configured.agreed(terms.get(perSecond), terms.get(burst)).times(factor);
    };
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
