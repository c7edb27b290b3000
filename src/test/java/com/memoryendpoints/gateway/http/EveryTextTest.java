package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios 30 and 31: what is no text, in every place of every call that takes one. */
@Timeout(60)
class EveryTextTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final List<String> NO_TEXTS =
      List.of(
          "\"\\u0000\"", "\"a\\u0000b\"", "\"a\\ud800b\"", "\"a\\udfffb\"", "\"\\udfff\\ud800\"");

  record Place(Endpoint endpoint, Member<?> member) {
    @Override
    public String toString() {
      return endpoint.label() + " " + member.name();
    }
  }

  @BeforeAll
  static void ready() {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  static Stream<Place> bodies() {
    return places(endpoint -> endpoint.members().members());
  }

  static Stream<Place> queries() {
    return places(endpoint -> endpoint.query().members());
  }

  private static Stream<Place> places(Function<Endpoint, List<Member<?>>> members) {
    return EveryCall.ENDPOINTS.stream()
        .flatMap(each -> members.apply(each).stream().map(member -> new Place(each, member)));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void noMemberTakesWhatIsNoText(Place place) throws Exception {
    for (String text : NO_TEXTS) {
      Answer answer = EveryCall.send(API, place.endpoint(), key(), place.member(), text, false);
      boolean batch = place.endpoint().body() == Endpoint.Body.BATCH;
      JsonNode problem = batch ? answer.json().at("/items/0/problem") : answer.json();
      if (place.member().equals(Requests.KEY)) {
        assertThat(problem.path("code").asText()).isEqualTo("IDEMPOTENCY_KEY_INVALID");
      } else if (place.endpoint().members().equals(Requests.CLAIM_ITEM)) {
        // What is wrong with the key, which is not there, goes before what is wrong beside it.
        assertThat(problem.path("code").asText()).isEqualTo("IDEMPOTENCY_KEY_MISSING");
      } else {
        assertThat(problem.path("status").asInt()).as(answer.body()).isEqualTo(422);
        assertThat(problem.path("errors").findValuesAsText("pointer"))
            .contains((batch ? "/items/0/" : "/") + place.member().name());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("queries")
  void noParameterTakesWhatIsNoText(Place place) throws Exception {
    for (String text : List.of("%00", "a%00b", "%ED%A0%80")) {
      Answer answer = EveryCall.send(API, place.endpoint(), key(), place.member(), text, true);
      assertThat(answer.status()).as(answer.body()).isEqualTo(422);
    }
  }

  @Test
  void noPathTakesWhatIsNoText() throws Exception {
    for (Endpoint endpoint : EveryCall.ENDPOINTS) {
      if (endpoint.path().contains(":")) {
        for (String text : List.of("%00", "a%00b", "%ED%A0%80", "%ff")) {
          String path = endpoint.path().replaceAll(":[a-z_]+", text);
          Answer answer = API.ask(endpoint.method().name(), path, key(), "{}");
          assertThat(answer.status()).as(path + " " + answer.body()).isBetween(400, 499);
        }
      }
    }
  }

  /** The bytes of a lone surrogate, and of U+0000 as some write it, are no UTF-8. */
  @ParameterizedTest
  @ValueSource(strings = {"\u00ed\u00a0\u0080", "\u00ed\u00bf\u00bf", "\u00c0\u0080"})
  void noBodyTakesBytesThatAreNoText(String bytes) throws Exception {
    for (Endpoint endpoint : EveryCall.ENDPOINTS) {
      if (endpoint.body() != Endpoint.Body.NOTHING) {
        String path = endpoint.path().replace(":pool", "bytes");
        boolean stream = endpoint.body() == Endpoint.Body.STREAM;
        String body = stream ? "[\"a%s\"]" : "{\"a\":\"a%s\"}";
        try (RawHttp http = API.connect()) {
          Answer answer =
              http.send(
                      endpoint.method().name()
                          + " "
                          + path
                          + " HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                          + ("Authorization: Bearer " + LiveApi.TOKEN)
                          + ("\r\nIdempotency-Key: " + key())
                          + ("\r\nContent-Length: " + body.formatted(bytes).length())
                          + ("\r\n\r\n" + body.formatted(bytes)))
                  .answer();
          // Of a load the line is told, and what came before it is loaded.
          assertThat(answer.code())
              .as(path + " " + answer.body())
              .isEqualTo(stream ? "INVALID_REQUEST" : "MALFORMED_BODY");
        }
      }
    }
  }

  @Test
  void noIdentifierIsWhatIsNoText() throws Exception {
    API.ask("PUT", "/v1/pools/no-text", null, "{}");
    for (String text : NO_TEXTS) {
      Answer answer = API.ask("POST", "/v1/pools/no-text/identifiers", null, "[" + text + "]");
      assertThat(answer.status()).as(answer.body()).isEqualTo(422);
    }
    assertThat(DATABASE.value("SELECT count(*) FROM identifiers")).isEqualTo(0L);
  }

  /** What some put for a character that they cannot read is a character like others. */
  @Test
  void aQuestionMarkIsText() throws Exception {
    JsonNode memory = API.ask("POST", "/v1/memories", null, "{}").json();
    String claim =
        "{\"display_name\":\"Asker\",\"owner_client_id\":\"a?b\",\"memory_instance_id\":%s}"
            .formatted(memory.path("memory_instance_id"));
    assertThat(API.ask("POST", "/v1/leases", key(), claim).status()).isEqualTo(201);
    JsonNode found = API.ask("GET", "/v1/leases?owner_client_id=a%3Fb", null, "").json();
    assertThat(found.path("items")).hasSize(1);
  }

  private static String key() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }
}
