package com.memoryendpoints.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.uuid.Generators;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers die without a word, and what they held is handed out again, to be fenced from them. */
class KilledSwarmTest {
  private static final int WORKERS = 100;
  private static final int HELD_EACH = 3;
  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path scratch;
  private final HttpClient http = HttpClient.newHttpClient();
  private String api;

  @Test
  void aKilledSwarmGivesEverythingBack() throws Exception {
    try (GatewayProcess gateway =
        GatewayProcess.start(
            scratch,
            Map.of(
                "GATEWAY_DATABASE_URI",
                DATABASE.uri(),
                "GATEWAY_AUTH_TOKENS",
                MainTest.TOKENS.replace("memories]", "memories, pools]"),
                "GATEWAY_AUDIT_KEY",
                "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="))) {
      gateway.awaitOut("The gateway is ready");
      api = MainTest.address(gateway, "API listens on ").toString();
      int loaded = WORKERS * HELD_EACH;
      send("PUT", "", "{\"default_ttl_seconds\":2}");
      String identifiers =
          IntStream.range(0, loaded)
              .mapToObj(n -> "\"id-" + n + "\"")
              .collect(Collectors.joining(","));
      send("POST", "/identifiers", "[" + identifiers + "]");

      Process swarm = swarm();
      try {
        await()
            .atMost(60, SECONDS)
            .until(() -> lines().equals(List.of("held 201")) && heldLines() == WORKERS);
      } finally {
        swarm.destroyForcibly().waitFor();
      }

      // Everything lapses two seconds after its claim, and comes back without anybody asking.
      await().atMost(60, SECONDS).until(() -> counts().path("unused").asInt() == loaded);
      assertThat(counts())
          .hasToString("{\"unused\":%d,\"pending\":0,\"consumed\":0,\"dead\":0}".formatted(loaded));
      List<Map<String, Object>> swept =
          DATABASE.rows("SELECT DISTINCT attempts AS a, state AS s FROM identifiers");
      assertThat(swept).containsExactly(Map.of("a", 1, "s", 0));
      // What is handed out again has a higher token than any that the dead have.
      Object highest = DATABASE.value("SELECT max(last_token) FROM identifiers");
      JsonNode again =
          send("POST", "/claim", "{\"owner_client_id\":\"heir\",\"count\":%d}".formatted(loaded));
      assertThat(again.path("holds"))
          .hasSize(loaded)
          .allSatisfy(
              hold ->
                  assertThat(hold.path("fencing_token").asLong()).isGreaterThan((Long) highest));
    }
  }

  private Process swarm() throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-classpath",
            System.getProperty("java.class.path"),
            Swarm.class.getName(),
            api,
            "secret",
            "tickets",
            Integer.toString(WORKERS))
        .redirectErrorStream(true)
        .redirectOutput(out().toFile())
        .start();
  }

  private Path out() {
    return scratch.resolve("swarm.out");
  }

  private List<String> lines() throws Exception {
    return Files.readAllLines(out()).stream().distinct().toList();
  }

  private int heldLines() throws Exception {
    return Files.readAllLines(out()).size();
  }

  private JsonNode counts() throws Exception {
    return send("GET", "", "").path("counts");
  }

  private JsonNode send(String method, String call, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api).resolve("/v1/pools/tickets" + call))
            .header("Authorization", "Bearer secret")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", Generators.timeBasedEpochGenerator().generate().toString())
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return JSON.readTree(answer.body());
  }
}
