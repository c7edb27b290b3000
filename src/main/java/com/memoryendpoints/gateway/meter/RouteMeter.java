package com.memoryendpoints.gateway.meter;

import com.memoryendpoints.gateway.problem.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one route, by status and problem. Shared by every event loop; a status that the
 * route never answers costs no series.
 */
public final class RouteMeter {
  private final MeterRegistry registry;
  private final AnswerMeter answers;
  private final String method;
  private final String template;
  private final Map<Integer, Timer> answered = new ConcurrentHashMap<>();
  private final Map<Problem, Timer> refused = new ConcurrentHashMap<>();

  RouteMeter(MeterRegistry registry, AnswerMeter answers, String method, String template) {
    this.registry = registry;
    this.answers = answers;
    this.method = method;
    this.template = template;
  }

  /**
   * Records an answer that is not a problem.
   *
   * @param status 100 to 599
   * @param nanos from the request's head to the end of the answer
   */
  public void answered(int status, long nanos) {
    answers.fine();
    answered
        .computeIfAbsent(status, seen -> timer(seen, "none"))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Records an answer that is a problem. */
  public void refused(Problem problem, long nanos) {
    answers.refused(problem);
    refused
        .computeIfAbsent(problem, seen -> timer(seen.status(), seen.code()))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(int status, String code) {
    return Meters.latency(
            "http.server.requests", "Requests, from their head to the end of the answer")
        .tags("method", method, "route", template)
        .tags("status", Integer.toString(status), "code", code)
        .register(registry);
  }
}
