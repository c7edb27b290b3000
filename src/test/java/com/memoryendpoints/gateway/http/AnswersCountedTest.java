package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A batch is answered 200 whatever became of its items: what alerts read counts the items. */
@Timeout(60)
class AnswersCountedTest {
  private TestServer server;
  private LiveApi api;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start();
    api = LiveApi.over(TestDatabase.on(server));
    api.beforeAll(null);
    Awaitility.await().until(() -> api.ask("GET", "/v1/memories", null, "").status() == 200);
  }

  @AfterEach
  void stop() throws Exception {
    api.afterAll(null);
    server.close();
  }

  private double answers(String code) {
    return api.meters.registry().get("http.server.answers").tag("code", code).counter().count();
  }

  private String memory() throws Exception {
    return api.ask("POST", "/v1/memories", null, "{}").json().path("memory_instance_id").asText();
  }

  private static String item(String name, String memory) {
    return "{\"idempotency_key\":\""
        + Generators.timeBasedEpochGenerator().generate()
        + "\",\"display_name\":\""
        + name
        + "\",\"memory_instance_id\":\""
        + memory
        + "\",\"owner_client_id\":\"me\"}";
  }

  private List<Integer> claims(String... items) throws Exception {
    String body = "{\"items\":[" + String.join(",", items) + "]}";
    RawHttp.Answer answer = api.ask("POST", "/v1/leases/batch", null, body);
    assertThat(answer.status()).isEqualTo(200);
    List<Integer> statuses = new ArrayList<>();
    for (JsonNode item : answer.json().path("items")) {
      statuses.add(item.path("status").asInt());
    }
    return statuses;
  }

  @Test
  void theItemsOfABatchAreCountedBesideTheCall() throws Exception {
    String memory = memory();
    assertThat(claims(item("one", memory), "{}", item("two", memory)))
        .containsExactly(201, 400, 423);
    // The call itself is counted when it has been sent; before it came a read and a memory.
    Awaitility.await().until(() -> answers("none") == 4);
    assertThat(answers("IDEMPOTENCY_KEY_MISSING")).isOne();
    assertThat(answers("MEMORY_HELD")).isOne();
  }

  @Test
  void whatABatchCouldNotDoWhileTheDatabaseIsAwayIsCounted() throws Exception {
    String memory = memory();
    double away = answers("UNAVAILABLE");
    server.stop();
    assertThat(claims(item("one", memory), item("two", memory), item("three", memory)))
        .containsOnly(503)
        .hasSize(3);
    assertThat(answers("UNAVAILABLE") - away).isEqualTo(3);
    Awaitility.await().until(() -> batchStatuses().equals(List.of("200")));
  }

  @Test
  void aCallThatIsRefusedIsCountedOnce() throws Exception {
    api.ask("GET", "/no/such", null, "");
    Awaitility.await().until(() -> answers("NO_SUCH_ROUTE") == 1);
    api.ask("GET", "/v1/leases/" + Samples.MEMORY, null, "");
    Awaitility.await().until(() -> answers("LEASE_NOT_FOUND") == 1);
    assertThat(answers("NO_SUCH_ROUTE")).isOne();
  }

  private List<String> batchStatuses() {
    return api
        .meters
        .registry()
        .find("http.server.requests")
        .tag("route", "/v1/leases/batch")
        .timers()
        .stream()
        .map(calls -> calls.getId().getTag("status"))
        .toList();
  }
}
