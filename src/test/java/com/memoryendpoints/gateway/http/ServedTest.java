package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every call against a real database, each answer held against the document. */
@Timeout(60)
class ServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final String DIGEST = "sha-256:" + "ab".repeat(32);
  private static OpenApi document;

  private final String name = "Agent " + System.nanoTime();
  private final String canonical = name.replace(" ", "").toLowerCase(Locale.ROOT);

  @BeforeAll
  static void ready() throws Exception {
    document = new OpenApi();
    Awaitility.await().until(() -> ask("GET", "/v1/leases", null, "").status() == 200);
  }

  @Test
  void aLeaseIsClaimedRenewedVerifiedFoundAndReleased() throws Exception {
    String memory = register();
    Answer granted = ask("POST", "/v1/leases", key(), claim(memory));
    assertThat(granted.status()).isEqualTo(201);
    JsonNode lease = described("/v1/leases", "post", granted);
    assertThat(granted.headers())
        .containsEntry("location", "/v1/leases/" + lease.path("lease_id").asText())
        .containsEntry("cache-control", "no-store")
        .doesNotContainKey("idempotent-replayed");
    assertThat(lease.path("canonical_name").asText()).isEqualTo(canonical);
    assertThat(lease.path("renew_after_ms").asInt()).isEqualTo(10_000);
    String four = four(memory, lease.path("fencing_token").asLong());
    described("/v1/leases/renew", "post", ask("POST", "/v1/leases/renew", null, four));
    String two = two(memory, lease.path("fencing_token").asLong());
    described("/v1/leases/verify", "post", ask("POST", "/v1/leases/verify", null, two));
    String path = "/v1/leases/" + lease.path("lease_id").asText();
    JsonNode found = described("/v1/leases/{lease_id}", "get", ask("GET", path, null, ""));
    assertThat(found.path("state").asText()).isEqualTo("held");
    String filtered = "/v1/leases?owner_client_id=me&canonical_name=" + canonical;
    assertThat(described("/v1/leases", "get", ask("GET", filtered, null, "")).path("items"))
        .hasSize(1);
    Answer released = ask("POST", "/v1/leases/release", null, four);
    assertThat(released.status()).isEqualTo(204);
    assertThat(released.body()).isEmpty();
    assertThat(released.headers()).doesNotContainKey("content-type");
    described("/v1/leases/renew", "post", ask("POST", "/v1/leases/renew", null, four), 410);
  }

  @Test
  void aReplayHasTheSameBytesAndSaysSo() throws Exception {
    String claim = claim(register());
    String key = key();
    Answer first = ask("POST", "/v1/leases", key, claim);
    Answer second = ask("POST", "/v1/leases", "\"" + key + "\"", " " + claim.replace(",", " ,\n"));
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers()).containsEntry("idempotent-replayed", "true");
    Answer other = ask("POST", "/v1/leases", key, claim.replace("\"me\"", "\"you\""));
    described("/v1/leases", "post", other, 422);
    assertThat(other.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
  }

  /** Scenario 21: what is compared is what a body says, not how it is written. */
  @Test
  void aReplayMayBeWrittenInAnyWayThatSaysTheSame() throws Exception {
    String memory = register();
    String key = key();
    Answer first = ask("POST", "/v1/leases", key, claim(memory));
    assertThat(first.status()).isEqualTo(201);
    String members = claim(memory).substring(1, claim(memory).length() - 1);
    List<String> reversed = new ArrayList<>(List.of(members.split(",")));
    Collections.reverse(reversed);
    for (String same :
        List.of(
            "{" + String.join(",", reversed) + "}",
            claim(memory).replace("\"Agent", "\"\\u0041gent"),
            claim(memory).replace("owner_client_id", "\\u006fwner_client_id"),
            claim(memory).replace(memory, memory.toUpperCase(Locale.ROOT)),
            claim(memory).replace("}", ",\"ttl_seconds\":30}"))) {
      Answer again = ask("POST", "/v1/leases", key, same);
      assertThat(again.status()).as(same).isEqualTo(200);
      assertThat(again.body()).isEqualTo(first.body());
    }
    for (String other : List.of("31", "29")) {
      String claim = claim(memory).replace("}", ",\"ttl_seconds\":" + other + "}");
      assertThat(ask("POST", "/v1/leases", key, claim).code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }
  }

  /** Scenario 4: an open connection is no sign of life. */
  @Test
  void whoIsSilentOnAnOpenConnectionLosesTheLeaseAtItsEnd() throws Exception {
    String memory = register();
    String brief = claim(memory).replace("}", ",\"ttl_seconds\":1}");
    List<String> headers =
        List.of(
            "Authorization: Bearer " + LiveApi.TOKEN,
            "Content-Type: application/json",
            "Idempotency-Key: " + key());
    try (RawHttp silent = API.connect()) {
      Answer granted = silent.send("POST", "/v1/leases", headers, brief).answer();
      assertThat(granted.status()).isEqualTo(201);
      String other = claim(memory).replace("\"me\"", "\"other\"");
      Awaitility.await()
          .until(() -> ask("POST", "/v1/leases", key(), other).status(), status -> status == 201);
      long token = granted.json().path("fencing_token").asLong();
      Answer late = silent.send("POST", "/v1/leases/renew", headers, four(memory, token)).answer();
      assertThat(late.code()).isEqualTo("STALE_FENCING_TOKEN");
    }
  }

  @Test
  void aReplayOfALeaseThatEndedIsHistory() throws Exception {
    String memory = register();
    String claim = claim(memory);
    String key = key();
    JsonNode lease = ask("POST", "/v1/leases", key, claim).json();
    ask("POST", "/v1/leases/release", null, four(memory, lease.path("fencing_token").asLong()));
    Answer replay = ask("POST", "/v1/leases", key, claim);
    JsonNode problem = described("/v1/leases", "post", replay, 410);
    assertThat(problem.path("grant")).isEqualTo(lease);
    assertThat(replay.headers()).containsEntry("idempotent-replayed", "true");
    String item = claim.replaceFirst("\\{", "{\"idempotency_key\":\"" + key + "\",");
    Answer batch = ask("POST", "/v1/leases/batch", null, "{\"items\":[" + item + "]}");
    assertThat(described("/v1/leases/batch", "post", batch).at("/items/0/idempotent_replayed"))
        .hasToString("true");
  }

  @Test
  void aHeldNameSaysUntilWhenAndByWhom() throws Exception {
    ask("POST", "/v1/leases", key(), claim(register()));
    Answer held = ask("POST", "/v1/leases", key(), claim(register()));
    JsonNode problem = described("/v1/leases", "post", held, 423);
    assertThat(problem.path("code").asText()).isEqualTo("NAME_HELD");
    assertThat(problem.at("/holder/owner_client_id").asText()).isEqualTo("me");
    long retryAfterMs = problem.path("retry_after_ms").asLong();
    // By what the gateway has learnt of the database's clock, which may be some milliseconds off.
    assertThat(retryAfterMs).isBetween(1L, 31_000L);
    assertThat(held.headers())
        .containsEntry("retry-after", Long.toString((retryAfterMs + 999) / 1000));
  }

  @Test
  void aLeaseThatIsRevokedIsStaleForItsHolder() throws Exception {
    String memory = register();
    long token =
        ask("POST", "/v1/leases", key(), claim(memory)).json().path("fencing_token").asLong();
    String revocation = "{\"canonical_name\":\"" + canonical + "\",\"reason\":\"because\"}";
    Answer revoked = ask("POST", "/v1/leases/revoke", null, revocation);
    assertThat(described("/v1/leases/revoke", "post", revoked).path("fencing_token").asLong())
        .isGreaterThan(token);
    Answer stale = ask("POST", "/v1/leases/verify", null, two(memory, token));
    described("/v1/leases/verify", "post", stale, 409);
    described("/v1/leases/revoke", "post", ask("POST", "/v1/leases/revoke", null, revocation), 404);
  }

  @Test
  void aMemoryIsRegisteredBranchedCommittedAndFound() throws Exception {
    String memory = Generators.timeBasedEpochGenerator().generate().toString();
    String body = "{\"memory_instance_id\":\"" + memory.toUpperCase(Locale.ROOT) + "\"}";
    Answer made = ask("POST", "/v1/memories", null, body);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.headers()).containsEntry("location", "/v1/memories/" + memory);
    described("/v1/memories", "post", made);
    Answer known = ask("POST", "/v1/memories", null, body);
    assertThat(known.status()).isEqualTo(200);
    assertThat(known.body()).isEqualTo(made.body());
    long token =
        ask("POST", "/v1/leases", key(), claim(memory)).json().path("fencing_token").asLong();
    String commit = two(memory, token).replace("}", ",\"content_digest\":\"" + DIGEST + "\"}");
    String key = key();
    Answer committed = ask("POST", "/v1/memories/commit", key, commit);
    assertThat(described("/v1/memories/commit", "post", committed).path("revision").asInt())
        .isEqualTo(1);
    Answer again = ask("POST", "/v1/memories/commit", key, commit);
    assertThat(again.body()).isEqualTo(committed.body());
    assertThat(again.headers()).containsEntry("idempotent-replayed", "true");
    String conflict = commit.replace("ab\"", "cd\"").replace("}", ",\"expected_revision\":0}");
    described(
        "/v1/memories/commit", "post", ask("POST", "/v1/memories/commit", null, conflict), 409);
    String parent =
        "{\"parent_memory_instance_id\":\"" + memory + "\",\"parent_fencing_token\":" + token + "}";
    Answer branched = ask("POST", "/v1/memories/branch", key(), parent);
    assertThat(branched.status()).isEqualTo(201);
    String child =
        described("/v1/memories/branch", "post", branched).path("memory_instance_id").asText();
    described(
        "/v1/memories/{memory_instance_id}", "get", ask("GET", "/v1/memories/" + memory, null, ""));
    JsonNode lineage =
        described(
            "/v1/memories/{memory_instance_id}/lineage",
            "get",
            ask("GET", "/v1/memories/" + child + "/lineage", null, ""));
    assertThat(lineage.path("items"))
        .extracting(each -> each.path("memory_instance_id").asText())
        .containsExactly(memory, child);
  }

  @Test
  void aQueryOfBytesThatAreNoTextIsRefused() throws Exception {
    for (String bytes : List.of("%ff", "%C0%80", "%ED%A0%80", "a%E2%82")) {
      Answer refused = ask("GET", "/v1/leases?canonical_name=" + bytes, null, "");
      described("/v1/leases", "get", refused, 422);
    }
    assertThat(ask("GET", "/v1/leases?canonical_name=%C3%A9", null, "").status()).isEqualTo(200);
  }

  @Test
  void aListIsReadPageByPage() throws Exception {
    List<String> registered = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      registered.add(register());
    }
    List<String> listed = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page =
          described("/v1/memories", "get", ask("GET", "/v1/memories?limit=2" + cursor, null, ""));
      page.path("items").forEach(each -> listed.add(each.path("memory_instance_id").asText()));
      cursor = page.has("next_cursor") ? "&cursor=" + page.path("next_cursor").asText() : null;
    } while (cursor != null);
    assertThat(listed).doesNotHaveDuplicates().containsAll(registered);
  }

  @Test
  void manyAreAnsweredInTheirOrder() throws Exception {
    String memory = register();
    long token =
        ask("POST", "/v1/leases", key(), claim(memory)).json().path("fencing_token").asLong();
    String items =
        "{\"items\":["
            + String.join(",", four(memory, token), four(memory, token + 1), "{}")
            + "]}";
    assertThat(statuses("/v1/leases/renew/batch", items)).containsExactly(200, 409, 422);
    assertThat(statuses("/v1/leases/release/batch", items)).containsExactly(204, 409, 422);
    assertThat(statuses("/v1/leases/verify/batch", "{\"items\":[" + two(memory, token) + "]}"))
        .containsExactly(410);
    String taken = "{\"memory_instance_id\":\"" + memory + "\"}";
    assertThat(statuses("/v1/memories/batch", "{\"items\":[{}," + taken + "]}"))
        .containsExactly(201, 200);
  }

  private List<Integer> statuses(String path, String items) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    described(path, "post", ask("POST", path, null, items))
        .path("items")
        .forEach(each -> statuses.add(each.path("status").asInt()));
    return statuses;
  }

  private static String register() throws Exception {
    Answer made = ask("POST", "/v1/memories", null, "{}");
    assertThat(made.status()).isEqualTo(201);
    return made.json().path("memory_instance_id").asText();
  }

  private String claim(String memory) {
    return "{\"display_name\":\""
        + name
        + "\",\"memory_instance_id\":\""
        + memory
        + "\",\"owner_client_id\":\"me\"}";
  }

  private String four(String memory, long token) {
    return two(memory, token)
        .replace("}", ",\"owner_client_id\":\"me\",\"canonical_name\":\"" + canonical + "\"}");
  }

  private static String two(String memory, long token) {
    return "{\"memory_instance_id\":\"" + memory + "\",\"fencing_token\":" + token + "}";
  }

  private static String key() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }

  private static Answer ask(String method, String target, String key, String body)
      throws Exception {
    return API.ask(method, target, key, body);
  }

  private static JsonNode described(String path, String method, Answer answer) throws Exception {
    return document.described(path, method, answer);
  }

  private static JsonNode described(String path, String method, Answer answer, int status)
      throws Exception {
    return document.described(path, method, answer, status);
  }
}
