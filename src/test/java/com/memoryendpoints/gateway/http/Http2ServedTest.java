package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.auth.BearerToken;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The API as an ordinary client of HTTP/2 meets it. */
@Timeout(90)
class Http2ServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path folder;
  private static LiveApi api;
  private static HttpClient client;

  @BeforeAll
  static void start() throws Exception {
    Identity server = TestCertificates.make(folder, "server");
    api = LiveApi.over(DATABASE).with(Http2Test.tls(server));
    api.beforeAll(null);
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(server.trustedBy(null))
            .build();
    Awaitility.await().until(() -> send(request("/v1/leases").GET()).statusCode() == 200);
  }

  @AfterAll
  static void end() throws Exception {
    api.afterAll(null);
  }

  private static HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + api.port() + target))
        .header("Authorization", "Bearer " + LiveApi.TOKEN)
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    return answer;
  }

  private static String uuid() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }

  private static HttpRequest.Builder claim(String name, String memory, String key) {
    String body =
        "{\"display_name\":\"%s\",\"owner_client_id\":\"me\",\"memory_instance_id\":\"%s\"}";
    return request("/v1/leases")
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString(body.formatted(name, memory)));
  }

  private static String registered() throws Exception {
    String memory = uuid();
    String body = "{\"memory_instance_id\":\"" + memory + "\"}";
    assertThat(send(request("/v1/memories").POST(BodyPublishers.ofString(body))).statusCode())
        .isEqualTo(201);
    return memory;
  }

  @Test
  void aClaimIsGrantedReplayedAndReleased() throws Exception {
    String memory = registered();
    String key = uuid();
    HttpResponse<String> granted = send(claim("Heron", memory, key));
    assertThat(granted.statusCode()).isEqualTo(201);
    HttpResponse<String> replayed = send(claim("Heron", memory, key));
    assertThat(replayed.statusCode()).isEqualTo(200);
    assertThat(replayed.body()).isEqualTo(granted.body());
    assertThat(replayed.headers().firstValue("idempotent-replayed")).contains("true");
    HttpResponse<String> held = send(claim("Heron", registered(), uuid()));
    assertThat(held.statusCode()).isEqualTo(423);
    assertThat(held.headers().firstValue("content-type")).contains("application/problem+json");
    String release =
        "{\"canonical_name\":\"heron\",\"memory_instance_id\":\"%s\",\"fencing_token\":%s,"
            + "\"owner_client_id\":\"me\"}";
    String token = JSON.readTree(granted.body()).path("fencing_token").asText();
    HttpResponse<String> released =
        send(
            request("/v1/leases/release")
                .POST(BodyPublishers.ofString(release.formatted(memory, token))));
    assertThat(released.statusCode()).isEqualTo(204);
    assertThat(released.body()).isEmpty();
  }

  @Test
  void manyClaimsOfOneConnectionAreServedAtOnce() throws Exception {
    var answers =
        IntStream.range(0, 60)
            .mapToObj(i -> claim("Crowd " + "abcdefghij".charAt(i % 10) + i, uuid(), uuid()))
            .map(request -> client.sendAsync(request.build(), BodyHandlers.ofString()))
            .toList();
    for (var answer : answers) {
      // The memory is nobody's: each was decided by the database.
      assertThat(answer.get().statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aLongBodyWithoutLengthIsLoadedAsItComes() throws Exception {
    int many = 40_000;
    String identifiers =
        IntStream.range(0, many).mapToObj(i -> "\"id-" + i + "\"").collect(Collectors.joining(","));
    assertThat(send(request("/v1/pools/long").PUT(BodyPublishers.ofString("{}"))).statusCode())
        .isEqualTo(201);
    byte[] body = ("[" + identifiers + "]").getBytes(StandardCharsets.UTF_8);
    BodyPublisher stream = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    HttpResponse<String> loaded = send(request("/v1/pools/long/identifiers").POST(stream));
    assertThat(loaded.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(loaded.body()).path("inserted").asInt()).isEqualTo(many);
  }

  /** A token that has to be looked up: the request waits, and nothing of it is lost. */
  @Test
  void aRequestWaitsForItsToken() throws Exception {
    HttpResponse<String> refused =
        send(
            request("/v1/memories")
                .setHeader("Authorization", "Bearer " + BearerToken.mint())
                .POST(BodyPublishers.ofString("{\"memory_instance_id\":\"" + uuid() + "\"}")));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(send(request("/v1/memories").GET()).statusCode()).isEqualTo(200);
  }
}
