package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.quota.Quotas;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One event loop of the API: its share of the port, its own connections to the database and its own
 * batchers, so that nothing on the way of a claim is shared or locked. Deployed once per core.
 */
public final class ApiVerticle extends VerticleBase {
  private static final long CLOCK_LOOK_MS = 250;
  private static final int BACKLOG = 1024;

  private final Gateway gateway;
  private final Set<Watched> open = new HashSet<>();
  private @Nullable Database database;
  private @Nullable HttpServer server;
  private @Nullable Exchanges served;
  private boolean stopping;

  /** An event loop of this gateway. */
  public ApiVerticle(Gateway gateway) {
    this.gateway = gateway;
  }

  /** The port that is listened on, where the configuration left it to the system. */
  public int port() {
    return Objects.requireNonNull(server).actualPort();
  }

  @Override
  public Future<?> start() {
    database = gateway.database().apply(vertx);
    Quotas quotas = gateway.quotas().apply(database);
    Keys keys = new Keys(database.clock());
    Problems problems = new Problems();
    Batch batch = new Batch(problems, gateway.meters().answers());
    Api api =
        new Api(
            gateway.names(),
            gateway.leases().apply(database, quotas),
            gateway.memories().apply(database, quotas),
            new PoolApi(gateway.pools().apply(database, quotas), gateway.inFlight(), batch),
            new AuditApi(gateway.audit().apply(database)),
            gateway.inFlight(),
            keys,
            batch,
            new AboutApi(new Pages(vertx)));
    Gate gate = new Gate(gateway.tokens().apply(database), gateway.throttle(), keys);
    Exchanges exchanges =
        new Exchanges(
            gate, problems, gateway.meters(), new RequestLog(gateway.log().sampledOneIn()));
    served = exchanges;
    vertx.setPeriodic(CLOCK_LOOK_MS, look -> lookAtTheClock(exchanges));
    return listen(Routes.router(vertx, api.endpoints(), exchanges), exchanges);
  }

  private Future<?> listen(Router router, Exchanges exchanges) {
    Shown shown = gateway.shown();
    server =
        vertx
            .createHttpServer(shown == null ? options() : shown.applyTo(options()))
            .connectionHandler(connection -> Watched.watch(connection, open, stopping))
            .requestHandler(request -> take(request, router, exchanges))
            .invalidRequestHandler(
                request -> exchanges.refuse(request, "no route", request.decoderResult().cause()));
    Future<HttpServer> listening = server.listen(gateway.http().port(), gateway.http().host());
    return shown == null ? listening : listening.onSuccess(shown::by);
  }

  private static void take(HttpServerRequest request, Router router, Exchanges exchanges) {
    if (request.version() != HttpVersion.HTTP_2) {
      router.handle(request);
    } else if (Streams.of(request.connection()).admits(request)) {
      Refusal refusal = Streams.refusal(request);
      if (refusal == null) {
        router.handle(request);
      } else {
        exchanges.refuse(request, "no route", refusal);
      }
    }
  }

  /** One look for all requests costs less than a timer for each. */
  private void lookAtTheClock(Exchanges exchanges) {
    long nowNanos = System.nanoTime();
    exchanges.giveUpOverdue(nowNanos);
    Watched.cutOverdue(open, nowNanos);
  }

  /**
   * Accepts nothing new and lets each connection end as {@link Wire} sees fit; cuts what is still
   * open after the grace, and only then parts with the database.
   */
  @Override
  public Future<?> stop() {
    stopping = true;
    int graceSeconds = gateway.drain().graceSeconds();
    // Before the server sets its own timer: what that cuts ends soon, and is unanswered no more.
    long counting =
        vertx.setTimer(
            TimeUnit.SECONDS.toMillis(graceSeconds),
            over -> gateway.drain().cut().add(Objects.requireNonNull(served).unanswered()));
    return Objects.requireNonNull(server)
        .shutdown(graceSeconds, TimeUnit.SECONDS)
        .onComplete(ended -> vertx.cancelTimer(counting))
        .transform(ended -> Objects.requireNonNull(database).close());
  }

  static HttpServerOptions options() {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setAcceptBacklog(BACKLOG)
        .setIdleTimeout(Limits.IDLE_SECONDS_MAX)
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setMaxInitialLineLength(Framing.REQUEST_LINE_BYTES_MAX)
        .setMaxHeaderSize(Framing.HEADER_BYTES_MAX)
        .setHttp2ClearTextEnabled(false)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(Limits.STREAMS_MAX)
                .setMaxHeaderListSize(Framing.HEADER_LIST_BYTES_MAX))
        .setHttp2ConnectionWindowSize(Framing.CONNECTION_WINDOW_BYTES)
        .setHttp2RstFloodMaxRstFramePerWindow(Limits.STREAM_RESETS_MAX)
        .setHttp2RstFloodWindowDuration(Limits.STREAM_RESETS_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        // Each would put its own part into every connection.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false);
  }
}
