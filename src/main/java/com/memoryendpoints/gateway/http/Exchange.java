package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;

import com.memoryendpoints.gateway.meter.RouteMeter;
import io.vertx.core.http.HttpServerRequest;

/** One request and its one answer, whoever gives it first. */
final class Exchange {
  private final HttpServerRequest request;
  private final Endpoint endpoint;
  private final Problems problems;
  private final RouteMeter meter;
  private final long begunNanos = System.nanoTime();
  private long servedNanos;
  private boolean answered;

  Exchange(HttpServerRequest request, Endpoint endpoint, Problems problems, RouteMeter meter) {
    this.request = request;
    this.endpoint = endpoint;
    this.problems = problems;
    this.meter = meter;
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
      meter.answered(reply.status(), System.nanoTime() - begunNanos);
    }
  }

  /** Answers with a problem, under the same condition. */
  void refuse(Throwable failure) {
    if (!answered) {
      answered = true;
      var problem = problems.write(request, endpoint.label(), failure);
      meter.refused(problem, System.nanoTime() - begunNanos);
    }
  }

  /** The domain has had it for too long. */
  void giveUp() {
    refuse(OUTCOME_UNKNOWN.because("not answered in time by the domain"));
  }
}
