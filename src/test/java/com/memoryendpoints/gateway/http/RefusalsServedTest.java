package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Refusals as callers meet them: what each tells them to do, and that it leaves nothing. */
@Timeout(60)
class RefusalsServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);
  @RegisterExtension static final LiveApi CUT_OFF = LiveApi.without();

  private static int names;

  private final String name = "refused" + names++;

  @BeforeAll
  static void ready() {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  private JsonNode claimed(String memory, String owner) throws Exception {
    String body =
        "{\"display_name\":\"%s\",\"memory_instance_id\":\"%s\",\"owner_client_id\":\"%s\"}"
            .formatted(name, memory, owner);
    Answer granted = API.ask("POST", "/v1/leases", key(), body);
    assertThat(granted.status()).as(granted.body()).isEqualTo(201);
    return granted.json();
  }

  private static Answer renewed(LiveApi api, JsonNode lease, String memory, String owner)
      throws Exception {
    String body =
        "{\"canonical_name\":%s,\"memory_instance_id\":\"%s\",\"fencing_token\":%s,%s}"
            .formatted(
                lease.path("canonical_name"),
                memory,
                lease.path("fencing_token"),
                "\"owner_client_id\":\"" + owner + "\"");
    return api.ask("POST", "/v1/leases/renew", null, body);
  }

  private static void lapse(String memory) {
    DATABASE.run(
        "UPDATE leases SET expires_at = clock_timestamp() - interval '1 ms' WHERE memory_id = '"
            + memory
            + "'");
  }

  private static void agreed(Map<Term, Long> terms) {
    API.tenants.learnt(new UUID(7, 7), new Terms(terms), System.nanoTime());
  }

  /** Scenario 9: whether its owner is to stop, or to go on and try again. */
  @Test
  void everyReasonWhyARenewalFailsIsAProblemOfItsOwnThatSaysWhatToDo() throws Exception {
    String memory =
        API.ask("POST", "/v1/memories", null, "{}").json().path("memory_instance_id").asText();
    JsonNode lease = claimed(memory, "me");
    assertThat(renewed(API, lease, memory, "me").status()).isEqualTo(200);

    Answer unreachable = renewed(CUT_OFF, lease, memory, "me");
    Answer otherOwner = renewed(API, lease, memory, "you");
    Answer otherMemory = renewed(API, lease, Samples.MEMORY, "me");
    Answer limited = limited(lease, memory);
    assertThat(renewed(API, lease, memory, "me").status()).isEqualTo(200);
    lapse(memory);
    Answer lapsed = renewed(API, lease, memory, "me");
    claimed(memory, "successor");
    Answer taken = renewed(API, lease, memory, "me");

    assertThat(types(unreachable, otherOwner, otherMemory, limited, lapsed, taken))
        .containsExactly(
            "503 unavailable",
            "409 owner-mismatch",
            "404 memory-not-found",
            "429 rate-limited",
            "410 lease-lapsed",
            "409 stale-fencing-token");
    for (Answer later : List.of(unreachable, limited)) {
      assertThat(later.json().path("detail").asText())
          .contains("Keep what you hold", "Retry-After");
      assertThat(later.headers()).containsKey("retry-after");
    }
    for (Answer over : List.of(lapsed, taken)) {
      assertThat(over.json().path("detail").asText()).contains("Stop working as the owner");
      assertThat(over.headers()).doesNotContainKey("retry-after");
    }
    for (Answer mistaken : List.of(otherOwner, otherMemory)) {
      assertThat(mistaken.headers()).doesNotContainKey("retry-after");
    }
  }

  private static Answer limited(JsonNode lease, String memory) throws Exception {
    agreed(Map.of(Term.REQUESTS_PER_SECOND, 1L));
    try {
      Answer answer = renewed(API, lease, memory, "me");
      while (answer.status() == 200) {
        answer = renewed(API, lease, memory, "me");
      }
      return answer;
    } finally {
      agreed(Map.of());
    }
  }

  private static List<String> types(Answer... answers) throws Exception {
    List<String> types = new ArrayList<>();
    for (Answer answer : answers) {
      String type = answer.json().path("type").asText();
      types.add(answer.status() + type.replaceFirst(".*/problems/", " "));
    }
    return types;
  }

  /** Scenario 24: only what took effect is remembered under a key. */
  @Test
  void aKeyThatWasRefusedForEveryReasonBeforeTheDatabaseWorksLater() throws Exception {
    agreed(Map.of());
    String memory =
        API.ask("POST", "/v1/memories", null, "{}").json().path("memory_instance_id").toString();
    String key = key();
    String claim =
        "{\"display_name\":\"Refused Before\",\"owner_client_id\":\"o\",\"memory_instance_id\":"
            + memory;
    assertThat(claim("nobody's", key, claim + "}")).isEqualTo(401);
    assertThat(claim(LiveApi.READER, key, claim + "}")).isEqualTo(403);
    assertThat(claim(LiveApi.TOKEN, key, claim)).isEqualTo(400);
    assertThat(claim(LiveApi.TOKEN, key, claim + ",\"ttl_seconds\":301}")).isEqualTo(422);
    agreed(Map.of(Term.REQUESTS_PER_SECOND, 1L));
    while (claim(LiveApi.TOKEN, key(), "{}") != 429) {}
    assertThat(claim(LiveApi.TOKEN, key, claim + "}")).isEqualTo(429);
    agreed(Map.of(Term.LEASES, 0L));
    assertThat(claim(LiveApi.TOKEN, key, claim + "}")).isEqualTo(429);
    agreed(Map.of());
    assertThat(claim(LiveApi.TOKEN, key, claim + "}")).isEqualTo(201);
    assertThat(claim(LiveApi.TOKEN, key, claim + "}")).isEqualTo(200);
  }

  private static int claim(String token, String key, String body) throws Exception {
    List<String> headers =
        List.of(
            "Authorization: Bearer " + token,
            "Content-Type: application/json",
            "Idempotency-Key: " + key);
    try (RawHttp http = API.connect()) {
      return http.send("POST", "/v1/leases", headers, body).answer().status();
    }
  }

  private static String key() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }
}
