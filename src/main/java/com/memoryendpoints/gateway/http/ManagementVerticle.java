package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What operators and their machines ask, on a port of its own: {@code /health/live}, {@code
 * /health/ready} and {@code /metrics}. No token, no tenant, no name and no id.
 */
public final class ManagementVerticle extends VerticleBase {
  private static final int HEADER_BYTES_MAX = 8 << 10;
  private static final int CLOCK_LOOK_MS = 1_000;
  private static final String ROUTE = "management";
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private record Live(boolean live, String detail) {}

  private record Ready(boolean ready, List<Why> reasons) {}

  private record Why(String code, String detail) {}

  private final Config.Management management;
  private final Health health;
  private final Meters meters;
  private final Problems problems = new Problems();
  private final Set<Watched> open = new HashSet<>();
  private @Nullable HttpServer server;

  /** Of the process that this health and these meters are of. */
  public ManagementVerticle(Config.Management management, Health health, Meters meters) {
    this.management = management;
    this.health = health;
    this.meters = meters;
    meters.readiness(() -> health.whyNotReady().isEmpty());
  }

  /** The port that is listened on, where the configuration left it to the system. */
  public int port() {
    return Objects.requireNonNull(server).actualPort();
  }

  @Override
  public Future<?> start() {
    server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setMaxHeaderSize(HEADER_BYTES_MAX)
                    .setIdleTimeout(Limits.IDLE_SECONDS_MAX)
                    .setIdleTimeoutUnit(TimeUnit.SECONDS)
                    .setHttp2ClearTextEnabled(false))
            .connectionHandler(connection -> Watched.watch(connection, open, false))
            .requestHandler(this::answer)
            .invalidRequestHandler(
                request -> problems.write(request, ROUTE, request.decoderResult().cause()));
    vertx.setPeriodic(CLOCK_LOOK_MS, look -> Watched.cutOverdue(open, System.nanoTime()));
    return server.listen(management.port(), management.host());
  }

  private void answer(HttpServerRequest request) {
    try {
      route(request);
    } catch (RuntimeException failure) {
      problems.write(request, ROUTE, failure);
    }
  }

  private void route(HttpServerRequest request) {
    String path = Objects.requireNonNullElse(request.path(), "");
    switch (path) {
      case "/health/live", "/health/ready", "/metrics" -> {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
          throw Problem.METHOD_NOT_ALLOWED
              .because("not for management")
              .with("allow", List.of("GET", "HEAD"));
        }
        answer(request, path);
      }
      default -> throw Problem.NO_SUCH_ROUTE.because("not for management");
    }
  }

  private void answer(HttpServerRequest request, String path) {
    switch (path) {
      case "/health/live" -> live(request);
      case "/health/ready" -> ready(request);
      default -> end(request, 200, METRICS_TYPE, Buffer.buffer(meters.scrape()));
    }
  }

  private void live(HttpServerRequest request) {
    boolean live = health.isLive();
    String detail = live ? "Every event loop runs." : "An event loop hangs.";
    end(request, live ? 200 : 503, Json.bytes(new Live(live, detail)));
  }

  private void ready(HttpServerRequest request) {
    List<Why> reasons =
        health.whyNotReady().stream().map(why -> new Why(why.name(), why.detail)).toList();
    boolean ready = reasons.isEmpty();
    end(request, ready ? 200 : 503, Json.bytes(new Ready(ready, reasons)));
  }

  private static void end(HttpServerRequest request, int status, Buffer json) {
    end(request, status, "application/json", json);
  }

  private static void end(HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    response.setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, type);
    response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.end(body);
  }
}
