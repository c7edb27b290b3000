package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call for pools against a real database, each answer held against the document. */
@Timeout(60)
class PoolsServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static OpenApi document;
  private static int pools;

  private final String pool = "/v1/pools/pool-" + pools++;

  @BeforeAll
  static void ready() throws Exception {
    document = new OpenApi();
    Awaitility.await().until(() -> API.ask("GET", "/v1/pools", null, "").status() == 200);
  }

  @Test
  void anIdentifierIsLoadedClaimedRenewedReleasedAndConsumed() throws Exception {
    Answer made = ask("PUT", "", "{\"max_attempts\":3}");
    assertThat(described("", "put", made, 201).path("max_attempts").asInt()).isEqualTo(3);
    assertThat(made.headers()).containsEntry("location", pool);
    assertThat(described("", "put", ask("PUT", "", "{}"), 200).has("max_attempts")).isFalse();
    JsonNode loaded = described("/identifiers", "post", ask("/identifiers", "[\"a\",\"b\",\"a\"]"));
    assertThat(loaded).hasToString("{\"inserted\":2,\"duplicates\":1}");

    String key = key();
    Answer claimed = API.ask("POST", pool + "/claim", key, "{\"owner_client_id\":\"me\"}");
    JsonNode hold = described("/claim", "post", claimed, 201).path("holds").path(0);
    assertThat(hold.path("identifier").asText()).isEqualTo("a");
    Answer replay =
        API.ask("POST", pool + "/claim", key, "{\"owner_client_id\":\"me\",\"count\":1}");
    assertThat(replay.status()).isEqualTo(200);
    assertThat(replay.body()).isEqualTo(claimed.body());
    assertThat(replay.headers()).containsEntry("idempotent-replayed", "true");

    JsonNode found = described("/identifiers/{identifier_id}", "get", find(hold));
    assertThat(found.path("state").asText()).isEqualTo("PENDING");
    described("/renew", "post", ask("/renew", token(hold)));
    described("/release", "post", ask("/release", token(hold)));
    described("/renew", "post", ask("/renew", token(hold)), 410);
    JsonNode next = claim(2).path("holds");
    assertThat(next).hasSize(2);
    Answer consumed = ask("/consume", token(next.path(0)));
    described("/consume", "post", consumed);
    assertThat(ask("/consume", token(next.path(0))).body()).isEqualTo(consumed.body());
    described("/release", "post", ask("/release", token(next.path(0))), 409);
    JsonNode counts = described("", "get", ask("GET", "", "")).path("counts");
    assertThat(counts).hasToString("{\"unused\":0,\"pending\":1,\"consumed\":1,\"dead\":0}");
  }

  @Test
  void aBatchAnswersItemByItem() throws Exception {
    ask("PUT", "", "{}");
    ask("/identifiers", "[\"a\",\"b\"]");
    JsonNode holds = claim(2).path("holds");
    String stranger = token(holds.path(1)).replaceAll("\\d+}$", "1}");
    String items = "{\"items\":[" + token(holds.path(0)) + "," + stranger + ",{}]}";
    JsonNode answers = described("/consume", "post", ask("/consume", items)).path("items");
    assertThat(answers.findValuesAsText("status").subList(0, 2)).containsExactly("200", "409");
    assertThat(answers.path(2).path("problem").path("errors").findValuesAsText("pointer"))
        .containsExactly("/items/2/identifier_id", "/items/2/fencing_token");
  }

  @Test
  void poolsAreListedPageByPageAndDeletedWhenTheyAreEmptyOrDrained() throws Exception {
    ask("PUT", "", "{}");
    ask("/identifiers", "[\"a\"]");
    JsonNode page =
        document.described("/v1/pools", "get", API.ask("GET", "/v1/pools?limit=1", null, ""));
    assertThat(page.path("items")).hasSize(1);
    assertThat(described("", "delete", ask("DELETE", "", ""), 409).path("code").asText())
        .isEqualTo("POOL_NOT_EMPTY");
    assertThat(ask("DELETE", "?drain=true", "").status()).isEqualTo(204);
    described("", "get", ask("GET", "", ""), 404);
    described("/claim", "post", API.ask("POST", pool + "/claim", key(), OWNER), 404);
  }

  private static final String OWNER = "{\"owner_client_id\":\"me\"}";

  @Test
  void anEmptyPoolSaysWhenToComeAgain() throws Exception {
    ask("PUT", "", "{}");
    ask("/identifiers", "[\"a\"]");
    claim(1);
    Answer exhausted = API.ask("POST", pool + "/claim", key(), OWNER);
    assertThat(described("/claim", "post", exhausted, 409).path("code").asText())
        .isEqualTo("POOL_EXHAUSTED");
    assertThat(Integer.parseInt(exhausted.headers().get("retry-after"))).isBetween(1, 31);
  }

  @Test
  void aPoolThatIsMadeWhileOthersDeleteItIsThere() throws Exception {
    Thread deleting =
        new Thread(
            () -> {
              try (RawHttp http = API.connect()) {
                for (int i = 0; i < 150; i++) {
                  http.send("DELETE", pool, List.of("Authorization: Bearer " + LiveApi.TOKEN), "")
                      .answer(true);
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    deleting.start();
    for (int i = 0; i < 150; i++) {
      assertThat(ask("PUT", "", "{}").status()).isIn(200, 201, 503);
    }
    deleting.join();
  }

  @Test
  void aThousandIdentifiersAreRedrivenTogetherAndNoMore() throws Exception {
    ask("PUT", "", "{}");
    for (int count : List.of(1_000, 1_001)) {
      String ids =
          IntStream.range(0, count)
              .mapToObj(n -> "\"" + key() + "\"")
              .collect(Collectors.joining(","));
      Answer answer = ask("/redrive", "{\"identifier_ids\":[" + ids + "]}");
      described("/redrive", "post", answer, count > 1_000 ? 422 : 200);
    }
  }

  /** A connection that is not heard any more is closed, and says so: nobody waits on it. */
  @ParameterizedTest
  @ValueSource(strings = {"[1]", "[\"a\",\"b\",]", "[\"a\"] x"})
  void aLoadThatIsRefusedLeavesNoDeadConnection(String body) throws Exception {
    ask("PUT", "", "{}");
    List<String> headers =
        List.of("Authorization: Bearer " + LiveApi.TOKEN, "Content-Type: application/json");
    try (RawHttp http = API.connect()) {
      Answer refused = http.send("POST", pool + "/identifiers", headers, body).answer();
      assertThat(refused.status()).isEqualTo(422);
      if ("close".equals(refused.headers().get("connection"))) {
        assertThat(http.ends()).isTrue();
      } else {
        assertThat(http.send("GET", pool, headers, "").answer().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void oneTenantsLoadsKeepNobodyElsesOut() throws Exception {
    ask("PUT", "", "{}");
    List<RawHttp> halves = new ArrayList<>();
    try {
      for (int i = 0; i < Limits.POOL_LOADS_PER_TENANT_MAX; i++) {
        RawHttp half = API.connect();
        halves.add(half);
        half.send(
            ("POST %s/identifiers HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n[")
                .formatted(pool, LiveApi.TOKEN));
      }
      Awaitility.await().until(() -> ask("/identifiers", "[\"a\"]").status() == 503);
      List<String> headers =
          List.of("Authorization: Bearer " + LiveApi.STRANGER, "Content-Type: application/json");
      try (RawHttp other = API.connect()) {
        other.send("PUT", pool, headers, "{}").answer();
        Answer loaded = other.send("POST", pool + "/identifiers", headers, "[\"a\"]").answer();
        assertThat(loaded.status()).isEqualTo(200);
      }
    } finally {
      for (RawHttp half : halves) {
        half.close();
      }
    }
    Awaitility.await().until(() -> ask("/identifiers", "[\"a\"]").status() == 200);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "1001", "1.5", "\"1\"", "null", "18446744073709551658"})
  void aCountThatIsNoneTakesNothing(String count) throws Exception {
    ask("PUT", "", "{}");
    ask("/identifiers", "[\"a\"]");
    String body = "{\"owner_client_id\":\"me\",\"count\":" + count + "}";
    Answer refused = API.ask("POST", pool + "/claim", key(), body);
    JsonNode problem = described("/claim", "post", refused, 422);
    assertThat(problem.at("/errors/0/pointer").asText()).isEqualTo("/count");
    assertThat(described("", "get", ask("GET", "", "")).at("/counts/unused").asInt()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Upper", ".dot", "-x", "a%20b", "%C3%A9", "a%00"})
  void aPoolCannotBeCalledAnything(String name) throws Exception {
    Answer refused = API.ask("PUT", "/v1/pools/" + name, null, "{}");
    assertThat(described("", "put", refused, 422).at("/errors/0/pointer").asText())
        .isEqualTo("/pool");
  }

  @Test
  void anotherPoolsIdentifierIsNotFound() throws Exception {
    ask("PUT", "", "{}");
    ask("/identifiers", "[\"a\"]");
    JsonNode hold = claim(1).path("holds").path(0);
    API.ask("PUT", "/v1/pools/another", null, "{}");
    Answer refused = API.ask("POST", "/v1/pools/another/consume", null, token(hold));
    assertThat(refused.code()).isEqualTo("IDENTIFIER_NOT_FOUND");
    assertThat(find("/v1/pools/another", "nonsense").code()).isEqualTo("IDENTIFIER_NOT_FOUND");
  }

  @Test
  void linesAreLoadedInPartsAsTheyCome() throws Exception {
    ask("PUT", "", "{}");
    String lines =
        IntStream.range(0, 25_000)
            .mapToObj(n -> "\"id-" + n + "\"\n")
            .collect(Collectors.joining());
    assertThat(described("/identifiers", "post", load(lines)))
        .hasToString("{\"inserted\":25000,\"duplicates\":0}");
    assertThat(described("/identifiers", "post", load(lines)))
        .hasToString("{\"inserted\":0,\"duplicates\":25000}");
    assertThat(claim(2).path("holds").findValuesAsText("identifier"))
        .containsExactly("id-0", "id-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "17",
        "\"a\" \"b\"",
        "\"a",
        "a",
        "[\"a\"]",
        "\"a\\u0000\"",
        "\"\\ud800\"",
        "\"a\"x",
        "null",
        "{}"
      })
  void aBadLineIsNamedAndItsPartIsNotLoaded(String bad) throws Exception {
    ask("PUT", "", "{}");
    JsonNode problem =
        described("/identifiers", "post", load("\"one\"\n\n" + bad + "\n\"x\"\n"), 422);
    assertThat(problem.path("line").asInt()).isEqualTo(3);
    assertThat(problem.path("inserted").asInt()).isZero();
    assertNothingLoaded();
  }

  @Test
  void aLineThatIsTooLongIsNamed() throws Exception {
    ask("PUT", "", "{}");
    String longest = "\"" + "\uD83E\uDD16".repeat(255) + "\"\n";
    assertThat(described("/identifiers", "post", load(longest)).path("inserted").asInt()).isOne();
    for (String bad : List.of("\"" + "a".repeat(256) + "\"", "\"" + "a".repeat(100_000))) {
      JsonNode problem = described("/identifiers", "post", load("\"one\"\n" + bad), 422);
      assertThat(problem.path("line").asInt()).isEqualTo(2);
      assertThat(problem.at("/errors/0/code").asText()).isEqualTo("OUT_OF_RANGE");
    }
  }

  @Test
  void whatCameInPartsBeforeABadLineStaysAndIsTold() throws Exception {
    ask("PUT", "", "{}");
    String lines =
        IntStream.range(0, 10_005)
            .mapToObj(n -> "\"id-" + n + "\"\n")
            .collect(Collectors.joining());
    JsonNode problem = described("/identifiers", "post", load(lines + "oops\n"), 422);
    assertThat(problem.path("line").asInt()).isEqualTo(10_006);
    assertThat(problem.path("inserted").asInt()).isEqualTo(10_000);
    assertThat(described("", "get", ask("GET", "", "")).at("/counts/unused").asInt())
        .isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{}", "[\"a\",", "[\"a\"] x", "[\"a\",1]", "[[\"a\"]]", "\"a\"", "[\"a\"][]"})
  void whatIsNoArrayOfStringsIsRefused(String body) throws Exception {
    ask("PUT", "", "{}");
    described("/identifiers", "post", ask("/identifiers", body), 422);
    assertNothingLoaded();
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() throws Exception {
    ask("PUT", "", "{}");
    for (String bytes : List.of("\u00ED\u00A0\u0080", "\u00C1\u0081", "\u00FF", "\u00E2\u0082")) {
      String body = "\"one\"\n\"" + bytes + "\"\n";
      try (RawHttp http = API.connect()) {
        String head = head("application/x-ndjson") + "Content-Length: " + body.length();
        described("/identifiers", "post", http.send(head + "\r\n\r\n" + body).answer(), 422);
      }
    }
    assertNothingLoaded();
  }

  @Test
  void aBodyThatIsCutOffLeavesNothingOfItsPart() throws Exception {
    ask("PUT", "", "{}");
    try (RawHttp http = API.connect()) {
      http.send(head("application/x-ndjson") + "Content-Length: 1000\r\n\r\n\"one\"\n\"two");
    }
    try (RawHttp http = API.connect()) {
      http.send(head("application/x-ndjson") + "Transfer-Encoding: chunked\r\n\r\n");
      http.send("6\r\n\"one\"\n\r\n");
    }
    assertNothingLoaded();
  }

  @Test
  void aBodyOfAnotherTypeOrForNoPoolIsRefused() throws Exception {
    try (RawHttp http = API.connect()) {
      Answer refused = http.send(head("text/csv") + "Content-Length: 2\r\n\r\na\n").answer();
      described("/identifiers", "post", refused, 415);
      assertThat(refused.headers())
          .containsEntry("accept", "application/x-ndjson, application/json");
    }
    described("/identifiers", "post", load("\"one\"\n"), 404);
  }

  private String head(String type) {
    return "POST "
        + pool
        + "/identifiers HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer "
        + LiveApi.TOKEN
        + "\r\nContent-Type: "
        + type
        + "\r\n";
  }

  private Answer load(String lines) throws Exception {
    byte[] utf8 = lines.getBytes(StandardCharsets.UTF_8);
    try (RawHttp http = API.connect()) {
      String head = head("application/x-ndjson") + "Content-Length: " + utf8.length + "\r\n\r\n";
      return http.send(head + new String(utf8, StandardCharsets.ISO_8859_1)).answer();
    }
  }

  private void assertNothingLoaded() throws Exception {
    assertThat(described("", "get", ask("GET", "", "")).at("/counts/unused").asInt()).isZero();
  }

  private JsonNode claim(int count) throws Exception {
    String body = "{\"owner_client_id\":\"me\",\"count\":" + count + "}";
    return described("/claim", "post", API.ask("POST", pool + "/claim", key(), body), 201);
  }

  private Answer find(JsonNode hold) throws Exception {
    return find(pool, hold.path("identifier_id").asText());
  }

  private static Answer find(String pool, String id) throws Exception {
    return API.ask("GET", pool + "/identifiers/" + id, null, "");
  }

  private static String token(JsonNode hold) {
    return "{\"identifier_id\":\"%s\",\"fencing_token\":%d}"
        .formatted(hold.path("identifier_id").asText(), hold.path("fencing_token").asLong());
  }

  private static String key() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }

  private Answer ask(String call, String body) throws Exception {
    return API.ask("POST", pool + call, null, body);
  }

  private Answer ask(String method, String call, String body) throws Exception {
    return API.ask(method, pool + call, null, body);
  }

  private JsonNode described(String call, String method, Answer answer) throws Exception {
    return document.described("/v1/pools/{pool}" + call, method, answer);
  }

  private JsonNode described(String call, String method, Answer answer, int status)
      throws Exception {
    return document.described("/v1/pools/{pool}" + call, method, answer, status);
  }
}
