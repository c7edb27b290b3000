package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line for each request that one event loop has answered: what was called, by its template, and
 * what became of it; whose it was, by the tenant's id; nothing that a caller chose but the trace.
 *
 * <p>Answers that a busy gateway gives all the time - successes, and refusals of what is held,
 * throttled or too much - are sampled: one in so many has a line, which says so in {@code one_in}.
 * {@code logback.xml} writes these lines on a thread of their own, and drops them when it cannot
 * keep up.
 */
final class RequestLog {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

  /** The route of a request that no endpoint is for. */
  static final String NO_ROUTE = "none";

  private final int sampledOneIn;
  private int sinceSampled;

  /**
   * The log of one event loop.
   *
   * @param sampledOneIn 1 for every line, 0 for none of those that are sampled
   */
  RequestLog(int sampledOneIn) {
    this.sampledOneIn = sampledOneIn;
  }

  /** A request was answered with what it asked for. */
  void answered(
      HttpServerRequest request,
      Endpoint endpoint,
      @Nullable Caller caller,
      int status,
      long nanos) {
    if (isWritten(true)) {
      write(line(request, endpoint.label(), caller, status, nanos), true);
    }
  }

  /** A request was answered with a problem. */
  void refused(
      HttpServerRequest request,
      Endpoint endpoint,
      @Nullable Caller caller,
      Problem problem,
      long nanos) {
    boolean sampled =
        problem.status() == 423 || problem.status() == 429 || problem == Problem.OVERLOADED;
    if (isWritten(sampled)) {
      write(
          line(request, endpoint.label(), caller, problem.status(), nanos)
              .addKeyValue("code", problem.code()),
          sampled);
    }
  }

  /** A request that no endpoint is for, whose method and path may be anything. */
  void refused(Problem problem) {
    write(
        LOG.atInfo()
            .addKeyValue("route", NO_ROUTE)
            .addKeyValue("status", problem.status())
            .addKeyValue("code", problem.code()),
        false);
  }

  private boolean isWritten(boolean sampled) {
    if (!sampled) {
      return true;
    }
    if (sampledOneIn == 0 || ++sinceSampled < sampledOneIn) {
      return false;
    }
    sinceSampled = 0;
    return true;
  }

  private static LoggingEventBuilder line(
      HttpServerRequest request, String route, @Nullable Caller caller, int status, long nanos) {
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue("route", route)
            .addKeyValue("status", status)
            .addKeyValue("duration_ms", TimeUnit.NANOSECONDS.toMicros(nanos) / 1_000.0);
    if (caller != null) {
      line = line.addKeyValue("tenant_id", caller.tenantId().toString());
    }
    String trace = Trace.id(request);
    return trace == null ? line : line.addKeyValue(Problems.TRACE_ID, trace);
  }

  private void write(LoggingEventBuilder line, boolean sampled) {
    (sampled ? line.addKeyValue("one_in", sampledOneIn) : line).log("request");
  }
}
