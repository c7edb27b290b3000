package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario 38: HTTP that is not well-formed, byte by byte. Every answer is a problem, then the end,
 * and the request that would have come next is never executed.
 */
@Timeout(60)
class FramingTest {
  private static final String POST = "POST /v1/leases HTTP/1.1\r\nHost: h\r\n";
  private static final String NEXT = "GET /version HTTP/1.1\r\nHost: h\r\n\r\n";

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  /** What the request that nobody may execute would register. */
  private final UUID memory = Generators.timeBasedEpochGenerator().generate();

  @BeforeAll
  static void ready() {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  record Bad(String why, String bytes, int status, String code) {}

  static Stream<Bad> badRequests() {
    return Stream.of(malformedHeads(), malformedBodies(), disguised(), tooLong())
        .flatMap(List::stream);
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

  /** Framing that another server on the way may not see, or may see where there is none. */
  private static List<Bad> disguised() {
    String coding = "Transfer-Encoding: chunked\r\n";
    String none = "\r\n0\r\n\r\n";
    return List.of(
        malformed("folded coding", POST + "Transfer-Encoding:\r\n chunked\r\n" + none),
        malformed("coding folded by a tab", POST + "Transfer-Encoding:\r\n\tchunked\r\n" + none),
        malformed("coding with an empty fold", POST + coding + " \r\n" + none),
        malformed("coding with a fold", POST + coding + " , chunked\r\n" + none),
        malformed("coding in two fields", POST + coding + coding + none),
        otherCoding("codings in two fields", POST + coding + "Transfer-Encoding: x\r\n" + none),
        malformed("space after coding", POST + "Transfer-Encoding : chunked\r\n" + none),
        malformed("tab after coding", POST + "Transfer-Encoding\t: chunked\r\n" + none),
        malformed(
            "coding behind a space",
            "POST /v1/leases HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: h\r\n" + none),
        malformed(
            "host behind a space",
            "POST /v1/leases HTTP/1.1\r\n Host: h\r\nTransfer-Encoding: chunked\r\n" + none),
        malformed("folded length", POST + "Content-Length:\r\n 1\r\n\r\na"),
        malformed("length with a fold", POST + "Content-Length: 1\r\n 0\r\n\r\na"),
        malformed("length with an empty fold", POST + "Content-Length: 1\r\n \r\n\r\na"),
        malformed("space after length", POST + "Content-Length : 1\r\n\r\na"),
        malformed("no length", POST + "Content-Length:\r\n\r\n"),
        malformed("hexadecimal length", POST + "Content-Length: 0x1\r\n\r\na"),
        malformed("a length twice", POST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
        malformed("a length listed twice", POST + "Content-Length: 1, 1\r\n\r\na"));
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
      RawHttp.Answer answer = http.send(bad.bytes() + registration()).answer();
      assertThat(answer.status()).isEqualTo(bad.status());
      assertThat(answer.code()).isEqualTo(bad.code());
      assertThat(answer.headers())
          .containsEntry("content-type", "application/problem+json")
          .containsEntry("cache-control", "no-store")
          .containsEntry("connection", "close");
      assertThat(http.ends()).isTrue();
    }
    assertNothingExecuted();
  }

  @ParameterizedTest
  @MethodSource("badRequests")
  void whatIsFramedBadlyBehindAGoodRequestIsAnsweredInItsTurn(Bad bad) throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(NEXT + bad.bytes() + registration());
      assertThat(http.answer().status()).isEqualTo(200);
      assertThat(http.answer().status()).isEqualTo(bad.status());
      assertThat(http.ends()).isTrue();
    }
    assertNothingExecuted();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n",
        "1\r\naX\r\n",
        "1;a=\n\r\na\r\n",
        "-1\r\n",
        "fffffffff\r\n",
        "\r\n0\r\n\r\n",
        "0x1\r\na\r\n0\r\n\r\n",
        "1\na\r\n0\r\n\r\n",
        "1\ra\r\n0\r\n\r\n",
        "1\r\na\n0\r\n\r\n",
        "1\r\na\r0\r\n\r\n",
        "0\n\r\n",
        "0\r\n\n",
        "0\r\na: b\n\r\n",
        "0\r\na b: c\r\n\r\n",
        "0\r\na : b\r\n\r\n",
        "0\r\n: b\r\n\r\n",
        "0\r\na: \0\r\n\r\n",
        "0\r\nab\r\n\r\n"
      })
  void aBadChunkIsAProblemAndNothingAfterItIsServed(String chunk) throws Exception {
    try (RawHttp http = API.connect()) {
      http.send(authorized() + "Transfer-Encoding: chunked\r\n\r\n" + chunk + registration());
      RawHttp.Answer answer = http.answer();
      assertThat(answer.code()).isEqualTo("MALFORMED_REQUEST");
      assertThat(http.ends()).isTrue();
    }
    assertNothingExecuted();
  }

  /** Fields that frame a message do not frame what follows a body, wherever else they stand. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Trailer: t\r\n",
        "Content-Length: 50\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Host: other\r\n",
        "a: b\r\n Content-Length: 50\r\n"
      })
  void whatIsBehindATrailerIsTheNextRequest(String trailer) throws Exception {
    try (RawHttp http = API.connect()) {
      String chunks = "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\n";
      http.send(authorized() + chunks + trailer + "\r\n" + registration());
      assertThat(http.answer().status()).isEqualTo(201);
      assertThat(http.answer().status()).isEqualTo(201);
    }
    assertThat(executed()).isOne();
  }

  /** The head of a registration, without the field that frames its body. */
  private static String authorized() {
    return "POST /v1/memories HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer "
        + LiveApi.TOKEN
        + "\r\n";
  }

  /** A request that leaves its mark in the database. */
  private String registration() {
    String body = "{\"memory_instance_id\":\"" + memory + "\"}";
    return authorized() + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  /** No answer is no proof: whoever smuggles has no need of one. */
  private void assertNothingExecuted() {
    Awaitility.await().until(() -> API.meters.requestsInFlight().sum() == 0);
    assertThat(executed()).isZero();
  }

  private long executed() {
    return (Long)
        DATABASE.value("SELECT count(*) FROM memory_instances WHERE memory_id = ?", memory);
  }
}
