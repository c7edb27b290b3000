package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.INTERNAL;
import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;
import static com.memoryendpoints.gateway.problem.Problem.NOT_IMPLEMENTED;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The one writer of problems (RFC 9457), whatever layer met them. The client gets the public text
 * and the refusal's members, the log the internal reason: at debug for a refusal, at error and with
 * its stack for a defect.
 */
final class Problems {
  /** After these the framing cannot be trusted, so the connection is closed. */
  private static final Set<Problem> CLOSING = EnumSet.range(MALFORMED_REQUEST, NOT_IMPLEMENTED);

  private static final Set<Problem> RETRYABLE =
      EnumSet.of(Problem.REQUEST_IN_PROGRESS, Problem.POOL_EXHAUSTED);

  private static final String TYPE = "https://memoryendpoints.com/problems/";
  static final String TRACE_ID = "trace_id";
  static final String RETRY_AFTER_MS = "retry_after_ms";
  private static final long RETRY_AFTER_MS_DEFAULT = 1_000;

  private static final CharSequence PROBLEM_JSON =
      HttpHeaders.createOptimized("application/problem+json");

  private static final Logger log = LoggerFactory.getLogger(Problems.class);

  private final NoArgGenerator instances = Generators.timeBasedEpochGenerator();

  /**
   * Answers a request with the problem that it met; does nothing where the answer has been given or
   * nobody is left to read it.
   *
   * @param route the route's template, for the log: a path holds ids
   * @return the problem, for the meters
   */
  Problem write(HttpServerRequest request, String route, Throwable failure) {
    String trace = Trace.id(request);
    Refusal refusal = refusal(failure);
    String instance = instance();
    log(route, refusal, failure, instance, trace);
    if (Answers.isAwaited(request)) {
      HttpServerResponse response = request.response();
      response.setStatusCode(refusal.problem().status());
      response.putHeader(HttpHeaders.CONTENT_TYPE, PROBLEM_JSON);
      response.putHeader(HttpHeaders.CACHE_CONTROL, Answers.NO_STORE);
      if (refusal.replayed()) {
        response.putHeader(Answers.IDEMPOTENT_REPLAYED, Answers.TRUE);
      }
      headers(response, refusal);
      Buffer body =
          trace == null && PlainProblem.is(refusal)
              ? PlainProblem.of(refusal.problem()).document(instance, retryAfterMs(refusal))
              : Json.bytes(document(refusal, instance, trace));
      Answers.end(request, body, CLOSING.contains(refusal.problem()));
    }
    return refusal.problem();
  }

  /** The problem of one item of a batch, as a document. */
  Map<String, Object> item(Call call, Refusal refusal, Throwable failure) {
    String trace = Trace.id(call.request());
    String instance = instance();
    log(call.endpoint().label(), refusal, failure, instance, trace);
    return document(refusal, instance, trace);
  }

  /** What a failure is to a client; whatever is no refusal is a defect. */
  static Refusal refusal(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal : INTERNAL.because("a defect");
  }

  private String instance() {
    return "urn:uuid:" + instances.generate();
  }

  static Map<String, Object> document(Refusal refusal, String instance, @Nullable String trace) {
    Problem problem = refusal.problem();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("type", TYPE + problem.slug());
    document.put("title", problem.title());
    document.put("status", problem.status());
    document.put("detail", problem.advice());
    document.put("instance", instance);
    document.put("code", problem.code());
    if (trace != null) {
      document.put(TRACE_ID, trace);
    }
    Long retryAfterMs = retryAfterMs(refusal);
    if (retryAfterMs != null) {
      document.put(RETRY_AFTER_MS, retryAfterMs);
    }
    refusal.members().forEach((member, value) -> document.put(member, Replies.wire(value)));
    return document;
  }

  /** When a retry makes sense; null where it never does. */
  private static @Nullable Long retryAfterMs(Refusal refusal) {
    if (refusal.members().get(RETRY_AFTER_MS) instanceof Number given) {
      return given.longValue();
    }
    return retryable(refusal.problem()) ? RETRY_AFTER_MS_DEFAULT : null;
  }

  static boolean retryable(Problem problem) {
    return switch (problem.status()) {
      case 423, 429, 503 -> true;
      default -> RETRYABLE.contains(problem);
    };
  }

  /** What HTTP wants in a header is a member as well, so that a batch item loses nothing. */
  private static void headers(HttpServerResponse response, Refusal refusal) {
    Map<String, Object> members = refusal.members();
    Long retryAfterMs = retryAfterMs(refusal);
    if (retryAfterMs != null) {
      long seconds = Math.max(1, (retryAfterMs + 999) / 1000);
      response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    }
    switch (response.getStatusCode()) {
      case 401, 403 -> response.putHeader("WWW-Authenticate", challenge(members));
      case 405 -> list(response, HttpHeaders.ALLOW, members.get("allow"));
      case 415 -> {
        list(response, HttpHeaders.ACCEPT, members.get("accept"));
        list(response, HttpHeaders.ACCEPT_ENCODING, members.get("accept_encoding"));
      }
      default -> {}
    }
  }

  private static void list(HttpServerResponse response, CharSequence header, @Nullable Object of) {
    if (of instanceof List<?> values) {
      response.putHeader(header, String.join(", ", values.stream().map(Object::toString).toList()));
    }
  }

  /** RFC 6750 section 3: no error code for a request that came without credentials. */
  private static String challenge(Map<String, Object> members) {
    StringBuilder challenge = new StringBuilder("Bearer realm=\"leases\"");
    for (String parameter : List.of("error", "scope")) {
      if (members.get(parameter) instanceof String value) {
        challenge.append(", ").append(parameter).append("=\"").append(value).append('"');
      }
    }
    return challenge.toString();
  }

  private static void log(
      String route, Refusal refusal, Throwable failure, String instance, @Nullable String trace) {
    boolean defect = refusal.problem() == INTERNAL;
    if (!defect && !log.isDebugEnabled()) {
      return;
    }
    LoggingEventBuilder event = defect ? log.atError().setCause(failure) : log.atDebug();
    if (trace != null) {
      event = event.addKeyValue(TRACE_ID, trace);
    }
    event.log("{}: {} {}: {}", route, refusal.problem(), instance, refusal.getMessage());
  }
}
