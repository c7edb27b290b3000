package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP at its edges, byte by byte: what is long, slow, half, unread or unusual. */
@Timeout(60)
class WireTest {
  private static final String POST = "POST /v1/leases HTTP/1.1\r\nHost: h\r\n";
  private static final String NEXT = "GET /version HTTP/1.1\r\nHost: h\r\n\r\n";

  @RegisterExtension static final LiveApi API = LiveApi.without();

  @Test
  void fiftyFieldsAndATargetOfEightKibibytesAreServed() throws Exception {
    try (RawHttp http = API.connect()) {
      String fields = "a: b\r\n".repeat(49);
      http.send("GET /version HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n");
      assertThat(http.answer().status()).isEqualTo(200);
      http.send("GET /" + "a".repeat(8191) + " HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(http.answer().code()).isEqualTo("NO_SUCH_ROUTE");
      http.send(NEXT);
      assertThat(http.answer().status()).isEqualTo(200);
    }
  }

  /**
   * They are requests like others, so the connection goes on; which of the two is meant is open.
   */
  @Test
  void aRepeatedKeyAndAnEncodedBodyAreRefused() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(
          claimHead()
              + "Idempotency-Key: 019a2f4e-8a00-7b11-8c22-d3e4f5061729\r\n"
              + "Content-Length: 2\r\n\r\n{}");
      RawHttp.Answer twice = http.answer();
      assertThat(twice.status()).isEqualTo(400);
      assertThat(twice.headers()).containsEntry("content-type", "application/problem+json");
    }
    try (RawHttp http = API.connect()) {
      http.send(claimHead() + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");
      assertThat(http.answer().code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }
  }

  /** Neither by prior knowledge, which is malformed HTTP/1, nor by an upgrade. */
  @Test
  void plainTextIsNeverUpgradedToHttpTwo() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(
          "GET /version HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void aBodyInManyChunksIsOneBody() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(claimHead() + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
      http.send("1;x=y\r\n}\r\n0\r\nTrailer: t\r\n\r\n" + NEXT);
      assertThat(http.answer().code()).isEqualTo("INVALID_REQUEST");
      assertThat(http.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void aRequestThatDoesNotArriveIsCut() throws Exception {
    try (RawHttp head = API.connect();
        RawHttp body = API.connect()) {
      body.send(claimHead() + "Content-Length: 10\r\n\r\n{");
      head.send(NEXT);
      assertThat(head.answer().status()).isEqualTo(200);
      head.send("GET /version HTTP/1.1\r\nHost:");
      for (RawHttp http : List.of(head, body)) {
        RawHttp.Answer answer = http.answer();
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.code()).isEqualTo("REQUEST_TIMEOUT");
        assertThat(http.ends()).isTrue();
      }
    }
  }

  @Test
  void anAnswerToAnUnwantedBodyIsSeenBeforeTheConnectionEnds() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(claimHead() + "Content-Length: 900000\r\n\r\n" + " ".repeat(500_000));
      assertThat(http.answer().code()).isEqualTo("BODY_TOO_LARGE");
      http.send(" ".repeat(100_000));
      assertThat(http.ends()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS * HTTP/1.1", "CONNECT h:443 HTTP/1.1", "GET version HTTP/1.1"})
  void aTargetThatIsNoPathIsNowhere(String line) throws Exception {
    try (RawHttp http = API.connect()) {
      assertThat(http.send(line + "\r\nHost: h\r\n\r\n").answer().code())
          .isEqualTo("NO_SUCH_ROUTE");
    }
  }

  @Test
  void aTargetMayBeAbsolute() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send("GET http://h/version?x HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(http.answer().code()).isEqualTo("INVALID_REQUEST");
      http.send("GET http://h/version HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void aPathThatCannotBeDecodedIsMalformed() throws Exception {
    try (RawHttp http = API.connect()) {
      http.send("GET /v1/leases/%zz HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(400);
    }
  }

  @Test
  void whoLeavesItsAnswersUnreadIsNotServedMore() throws Exception {
    int asked = 1_000;
    String get = "GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n";
    try (RawHttp http = API.connect()) {
      http.send(get.repeat(asked));
      AtomicLong before = new AtomicLong();
      Awaitility.await()
          .pollInterval(Duration.ofMillis(300))
          .until(() -> served() > 0 && before.getAndSet(served()) == served());
      assertThat(served()).isLessThan(asked / 2);
      for (int i = 0; i < asked; i++) {
        assertThat(http.answer().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aConnectionIsKeptIdleForAMinuteAndSpeaksNothingButHttpOne() {
    HttpServerOptions options = ApiVerticle.options();
    assertThat(options.getIdleTimeout()).isEqualTo(60);
    assertThat(options.getIdleTimeoutUnit()).isEqualTo(TimeUnit.SECONDS);
    assertThat(options.isHttp2ClearTextEnabled()).isFalse();
    assertThat(options.isCompressionSupported()).isFalse();
    assertThat(options.isHandle100ContinueAutomatically()).isFalse();
  }

  private static long served() {
    return API
        .meters
        .registry()
        .find("http.server.requests")
        .tag("route", "/openapi.json")
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  private static String claimHead() {
    return POST
        + "Content-Type: application/json\r\n"
        + "Authorization: Bearer "
        + LiveApi.TOKEN
        + "\r\nIdempotency-Key: 019a2f4e-8a00-7b11-8c22-d3e4f5061728\r\n";
  }
}
