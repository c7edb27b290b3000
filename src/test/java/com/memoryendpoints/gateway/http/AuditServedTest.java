package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit trail as it is read from outside. */
@Timeout(60)
class AuditServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static OpenApi document;

  @BeforeAll
  static void ready() throws Exception {
    document = new OpenApi();
    Awaitility.await().until(() -> API.ask("GET", "/v1/audit", null, "").status() == 200);
  }

  private static JsonNode trail(String query) throws Exception {
    return document.described("/v1/audit", "get", API.ask("GET", "/v1/audit" + query, null, ""));
  }

  private static JsonNode trailOf(int events, String query) {
    return Awaitility.await().until(() -> trail(query), it -> it.path("items").size() == events);
  }

  @Test
  void aReaderGoesOnWhereItEnded() throws Exception {
    String end = trail("?limit=1000").path("next_cursor").asText();
    String resumed = "?cursor=" + end;
    assertThat(trailOf(0, resumed).path("next_cursor").asText()).isEqualTo(end);
    String memory =
        API.ask("POST", "/v1/memories", null, "{}").json().at("/memory_instance_id").asText();
    API.ask("PUT", "/v1/pools/of-secret-name", null, "{}");

    JsonNode events = trailOf(2, resumed).path("items");
    assertThat(events.findValuesAsText("event_type"))
        .containsExactly("MEMORY_REGISTERED", "POOL_CREATED");
    assertThat(events.path(0).path("redacted_name_hash").isNull()).isTrue();
    assertThat(events.path(0).path("redacted_memory_hash").isTextual()).isTrue();
    assertThat(events.path(1).path("redacted_name_hash").isTextual()).isTrue();
    assertThat(events.path(1).path("redacted_memory_hash").isNull()).isTrue();
    assertThat(events.toString()).doesNotContain(memory, "of-secret-name");

    JsonNode first = trail(resumed + "&limit=1");
    assertThat(first.path("items").path(0)).isEqualTo(events.path(0));
    JsonNode second = trail("?limit=1&cursor=" + first.path("next_cursor").asText());
    assertThat(second.path("items").path(0)).isEqualTo(events.path(1));
  }

  @Test
  void theScopeForItIsEnoughAndNeeded() throws Exception {
    try (RawHttp http = API.connect()) {
      List<String> reader = List.of("Authorization: Bearer " + LiveApi.READER);
      assertThat(http.send("GET", "/v1/audit", reader, "").answer().status()).isEqualTo(200);
      assertThat(http.send("GET", "/v1/pools", reader, "").answer().code())
          .isEqualTo("INSUFFICIENT_SCOPE");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cursor=",
        "cursor=%21",
        "cursor=AZovTnwbfSCfOltsfY6fAQ",
        "limit=0",
        "limit=1001",
        "since=1",
        "cursor=_________-gBmi9OigJ6kIyRorPE1eb3"
      })
  void aBadCursorIsRefused(String query) throws Exception {
    Answer answer = API.ask("GET", "/v1/audit?" + query, null, "");
    document.described("/v1/audit", "get", answer, 422);
    assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void aCursorIsReadAsItWasWritten() {
    AuditPosition position = new AuditPosition(1_000, new UUID(7, 8));
    assertThat(Paging.afterEvent(Paging.cursor(position))).isEqualTo(position);
    AuditPosition start = AuditPosition.START;
    assertThat(Paging.afterEvent(Paging.cursor(start))).isEqualTo(start);
  }
}
