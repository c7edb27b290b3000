package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.meter.RouteMeter;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Every request that one event loop is serving. A request is let in, then it is the endpoint's;
 * whatever either of them comes to is its answer.
 */
final class Exchanges {
  /**
   * How long the domain may have a request. The database layer answers within its own deadline; a
   * request still open after this met a defect, and its caller is not left waiting.
   */
  static final long SERVED_MS_MAX = Limits.REQUEST_MS_MAX + 500L;

  private static final long SERVED_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(SERVED_MS_MAX);

  private final Gate gate;
  private final Problems problems;
  private final Meters meters;
  private final RequestLog log;
  private final LongAdder inFlight;
  private final RouteMeter unrouted;

  /** How many requests have no answer yet. */
  private int unanswered;

  /** In the order in which they were let in, so that the overdue ones are the first. */
  private final Set<Exchange> served = new LinkedHashSet<>();

  Exchanges(Gate gate, Problems problems, Meters meters, RequestLog log) {
    this.gate = gate;
    this.problems = problems;
    this.meters = meters;
    this.log = log;
    this.inFlight = meters.requestsInFlight();
    this.unrouted = meters.route(RequestLog.NO_ROUTE, RequestLog.NO_ROUTE);
  }

  /** What a route does with its requests: admit, act, answer. */
  Handler<RoutingContext> serving(Endpoint endpoint, HttpMethod method) {
    var meter = meters.route(method.name(), endpoint.path());
    return ctx -> {
      Exchange exchange = new Exchange(ctx, endpoint, problems, meter, log);
      inFlight.increment();
      unanswered++;
      Future.succeededFuture(ctx)
          .compose(request -> gate.admit(request, endpoint))
          .compose(call -> act(exchange, call))
          .map(Reply::rendered)
          .onComplete(exchange::reply, exchange::refuse)
          .onComplete(done -> end(exchange));
    };
  }

  /** Answers a request that no endpoint is for: its method and path may be anything. */
  void refuse(HttpServerRequest request, String what, Throwable failure) {
    long begunNanos = System.nanoTime();
    Problem problem = problems.write(request, what, failure);
    unrouted.refused(problem, System.nanoTime() - begunNanos);
    log.refused(problem);
  }

  /** How many requests have no answer yet. */
  int unanswered() {
    return unanswered;
  }

  private Future<Reply> act(Exchange exchange, Call call) {
    // A stream lasts as long as it comes; each part of it has the domain's own deadlines.
    if (call.endpoint().body() != Endpoint.Body.STREAM) {
      exchange.served();
      served.add(exchange);
    }
    return call.endpoint().action().apply(call);
  }

  private void end(Exchange exchange) {
    served.remove(exchange);
    inFlight.decrement();
    unanswered--;
  }

  /** Answers what the domain has had for too long. */
  void giveUpOverdue(long nowNanos) {
    Iterator<Exchange> longest = served.iterator();
    while (longest.hasNext()) {
      Exchange exchange = longest.next();
      if (exchange.servedNanos(nowNanos) < SERVED_NANOS_MAX) {
        return;
      }
      longest.remove();
      exchange.giveUp();
    }
  }
}
