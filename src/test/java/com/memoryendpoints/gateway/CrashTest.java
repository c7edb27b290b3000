package com.memoryendpoints.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.db.EmbeddedDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL of the database, and then of the gateway, in the middle of a thousand claims. */
class CrashTest {
  private static final int CLAIMS = 1_000;
  private static final int CALLERS = 16;
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Wanted(UUID key, String name, UUID memory) {
    String body() {
      return "{\"display_name\":\"%s\",\"memory_instance_id\":\"%s\",\"owner_client_id\":\"w\","
              .formatted(name, memory)
          + "\"ttl_seconds\":300}";
    }

    Wanted underFreshKey() {
      return new Wanted(uuid(), name, memory);
    }
  }

  @TempDir private Path scratch;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Wanted> claims =
      IntStream.range(0, CLAIMS).mapToObj(i -> new Wanted(uuid(), "Agent " + i, uuid())).toList();
  private final Map<Wanted, String> acknowledged = new ConcurrentHashMap<>();
  private String api;
  private String token;

  @Test
  void whatWasAcknowledgedOutlivesBothAndTheRestCanBeClaimed() throws Exception {
    Path data = scratch.resolve("state");
    GatewayProcess first = start(data);
    register();
    killBothMeanwhile(first, data);
    assertThat(acknowledged).hasSizeBetween(1, CLAIMS);

    try (GatewayProcess second = start(data)) {
      assertThat(second.isAlive()).isTrue();
      everyKeyStillMeansItsLease();
      lapseAll(data);
      assertThat(all(claims, claim -> claim(claim.underFreshKey()).statusCode())).containsOnly(201);
    }
  }

  private GatewayProcess start(Path data) throws IOException {
    GatewayProcess gateway =
        GatewayProcess.start(scratch, GatewayProcess.embeddedIn(data), "serve");
    api = gateway.awaitWelcome();
    token = Files.readString(data.resolve("dev-token")).strip();
    return gateway;
  }

  private void register() throws Exception {
    StringBuilder items = new StringBuilder();
    for (Wanted claim : claims) {
      items.append(items.isEmpty() ? "" : ",");
      items.append("{\"memory_instance_id\":\"").append(claim.memory()).append("\"}");
    }
    HttpResponse<String> registered =
        send(post("/v1/memories/batch", "{\"items\":[" + items + "]}").build());
    assertThat(JSON.readTree(registered.body()).get("items"))
        .hasSize(CLAIMS)
        .allMatch(item -> item.get("status").intValue() == 201);
  }

  private void killBothMeanwhile(GatewayProcess gateway, Path data) throws Exception {
    long postmaster =
        Long.parseLong(Files.readAllLines(data.resolve("data/postmaster.pid")).get(0));
    AtomicInteger served = new AtomicInteger();
    all(
        claims,
        claim -> {
          int place = served.incrementAndGet();
          if (place == CLAIMS / 3) {
            ProcessHandle.of(postmaster).orElseThrow().destroyForcibly();
          } else if (place == CLAIMS * 2 / 3) {
            gateway.kill();
          }
          try {
            HttpResponse<String> answer = claim(claim);
            if (answer.statusCode() == 201) {
              acknowledged.put(claim, answer.body());
            } else {
              assertThat(answer.statusCode()).isEqualTo(503);
            }
          } catch (IOException theGatewayIsGone) {
            assertThat(served.get()).isGreaterThanOrEqualTo(CLAIMS * 2 / 3);
          }
          return place;
        });
  }

  private void everyKeyStillMeansItsLease() throws Exception {
    all(
        claims,
        claim -> {
          HttpResponse<String> again = claim(claim);
          String granted = acknowledged.get(claim);
          if (granted == null) {
            assertThat(again.statusCode()).isIn(200, 201);
            return claim;
          }
          assertThat(again.statusCode()).isEqualTo(200);
          assertThat(again.body()).isEqualTo(granted);
          assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
          JsonNode lease = JSON.readTree(granted);
          JsonNode found =
              JSON.readTree(send(get("/v1/leases/" + lease.get("lease_id").textValue())).body());
          assertThat(found.get("expires_at")).isEqualTo(lease.get("expires_at"));
          assertThat(found.get("fencing_token")).isEqualTo(lease.get("fencing_token"));
          return claim;
        });
  }

  private static void lapseAll(Path data) throws Exception {
    DatabaseUri uri = EmbeddedDatabase.attach(data).orElseThrow();
    String url = "jdbc:postgresql://" + uri.host() + ":" + uri.port() + "/" + uri.database();
    try (Connection connection = DriverManager.getConnection(url, uri.user(), uri.password())) {
      connection.createStatement().execute("UPDATE leases SET expires_at = clock_timestamp()");
    }
  }

  private interface Task<T> {
    T run(Wanted claim) throws Exception;
  }

  private static <T> List<T> all(List<Wanted> claims, Task<T> task) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      claims.forEach(claim -> calls.add(() -> task.run(claim)));
      List<T> results = new ArrayList<>();
      for (var call : callers.invokeAll(calls)) {
        results.add(call.get());
      }
      return results;
    } finally {
      callers.shutdownNow();
    }
  }

  private HttpResponse<String> claim(Wanted claim) throws Exception {
    return send(
        post("/v1/leases", claim.body()).header("Idempotency-Key", claim.key().toString()).build());
  }

  private HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(URI.create(api + path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8));
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create(api + path))
        .header("Authorization", "Bearer " + token)
        .build();
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  private static UUID uuid() {
    return Generators.timeBasedEpochGenerator().generate();
  }
}
