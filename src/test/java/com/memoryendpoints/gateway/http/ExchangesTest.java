package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.auth.Tokens;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.pgclient.PgConnectOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a request whose endpoint does not do what endpoints do. */
@Timeout(30)
class ExchangesTest {
  private final Vertx vertx = Vertx.vertx();
  private final Meters meters = new Meters();
  private final Promise<Reply> late = Promise.promise();
  private final Odd odd = new Odd();

  @BeforeEach
  void listen() throws Exception {
    await(vertx.deployVerticle(odd));
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
    meters.close();
  }

  /** One event loop with endpoints that keep no promise. */
  private final class Odd extends VerticleBase {
    private final Set<Watched> open = new HashSet<>();
    private Exchanges exchanges;
    private HttpServer server;

    private Context loop() {
      return context;
    }

    @Override
    public Future<?> start() {
      Problems problems = new Problems();
      Future<Void> never = Promise.<Void>promise().future();
      var clock =
          Database.open(vertx, new PgConnectOptions(), 1, meters, never, fatal -> {}).clock();
      Gate gate = new Gate(Tokens.of(List.of()), LiveApi.unlimited(meters), new Keys(clock));
      exchanges = new Exchanges(gate, problems, meters, new RequestLog(0));
      server =
          vertx
              .createHttpServer(ApiVerticle.options())
              .connectionHandler(connection -> Watched.watch(connection, open, false))
              .requestHandler(Routes.router(vertx, endpoints(), exchanges));
      return server.listen(0, "127.0.0.1");
    }

    private List<Endpoint> endpoints() {
      return List.of(
          Endpoint.get("/late", null).by(call -> late.future()),
          Endpoint.get("/throws", null)
              .by(
                  call -> {
                    throw new IllegalStateException("a secret");
                  }),
          Endpoint.get("/fails", null).by(call -> Future.failedFuture(new Error("a secret"))),
          Endpoint.get("/fine", null).by(call -> Future.succeededFuture(Reply.NO_CONTENT)));
    }
  }

  @Test
  void aRequestThatTheDomainNeverAnswersHasAnUnknownOutcomeAndIsNotAnsweredTwice()
      throws Exception {
    try (RawHttp http = connect()) {
      http.send("GET", "/late", List.of(), "").send("GET", "/fine", List.of(), "");
      Awaitility.await().until(() -> meters.requestsInFlight().sum() == 1);
      long later =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Exchanges.SERVED_MS_MAX + 1_000);
      onTheLoop(() -> odd.exchanges.giveUpOverdue(System.nanoTime()));
      assertThat(meters.requestsInFlight().sum()).isEqualTo(1);
      onTheLoop(() -> odd.exchanges.giveUpOverdue(later));
      Answer answer = http.answer();
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("OUTCOME_UNKNOWN");
      assertThat(answer.headers()).containsKey("retry-after");
      late.complete(Reply.NO_CONTENT);
      assertThat(http.answer().status()).isEqualTo(204);
      Awaitility.await().until(() -> meters.requestsInFlight().sum() == 0);
    }
  }

  @Test
  void aDefectIsAProblemThatTellsNothing() throws Exception {
    try (RawHttp http = connect()) {
      for (String path : List.of("/throws", "/fails")) {
        Answer answer = http.send("GET", path, List.of(), "").answer();
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.body()).doesNotContain("secret");
      }
      assertThat(http.send("GET", "/fine", List.of(), "").answer().status()).isEqualTo(204);
    }
  }

  @Test
  void aCallerWhoWentAwayBreaksNothing() throws Exception {
    try (RawHttp http = connect()) {
      http.send("GET", "/late", List.of(), "");
      Awaitility.await().until(() -> meters.requestsInFlight().sum() == 1);
    }
    Awaitility.await().until(() -> odd.open.isEmpty());
    late.complete(Reply.ok(new About.Version("n", "v")));
    Awaitility.await().until(() -> meters.requestsInFlight().sum() == 0);
    try (RawHttp http = connect()) {
      assertThat(http.send("GET", "/fine", List.of(), "").answer().status()).isEqualTo(204);
    }
  }

  @Test
  void aRequestThatIsBeingServedIsAnsweredWhileTheServerShutsDown() throws Exception {
    try (RawHttp http = connect()) {
      http.send("GET", "/late", List.of(), "");
      Awaitility.await().until(() -> meters.requestsInFlight().sum() == 1);
      Future<Void> shut = odd.server.shutdown(10, TimeUnit.SECONDS);
      late.complete(Reply.NO_CONTENT);
      assertThat(http.answer().status()).isEqualTo(204);
      assertThat(http.ends()).isTrue();
      await(shut);
    }
  }

  private RawHttp connect() throws Exception {
    return new RawHttp(odd.server.actualPort());
  }

  private void onTheLoop(Runnable work) throws Exception {
    Promise<Void> done = Promise.promise();
    odd.loop()
        .runOnContext(
            go -> {
              work.run();
              done.complete();
            });
    await(done.future());
  }

  private static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
