package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import com.memoryendpoints.gateway.config.ClientAuth;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that is watched, while the test says what time it is. */
@Timeout(60)
class WatchedTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  /** More than the system keeps of what is not read. */
  private static final int MUCH = 32 << 20;

  @TempDir private static Path folder;

  private final Vertx vertx = Vertx.vertx();

  /** Answers every request alike, and looks at the clock only when it is told to. */
  private static final class Server extends VerticleBase {
    private final HttpServerOptions options;
    private final Buffer answer;
    private final boolean stopping;

    /** Whether it answers before the end of the request is read, or after. */
    private final boolean atOnce;

    private final Set<Watched> open = new HashSet<>();
    private volatile boolean connected;
    private volatile boolean answered;
    private final AtomicInteger came = new AtomicInteger();
    private @Nullable HttpServer server;

    Server(HttpServerOptions options, int answerBytes, boolean stopping, boolean atOnce) {
      this.options = options;
      this.answer = Buffer.buffer("a".repeat(answerBytes));
      this.stopping = stopping;
      this.atOnce = atOnce;
    }

    @Override
    public Future<?> start() {
      server =
          vertx
              .createHttpServer(options)
              .connectionHandler(
                  connection -> {
                    Watched.watch(connection, open, stopping);
                    connected = true;
                  })
              .requestHandler(
                  request -> {
                    if (request.method().equals(HttpMethod.POST)) {
                      read(request);
                    } else if (atOnce) {
                      answer(request);
                    } else {
                      context.runOnContext(later -> answer(request));
                    }
                  });
      return server.listen(0, "localhost");
    }

    private void read(HttpServerRequest request) {
      Carrier.of(request).stream();
      request.handler(part -> came.addAndGet(part.length()));
      request.exceptionHandler(
          cut -> {
            var unused = request.response().setStatusCode(408).end();
          });
      request.endHandler(whole -> answer(request));
    }

    private void answer(HttpServerRequest request) {
      var unused = request.response().end(answer);
      answered = true;
    }

    int port() {
      return Objects.requireNonNull(server).actualPort();
    }

    /** Has it look at the clock now, and so much later. */
    void lookIn(long... seconds) {
      long nowNanos = System.nanoTime();
      Future.future(
              looked ->
                  context.runOnContext(
                      run -> {
                        for (long each : seconds) {
                          Watched.cutOverdue(open, nowNanos + TimeUnit.SECONDS.toNanos(each));
                        }
                        looked.complete();
                      }))
          .await();
    }
  }

  private Server start(Server server) {
    vertx.deployVerticle(server).await();
    return server;
  }

  @AfterEach
  void end() {
    vertx.close().await();
  }

  @Test
  void aConnectionThatIsOpenedAheadOfUseIsNoRequestThatBegan() throws Exception {
    Identity identity = TestCertificates.make(folder, "server");
    Config.Tls tls =
        new Config.Tls(
            identity.certificate(), identity.privateKey(), null, null, ClientAuth.NONE, null, 1);
    HttpServerOptions options = Certificates.load(tls).applyTo(ApiVerticle.options());
    Server server = start(new Server(options, 2, false, true));
    SSLSocket socket =
        (SSLSocket)
            identity.trustedBy(null).getSocketFactory().createSocket("localhost", server.port());
    socket.startHandshake();
    try (RawHttp http = new RawHttp(socket)) {
      await().until(() -> server.connected);
      server.lookIn(20);
      assertThat(http.send(GET).answer().status()).isEqualTo(200);
    }
  }

  @Test
  void anAnswerThatIsReadLateIsWholeThoughTheServerStops() throws Exception {
    Server server = start(new Server(ApiVerticle.options(), MUCH, true, false));
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(GET);
      await().until(() -> server.answered);
      server.lookIn(0, 2, 4, 10);
      assertThat(http.answer().body()).hasSize(MUCH);
      server.lookIn(20, 22, 24);
      assertThat(http.ends()).isTrue();
    }
  }

  @Test
  void aBodyThatIsReadAsItComesIsCutWhenItTrickles() throws Exception {
    Server server = start(new Server(ApiVerticle.options(), 2, false, true));
    String head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n";
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(head + "a".repeat(Limits.POOL_LOAD_BYTES_MIN));
      await().until(() -> server.came.get() == Limits.POOL_LOAD_BYTES_MIN);
      server.lookIn(8);
      http.send("a");
      await().until(() -> server.came.get() == Limits.POOL_LOAD_BYTES_MIN + 1);
      server.lookIn(16, 17);
      http.send("a");
      await().until(() -> server.came.get() == Limits.POOL_LOAD_BYTES_MIN + 2);
      server.lookIn(19);
      assertThat(http.answer().status()).isEqualTo(408);
    }
  }

  @Test
  void whoReadsForLongIsNotTakenForOneWhoSendsForLong() throws Exception {
    Server server = start(new Server(ApiVerticle.options(), MUCH, false, true));
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(GET);
      await().until(() -> server.answered);
      server.lookIn(0, 11, 12, 13, 20);
      assertThat(http.answer().body()).hasSize(MUCH);
      assertThat(http.send(GET).answer().status()).isEqualTo(200);
    }
  }

  /** It came with the end of a whole request, and ends in the middle of a line or behind it. */
  @ParameterizedTest
  @ValueSource(strings = {"G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\nA"})
  void aHeadThatBeganBehindARequestIsCutLikeAnyOther(String half) throws Exception {
    Server server = start(new Server(ApiVerticle.options(), 2, false, true));
    try (RawHttp http = new RawHttp(server.port())) {
      assertThat(http.send(GET + half).answer().status()).isEqualTo(200);
      server.lookIn(11);
      // As this server answers whatever it is told is invalid.
      assertThat(http.answer().status()).isEqualTo(400);
      assertThat(http.ends()).isTrue();
    }
  }

  @Test
  void aHeadThatBeganBehindRequestsThatHadToWaitIsCutToo() throws Exception {
    Server server = start(new Server(ApiVerticle.options(), MUCH, false, true));
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(GET + GET + "G");
      await().until(() -> server.answered);
      assertThat(http.answer().body()).hasSize(MUCH);
      assertThat(http.answer().body()).hasSize(MUCH);
      server.lookIn(11);
      assertThat(http.answer().status()).isEqualTo(400);
      assertThat(http.ends()).isTrue();
    }
  }

  @Test
  void anEmptyLineBehindARequestIsNoHeadThatBegan() throws Exception {
    Server server = start(new Server(ApiVerticle.options(), 2, false, true));
    try (RawHttp http = new RawHttp(server.port());
        RawHttp other = new RawHttp(server.port())) {
      assertThat(http.send(GET + "\r\n").answer().status()).isEqualTo(200);
      http.send("\r\n");
      // On the same event loop, and so not before what came first.
      assertThat(other.send(GET).answer().status()).isEqualTo(200);
      server.lookIn(11, 22, 33);
      assertThat(http.send(GET).answer().status()).isEqualTo(200);
    }
  }
}
