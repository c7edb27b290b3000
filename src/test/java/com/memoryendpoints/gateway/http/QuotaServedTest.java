package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quotas, as callers meet them. */
@Timeout(60)
class QuotaServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final List<String> CALLER =
      List.of("Authorization: Bearer " + LiveApi.TOKEN, "Content-Type: application/json");

  @BeforeAll
  static void ready() {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  private static void agreed(Map<Term, Long> terms) {
    API.tenants.learnt(new UUID(7, 7), new Terms(terms), System.nanoTime());
  }

  private static UUID uuid7() {
    return Generators.timeBasedEpochGenerator().generate();
  }

  private static String registration() {
    return "{\"memory_instance_id\":\"" + uuid7() + "\"}";
  }

  private static Answer post(String path, String body) throws Exception {
    try (RawHttp http = API.connect()) {
      return http.send("POST", path, CALLER, body).answer();
    }
  }

  @Test
  void everyItemOfABatchCountsForItself() throws Exception {
    agreed(Map.of(Term.MEMORIES, 3L));
    String items =
        IntStream.range(0, 5).mapToObj(i -> registration()).collect(Collectors.joining(","));
    Answer answer = post("/v1/memories/batch", "{\"items\":[" + items + "]}");
    assertThat(answer.status()).isEqualTo(200);
    JsonNode answered = answer.json().path("items");
    assertThat(
            StreamSupport.stream(answered.spliterator(), false)
                .map(item -> item.path("status").asInt()))
        .containsExactly(201, 201, 201, 429, 429);
    assertThat(answered.get(4).path("problem").path("code").asText()).isEqualTo("QUOTA_EXCEEDED");
    Answer single = post("/v1/memories", registration());
    assertThat(single.code()).isEqualTo("QUOTA_EXCEEDED");
    assertThat(single.headers().get("retry-after")).matches("[12]");
    assertThat(single.json().path("quota").asText()).isEqualTo("memories");
  }

  @Test
  void ofALoadThePartThatWouldGoBeyondIsRefusedWholeAndTheOthersAreTold() throws Exception {
    agreed(Map.of(Term.IDENTIFIERS, 15_000L));
    try (RawHttp http = API.connect()) {
      assertThat(http.send("PUT", "/v1/pools/quota", CALLER, "{}").answer().status())
          .isEqualTo(201);
    }
    String load =
        IntStream.range(0, 25_000)
            .mapToObj(i -> "\"id-" + i + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    Answer refused = post("/v1/pools/quota/identifiers", load);
    assertThat(refused.code()).isEqualTo("QUOTA_EXCEEDED");
    assertThat(refused.json().path("inserted").asInt()).isEqualTo(10_000);
    assertThat(post("/v1/pools/quota/identifiers", load).json().path("inserted").asInt()).isZero();
    assertThat(DATABASE.value("SELECT count(*) FROM identifiers")).isEqualTo(10_000L);
  }
}
