package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Between tenants stands a wall: each call of the OpenAPI document, with each of its ids in turn
 * another tenant's, has no effect there, and is answered exactly as if there were no such thing.
 */
@Timeout(120)
class TenantWallTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final UUID FOREIGN_TENANT = new UUID(8, 8);
  private static final String ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  /** Names are one space for all, and so are the ids of memories: here somebody else's shows. */
  private static final Map<String, String> SHARED =
      Map.of("display_name", "NAME_HELD", "memory_instance_id", "MEMORY_ID_TAKEN");

  private static final Set<String> SHARING =
      Set.of("/v1/leases", "/v1/leases/batch", "/v1/memories", "/v1/memories/batch");

  @BeforeAll
  static void ready() {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  static List<WallCall> calls() throws Exception {
    List<WallCall> calls = WallCall.all(new OpenApi());
    assertThat(calls).hasSizeGreaterThan(30);
    return calls;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void anotherTenantsObjectIsAnsweredAsOneThatIsNotThere(WallCall call) throws Exception {
    try (WallWorld foreign = WallWorld.of(API, LiveApi.STRANGER, "foreign")) {
      tokensOfItsOwn(foreign);
      List<String> before = rows(foreign);
      Answer own = answer(call, Map.of());
      assertThat(own.status()).as("%s: %s", call, own.body()).isBetween(200, 299);
      assertThat(itemOf(call, own).path("problem").isMissingNode()).as(own.body()).isTrue();
      for (String id : call.ids()) {
        Object theirs = foreign.ids(call.path()).get(id);
        Object nobodys = WallWorld.nowhere(call.path()).get(id);
        Answer seen = answer(call, Map.of(id, theirs));
        Answer missing = answer(call, Map.of(id, nobodys));
        Answer malformed = answer(call, Map.of(id, WallWorld.malformed().get(id)));
        if (isShared(call, id)) {
          assertThat(seen.body()).as("%s of %s", id, call).contains(SHARED.get(id));
          assertThat(seen.body()).doesNotContain("holder");
        } else {
          assertThat(told(id, seen, theirs))
              .as("%s of %s", id, call)
              .isEqualTo(told(id, missing, nobodys));
        }
        assertThat(traces(foreign, call, id))
            .as("%s of %s", id, call)
            .noneMatch(seen.body()::contains)
            .noneMatch(seen.headers().toString()::contains);
        assertThat(isRefused(call, malformed))
            .as("%s of %s: %s", id, call, malformed.body())
            .isTrue();
      }
      assertThat(rows(foreign)).isEqualTo(before);
    }
  }

  /** Tokens of one second are alike in all tenants; these are none of the others'. */
  private static void tokensOfItsOwn(WallWorld foreign) {
    DATABASE.run(
        "UPDATE leases SET last_token = last_token + 100 WHERE memory_id = '%s'"
            .formatted(foreign.ofLeases.get("memory_instance_id")));
    DATABASE.run(
        "UPDATE identifiers SET last_token = last_token + 100 WHERE identifier_id = '%s'"
            .formatted(foreign.ofPools.get("identifier_id")));
    foreign.ofLeases.replaceAll(TenantWallTest::raised);
    foreign.ofPools.replaceAll(TenantWallTest::raised);
  }

  private static Object raised(String id, Object value) {
    return id.endsWith("fencing_token") ? (Object) ((long) value + 100) : value;
  }

  private static boolean isShared(WallCall call, String id) {
    boolean registers = call.path().startsWith("/v1/memories");
    return SHARING.contains(call.path())
        && call.method().equals("POST")
        && (registers ? id.equals("memory_instance_id") : id.equals("display_name"));
  }

  /** What the call answers in a fresh world of one's own, but for these ids. */
  private static Answer answer(WallCall call, Map<String, Object> other) throws Exception {
    try (WallWorld world = WallWorld.of(API, LiveApi.TOKEN, "own")) {
      Map<String, Object> ids = world.ids(call.path());
      ids.put("Idempotency-Key", WallWorld.uuid7());
      ids.put("idempotency_key", WallWorld.uuid7());
      if (call.path().equals("/v1/leases") || call.path().equals("/v1/leases/batch")) {
        if (call.method().equals("POST")) {
          ids.put("memory_instance_id", world.freeMemory());
          ids.put("display_name", ids.get("display_name") + "x");
        }
      }
      ids.putAll(other);
      return call.send(world, ids);
    }
  }

  private static JsonNode itemOf(WallCall call, Answer answer) throws Exception {
    return call.batch() ? answer.json().path("items").path(0) : answer.json();
  }

  private static boolean isRefused(WallCall call, Answer answer) throws Exception {
    int status =
        answer.status() == 200 ? itemOf(call, answer).path("status").asInt() : answer.status();
    return 400 <= status && status < 500;
  }

  /** Everything in an answer but which occurrence it is, and what was asked for. */
  private static Map<String, String> told(String id, Answer answer, Object sent) throws Exception {
    Map<String, String> told = new TreeMap<>(answer.headers());
    told.remove("content-length");
    told.replaceAll((name, value) -> masked(value, sent));
    told.put("status", Integer.toString(answer.status()));
    // Where a page begins decides what is on it, of one's own.
    told.put("body", id.equals("cursor") ? "" : masked(answer.body(), sent));
    return told;
  }

  private static String masked(String text, Object sent) {
    String asked = sent.toString();
    return text.replace(asked, "SENT")
        .replace(asked.replace(" ", ""), "SENT")
        .replaceAll(ID, "ID")
        .replaceAll("[0-9]+", "0");
  }

  /** What must not be seen of another tenant: all of its ids but the one that was sent. */
  private static List<String> traces(WallWorld foreign, WallCall call, String sent) {
    Map<String, Object> ids = new TreeMap<>(foreign.ofLeases);
    ids.put("hold", foreign.ofPools.get("fencing_token"));
    if (sent.equals("display_name")) {
      ids.remove("canonical_name"); // Which is made from it alone.
    }
    Object known = foreign.ids(call.path()).get(sent);
    return ids.values().stream()
        .filter(value -> !(value instanceof List) && !value.equals(known))
        .map(Object::toString)
        .toList();
  }

  /** Every row of every table that has an id of the foreign world in it. */
  private static List<String> rows(WallWorld foreign) throws Exception {
    Object pool =
        DATABASE.value(
            "SELECT pool_id FROM pools WHERE tenant_id = ? AND pool = ?",
            FOREIGN_TENANT,
            foreign.ofPools.get("pool"));
    String[] patterns = {
      "%" + FOREIGN_TENANT + "%",
      "%" + foreign.ofLeases.get("memory_instance_id") + "%",
      "%" + pool + "%",
      "%" + foreign.ofPools.get("identifier_id") + "%"
    };
    List<String> rows = new ArrayList<>();
    List<Map<String, Object>> tables =
        DATABASE.rows(
            "SELECT oid::regclass::text AS name FROM pg_class"
                + " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1");
    try (Connection connection = DATABASE.connect()) {
      for (Map<String, Object> table : tables) {
        String name = table.get("name").toString();
        String sql = "SELECT t::text FROM " + name + " t WHERE t::text LIKE ANY (?) ORDER BY 1";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setArray(1, connection.createArrayOf("text", patterns));
          ResultSet found = statement.executeQuery();
          while (found.next()) {
            rows.add(name + found.getString(1));
          }
        }
      }
    }
    assertThat(rows).hasSizeGreaterThan(10);
    return rows;
  }
}
