package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;

import com.memoryendpoints.gateway.meter.RouteMeter;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** One request and its one answer, whoever gives it first. */
final class Exchange {
  /** Where the gate leaves who calls, also for a request that it then refuses. */
  static final String CALLER = "caller";

  private final RoutingContext ctx;
  private final HttpServerRequest request;
  private final Endpoint endpoint;
  private final Problems problems;
  private final RouteMeter meter;
  private final RequestLog log;
  private final long begunNanos = System.nanoTime();
  private long servedNanos;
  private boolean answered;

  Exchange(
      RoutingContext ctx, Endpoint endpoint, Problems problems, RouteMeter meter, RequestLog log) {
    this.ctx = ctx;
    this.request = ctx.request();
    this.endpoint = endpoint;
    this.problems = problems;
    this.meter = meter;
    this.log = log;
  }

  /** The request has been read; from now on it is the domain's. */
  void served() {
    servedNanos = System.nanoTime();
  }

  /** For how long the domain has had the request, in nanoseconds. */
  long servedNanos(long nowNanos) {
    return nowNanos - servedNanos;
  }

  /** Answers, unless the request has been answered or its caller went away. */
  void reply(Reply reply) {
    if (!answered) {
      answered = true;
      if (Answers.isAwaited(request)) {
        Answers.write(request, reply, endpoint.scope() != null);
      }
      long nanos = System.nanoTime() - begunNanos;
      meter.answered(reply.status(), nanos);
      log.answered(request, endpoint, ctx.get(CALLER), reply.status(), nanos);
    }
  }

  /** Answers with a problem, under the same condition. */
  void refuse(Throwable failure) {
    if (!answered) {
      answered = true;
      var problem = problems.write(request, endpoint.label(), failure);
      long nanos = System.nanoTime() - begunNanos;
      meter.refused(problem, nanos);
      log.refused(request, endpoint, ctx.get(CALLER), problem, nanos);
    }
  }

  /** The domain has had it for too long. */
  void giveUp() {
    refuse(OUTCOME_UNKNOWN.because("not answered in time by the domain"));
  }
}
