package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP that is not well-formed, byte by byte: every answer is a problem, then the end. */
@Timeout(60)
class WireTest {
  private static final String POST = "POST /v1/leases HTTP/1.1\r\nHost: h\r\n";
  private static final String NEXT = "GET /version HTTP/1.1\r\nHost: h\r\n\r\n";

  @RegisterExtension static final LiveApi API = LiveApi.without();

  record Bad(String why, String bytes, int status, String code) {}

  static Stream<Bad> badRequests() {
    return Stream.of(malformedHeads(), malformedBodies(), tooLong()).flatMap(List::stream);
  }

  private static Bad malformed(String why, String bytes) {
    return new Bad(why, bytes, 400, "MALFORMED_REQUEST");
  }

  private static Bad otherCoding(String why, String bytes) {
    return new Bad(why, bytes, 501, "NOT_IMPLEMENTED");
  }

  private static Bad longTarget(String why, String bytes) {
    return new Bad(why, bytes, 414, "URI_TOO_LONG");
  }

  private static Bad manyFields(String why, String bytes) {
    return new Bad(why, bytes, 431, "HEADER_FIELDS_TOO_LARGE");
  }

  private static List<Bad> malformedHeads() {
    return List.of(
        malformed("no request", "hello\r\n\r\n"),
        malformed("no version", "GET /version\r\nHost: h\r\n\r\n"),
        malformed("version", "GET / HTTP/9.9\r\nHost: h\r\n\r\n"),
        malformed("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        malformed("no host", "GET /version HTTP/1.1\r\n\r\n"),
        malformed("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        malformed("field name", "GET / HTTP/1.1\r\nHost: h\r\na b: c\r\n\r\n"),
        malformed("space", "GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
        malformed("no field name", "GET / HTTP/1.1\r\nHost: h\r\n: b\r\n\r\n"),
        malformed("bare LF", "GET /version HTTP/1.1\nHost: h\n\n"),
        malformed("bare LF in a field", "GET / HTTP/1.1\r\nHost: h\na: b\r\n\r\n"),
        malformed("bare CR", "GET / HTTP/1.1\r\nHost: h\r\na: b\rc: d\r\n\r\n"),
        malformed("NUL", "GET / HTTP/1.1\r\nHost: h\r\na: \0\r\n\r\n"),
        malformed(
            "two tokens", POST + "Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n"));
  }

  private static List<Bad> malformedBodies() {
    return List.of(
        malformed("length", POST + "Content-Length: x\r\n\r\n"),
        malformed("sign", POST + "Content-Length: +1\r\n\r\na"),
        malformed("two lengths", POST + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        malformed(
            "length and coding",
            POST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        malformed(
            "coding and length",
            POST + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"),
        otherCoding("gzip", POST + "Transfer-Encoding: gzip\r\n\r\n"),
        otherCoding("gzip, chunked", POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        otherCoding("identity", POST + "Transfer-Encoding: identity\r\n\r\n"),
        malformed("vertical tab", POST + "Transfer-Encoding: \u000bchunked\r\n\r\n"),
        otherCoding("chunked, gzip", POST + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
        otherCoding("xchunked", POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        malformed("equal lengths", POST + "Content-Length: 1, 2\r\n\r\na"),
        malformed("chunked twice", POST + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        malformed(
            "coding in HTTP/1.0",
            "POST /v1/leases HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
  }

  private static List<Bad> tooLong() {
    return List.of(
        longTarget("long target", "GET /" + "a".repeat(8192) + " HTTP/1.1\r\nHost: h\r\n\r\n"),
        longTarget("longer target", "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: h\r\n\r\n"),
        manyFields(
            "51 fields", "GET /version HTTP/1.1\r\nHost: h\r\n" + "a: b\r\n".repeat(50) + "\r\n"),
        manyFields(
            "long field",
            "GET /version HTTP/1.1\r\nHost: h\r\na: " + "b".repeat(17_000) + "\r\n\r\n"),
        manyFields(
            "many bytes",
            "GET / HTTP/1.1\r\nHost: h\r\n"
                + ("a: " + "b".repeat(995) + "\r\n").repeat(17)
                + "\r\n"));
  }

  @ParameterizedTest
  @MethodSource("badRequests")
  void whatIsFramedBadlyIsAProblemAndNothingAfterItIsServed(Bad bad) throws Exception {
    try (RawHttp http = API.connect()) {
      RawHttp.Answer answer = http.send(bad.bytes() + NEXT).answer();
      assertThat(answer.status()).isEqualTo(bad.status());
      assertThat(answer.code()).isEqualTo(bad.code());
      assertThat(answer.headers())
          .containsEntry("content-type", "application/problem+json")
          .containsEntry("cache-control", "no-store")
          .containsEntry("connection", "close");
      assertThat(http.ends()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("badRequests")
  void whatIsFramedBadlyBehindAGoodRequestIsAnsweredInItsTurn(Bad bad) throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(NEXT + bad.bytes() + NEXT);
      assertThat(http.answer().status()).isEqualTo(200);
      assertThat(http.answer().status()).isEqualTo(bad.status());
      assertThat(http.ends()).isTrue();
    }
  }

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

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "1\r\naX\r\n", "1;a=\n\r\na\r\n", "-1\r\n", "fffffffff\r\n"})
  void aBadChunkIsAProblem(String chunk) throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(claimHead() + "Transfer-Encoding: chunked\r\n\r\n" + chunk + NEXT);
      RawHttp.Answer answer = http.answer();
      assertThat(answer.code()).isEqualTo("MALFORMED_REQUEST");
      assertThat(http.ends()).isTrue();
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
