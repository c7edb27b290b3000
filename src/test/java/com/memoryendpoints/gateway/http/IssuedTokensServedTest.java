package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.auth.BearerToken;
import com.memoryendpoints.gateway.auth.Register;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that wait while their token is looked up: nothing of them is lost or out of turn. */
@Timeout(60)
class IssuedTokensServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);
  @RegisterExtension static final LiveApi WITHOUT = LiveApi.without();

  private static final UUID TENANT = new UUID(9, 9);
  private static final String JSON = "Content-Type: application/json";
  private static Register register;

  @BeforeAll
  static void ready() throws Exception {
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri());
    register = new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
    register.createTenant(TENANT, "tenant");
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  /** One that this event loop has not seen. */
  private static String fresh() throws Exception {
    Caller caller = new Caller(TENANT, "crawler");
    return bearer(register.createToken(caller, EnumSet.allOf(Scope.class), null));
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static String memory() {
    UUID id = Generators.timeBasedEpochGenerator().generate();
    return "{\"memory_instance_id\":\"" + id + "\"}";
  }

  @Test
  void pipelinedRequestsWithBodiesAreServedInTurn() throws Exception {
    try (RawHttp http = API.connect()) {
      for (int i = 0; i < 5; i++) {
        http.send("POST", "/v1/memories", List.of(fresh(), JSON), memory());
      }
      http.send("GET", "/v1/memories?limit=2", List.of(fresh()), "");
      for (int i = 0; i < 5; i++) {
        assertThat(http.answer().status()).isEqualTo(201);
      }
      assertThat(http.answer().json().path("items")).hasSize(2);
    }
  }

  @Test
  void aBodyThatComesInPiecesIsReadWhole() throws Exception {
    String body = memory();
    try (RawHttp http = API.connect()) {
      http.send("POST /v1/memories HTTP/1.1\r\nHost: h\r\n" + fresh() + "\r\n" + JSON);
      http.send("\r\nTransfer-Encoding: chunked\r\n\r\n");
      http.send("5\r\n" + body.substring(0, 5) + "\r\n");
      http.send(Integer.toHexString(body.length() - 5) + "\r\n" + body.substring(5) + "\r\n");
      http.send("0\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(201);
    }
  }

  @Test
  void whoWaitsToBeToldToContinueIsToldOnceKnown() throws Exception {
    String body = memory();
    try (RawHttp http = API.connect()) {
      String head = "POST /v1/memories HTTP/1.1\r\nHost: h\r\n" + fresh() + "\r\n" + JSON;
      http.send(head + "\r\nExpect: 100-continue\r\nContent-Length: " + body.length());
      http.send("\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(100);
      assertThat(http.send(body).answer().status()).isEqualTo(201);
    }
  }

  @Test
  void aStreamOfIdentifiersIsLoadedWhole() throws Exception {
    String many =
        IntStream.range(0, 25_000)
            .mapToObj(i -> "\"id-" + i + "\"")
            .collect(Collectors.joining(","));
    try (RawHttp http = API.connect()) {
      http.send("PUT", "/v1/pools/stream", List.of(fresh(), JSON), "{}");
      assertThat(http.answer().status()).isEqualTo(201);
      List<String> headers = List.of(fresh(), JSON);
      http.send("POST", "/v1/pools/stream/identifiers", headers, "[" + many + "]");
      assertThat(http.answer().body()).isEqualTo("{\"inserted\":25000,\"duplicates\":0}");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 15_000})
  void aTokenThatIsNotGoodLeavesTheConnectionUsable(int bytes) throws Exception {
    try (RawHttp http = API.connect()) {
      String unknown = bearer(BearerToken.mint());
      http.send("POST", "/v1/memories", List.of(unknown, JSON), "x".repeat(bytes));
      http.send("GET", "/v1/memories", List.of(fresh()), "");
      Answer refused = http.answer();
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.headers())
          .containsEntry("www-authenticate", "Bearer realm=\"leases\", error=\"invalid_token\"");
      assertThat(http.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void withoutADatabaseAnUnknownTokenIsUnavailableAndAConfiguredOneIsServed() throws Exception {
    try (RawHttp http = WITHOUT.connect()) {
      String path = "/v1/names/canonicalize";
      String body = "{\"display_name\":\"Blue Heron\"}";
      Answer unknown =
          http.send("POST", path, List.of(bearer(BearerToken.mint()), JSON), body).answer();
      assertThat(unknown.code()).isEqualTo("UNAVAILABLE");
      assertThat(unknown.headers().get("retry-after")).matches("[1-9][0-9]*");
      String wrong = bearer(BearerToken.mint() + "x");
      assertThat(http.send("POST", path, List.of(wrong, JSON), body).answer().status())
          .isEqualTo(401);
      String configured = bearer(LiveApi.TOKEN);
      assertThat(http.send("POST", path, List.of(configured, JSON), body).answer().status())
          .isEqualTo(200);
    }
  }
}
