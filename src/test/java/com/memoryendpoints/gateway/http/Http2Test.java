package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.RawHttp2.HEADERS;
import static com.memoryendpoints.gateway.http.RawHttp2.PING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import com.memoryendpoints.gateway.config.ClientAuth;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2, frame by frame: what holds on an HTTP/1 connection holds on a stream. */
@Timeout(90)
class Http2Test {
  private static final long NO_ERROR = 0;
  private static final long PROTOCOL_ERROR = 1;
  private static final long REFUSED_STREAM = 7;
  private static final long ENHANCE_YOUR_CALM = 11;

  @TempDir private static Path folder;
  private static Identity server;
  private static LiveApi api;

  @BeforeAll
  static void start() throws Exception {
    server = TestCertificates.make(folder, "server");
    api = LiveApi.without().with(tls(server));
    api.beforeAll(null);
  }

  @AfterAll
  static void end() throws Exception {
    api.afterAll(null);
  }

  static Config.Tls tls(Identity server) {
    return new Config.Tls(
        server.certificate(), server.privateKey(), null, null, ClientAuth.NONE, null, 1);
  }

  private static RawHttp2 connect() throws Exception {
    return new RawHttp2(server.trustedBy(null), api.port(), true);
  }

  @AfterEach
  void othersAreServed() throws Exception {
    try (RawHttp2 http = connect()) {
      assertServed(http, 1);
    }
  }

  private static void assertServed(RawHttp2 http, int stream) throws Exception {
    http.head(stream, true, "GET", "/version");
    assertThat(http.answer(stream).status()).isEqualTo(200);
  }

  private static RawHttp2 claim(RawHttp2 http, int stream, String... more) throws Exception {
    return post(http, stream, "/v1/leases", more);
  }

  private static RawHttp2 post(RawHttp2 http, int stream, String target, String... more)
      throws Exception {
    List<String> fields = new ArrayList<>();
    fields.addAll(List.of("content-type", "application/json"));
    fields.addAll(List.of("authorization", "Bearer " + LiveApi.TOKEN));
    fields.addAll(List.of("idempotency-key", "019a2f4e-8a00-7b11-8c22-d3e4f5061728"));
    fields.addAll(List.of(more));
    return http.head(stream, false, "POST", target, fields.toArray(String[]::new));
  }

  record Bad(String why, String target, List<String> fields, int status, String code) {}

  static Stream<Bad> badHeads() {
    List<String> many = new ArrayList<>();
    for (int i = 0; i <= Limits.HEADER_FIELDS_MAX; i++) {
      many.addAll(List.of("a", "b"));
    }
    return Stream.of(
        new Bad("fields", "/version", many, 431, "HEADER_FIELDS_TOO_LARGE"),
        new Bad(
            "bytes", "/version", List.of("a", "b".repeat(17_000)), 431, "HEADER_FIELDS_TOO_LARGE"),
        new Bad("target", "/" + "a".repeat(8192), List.of(), 414, "URI_TOO_LONG"),
        new Bad(
            "tokens",
            "/v1/leases",
            List.of("authorization", "Bearer a", "authorization", "Bearer b"),
            400,
            "MALFORMED_REQUEST"),
        new Bad("route", "/nowhere", List.of(), 404, "NO_SUCH_ROUTE"),
        new Bad("path", "/v1/leases/%zz", List.of(), 400, "MALFORMED_REQUEST"),
        new Bad("token", "/v1/leases", List.of(), 401, "UNAUTHENTICATED"));
  }

  @ParameterizedTest
  @MethodSource("badHeads")
  void aBadHeadIsAProblemAndTheOtherStreamsGoOn(Bad bad) throws Exception {
    try (RawHttp2 http = connect()) {
      http.head(1, true, "GET", bad.target(), bad.fields().toArray(String[]::new));
      RawHttp2.Answer answer = http.answer(1);
      assertThat(answer.status()).isEqualTo(bad.status());
      assertThat(answer.code()).isEqualTo(bad.code());
      assertThat(answer.headers)
          .containsEntry("content-type", "application/problem+json")
          .containsEntry("cache-control", "no-store")
          .doesNotContainKey("connection");
      assertServed(http, 3);
    }
  }

  @Test
  void fiftyFieldsAndATargetOfEightKibibytesAreServed() throws Exception {
    try (RawHttp2 http = connect()) {
      String[] fields = new String[2 * Limits.HEADER_FIELDS_MAX];
      Arrays.fill(fields, "a");
      http.head(1, true, "GET", "/version", fields);
      assertThat(http.answer(1).status()).isEqualTo(200);
      http.head(3, true, "GET", "/" + "a".repeat(8191));
      assertThat(http.answer(3).code()).isEqualTo("NO_SUCH_ROUTE");
    }
  }

  @Test
  void aHeadLongerThanAnyIsRefusedByTheCodecAndOneWithoutEndEndsTheConnection() throws Exception {
    try (RawHttp2 http = connect()) {
      http.head(1, true, "GET", "/version", "a", "b".repeat(36_000));
      assertThat(http.answer(1).status()).isEqualTo(431);
      assertServed(http, 3);
      assertThatThrownBy(
              () -> http.head(5, true, "GET", "/version", "a", "b".repeat(80_000)).answer(5))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void headIsAnsweredWithoutABody() throws Exception {
    try (RawHttp2 http = connect()) {
      RawHttp2.Answer answer = http.head(1, true, "HEAD", "/version").answer(1);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
      assertThat(Integer.parseInt(answer.headers.get("content-length"))).isPositive();
    }
  }

  @Test
  void aBodyIsReadWithItsLengthAndWithout() throws Exception {
    try (RawHttp2 http = connect()) {
      claim(http, 1, "content-length", "2").body(1, true, "{}");
      assertThat(http.answer(1).code()).isEqualTo("INVALID_REQUEST");
      claim(http, 3).body(3, false, "{").body(3, true, "}");
      assertThat(http.answer(3).code()).isEqualTo("INVALID_REQUEST");
      claim(http, 5, "content-encoding", "gzip").body(5, true, "{}");
      assertThat(http.answer(5).status()).isEqualTo(415);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedAndNotReadOn() throws Exception {
    String part = " ".repeat(10_000);
    try (RawHttp2 http = connect()) {
      claim(http, 1, "content-length", "900000").body(1, false, part);
      assertThat(http.answer(1).code()).isEqualTo("BODY_TOO_LARGE");
      assertThat(http.resetOf(1)).isEqualTo(NO_ERROR);
      claim(http, 3).body(3, false, part).body(3, false, part);
      assertThat(http.answer(3).code()).isEqualTo("BODY_TOO_LARGE");
      assertThat(http.resetOf(3)).isEqualTo(NO_ERROR);
      assertServed(http, 5);
    }
  }

  @Test
  void aBodyOfAnotherLengthThanItsHeadSaysIsAnErrorOfItsStream() throws Exception {
    try (RawHttp2 http = connect()) {
      claim(http, 1, "content-length", "1").body(1, true, "{}");
      assertThat(http.resetOf(1)).isEqualTo(PROTOCOL_ERROR);
      claim(http, 3, "content-length", "3").body(3, true, "{}");
      assertThat(http.resetOf(3)).isEqualTo(PROTOCOL_ERROR);
      assertServed(http, 5);
    }
  }

  @Test
  void aBodyThatDoesNotArriveIsCutAndItsConnectionIsNot() throws Exception {
    try (RawHttp2 http = connect()) {
      claim(http, 1, "content-length", "10").body(1, false, "{");
      assertServed(http, 3);
      RawHttp2.Answer answer = http.answer(1);
      assertThat(answer.status()).isEqualTo(408);
      assertThat(answer.code()).isEqualTo("REQUEST_TIMEOUT");
      assertThat(http.resetOf(1)).isEqualTo(NO_ERROR);
      assertServed(http, 5);
    }
  }

  @Test
  void aHeadThatDoesNotArriveEndsItsConnection() throws Exception {
    try (RawHttp2 http = connect()) {
      assertServed(http, 1);
      // By then the settings are acknowledged: what comes next comes alone.
      assertServed(http, 3);
      http.frame(HEADERS, 0, 5, RawHttp2.block("GET", "/version"));
      assertThat(http.end()).isNotNegative();
    }
  }

  @Test
  void whoSendsNothingButPingsIsNotCutShort() throws Exception {
    try (RawHttp2 http = connect()) {
      assertServed(http, 1);
      http.frame(PING, 0, 0, new byte[8]);
      try (RawHttp2 other = connect()) {
        claim(other, 1, "content-length", "10");
        assertThat(other.answer(1).status()).isEqualTo(408);
      }
      assertServed(http, 3);
    }
  }

  @Test
  void moreStreamsThanAreAllowedAreRefused() throws Exception {
    try (RawHttp2 http = connect()) {
      assertServed(http, 1);
      int last = 1 + 2 * (Limits.STREAMS_MAX + 1);
      for (int stream = 3; stream <= last; stream += 2) {
        claim(http, stream);
      }
      assertThat(http.resetOf(last)).isEqualTo(REFUSED_STREAM);
    }
  }

  @Test
  void theBodiesOfOneConnectionTogetherAreBounded() throws Exception {
    String part = " ".repeat(15_000);
    int fit = Limits.KEPT_BODIES_BYTES_MAX / (4 * part.length());
    try (RawHttp2 http = connect()) {
      int stream = 1;
      for (int i = 0; i <= fit; i++, stream += 4) {
        post(http, stream, "/v1/leases/batch");
        for (int j = 0; j < 4; j++) {
          http.body(stream, false, part);
        }
        // Once this is answered the window of the connection is open again.
        assertServed(http, stream + 2);
      }
      assertThat(http.answer(stream - 4).code()).isEqualTo("OVERLOADED");
      assertThat(http.resetOf(stream - 4)).isEqualTo(NO_ERROR);
      http.reset(1);
      post(http, stream, "/v1/leases/batch").body(stream, true, "{}");
      assertThat(http.answer(stream).code()).isEqualTo("INVALID_REQUEST");
    }
  }

  @Test
  void whoResetsStreamAfterStreamIsSentAway() throws Exception {
    try (RawHttp2 http = connect()) {
      for (int i = 0; i <= Limits.STREAM_RESETS_MAX; i++) {
        claim(http, 1 + 2 * i).reset(1 + 2 * i);
      }
      assertThat(http.end()).isEqualTo(ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void whoLeavesItsAnswersUnreadIsNotServedMore() throws Exception {
    // The first answer waits for the page to be read, and others would be let in meanwhile.
    try (RawHttp2 http = connect()) {
      http.head(1, true, "GET", "/openapi.json");
      assertThat(http.answer(1).status()).isEqualTo(200);
    }
    try (RawHttp2 http = new RawHttp2(server.trustedBy(null), api.port(), false)) {
      int stream = 1;
      for (; stream < 2 * Limits.STREAMS_MAX - 1; stream += 2) {
        http.head(stream, true, "GET", "/openapi.json");
      }
      assertThat(http.resetOf(stream - 2)).isEqualTo(REFUSED_STREAM);
    }
  }

  @Test
  void withoutAnAuthorityNothingIsServed() throws Exception {
    try (RawHttp2 http = connect()) {
      http.head(1, true, "CONNECT", "/version");
      assertThat(http.resetOf(1)).isPositive();
      assertServed(http, 3);
    }
  }
}
