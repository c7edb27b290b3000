package com.memoryendpoints.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.GatewayProcess;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM while clients are at it: nobody notices, but that the next connection is to be opened.
 */
@Timeout(240)
class ShutdownTest {
  private static final int OWNERS = 24;
  private static final int PIPELINED = 4;
  private static final String TOKEN = "secret";
  private static final List<String> HEADERS =
      List.of("Authorization: Bearer " + TOKEN, "Content-Type: application/json");

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path scratch;

  /** Where a gateway listens. */
  private record Ports(int api, int management) {
    static Ports of(GatewayProcess gateway) {
      Matcher listens =
          Pattern.compile("API listens on \\S+:(\\d+), health and metrics on \\S+:(\\d+)\\.")
              .matcher(gateway.out());
      assertThat(listens.find()).isTrue();
      return new Ports(Integer.parseInt(listens.group(1)), Integer.parseInt(listens.group(2)));
    }
  }

  /** An owner on a connection that it keeps until it is told that the connection ends. */
  private static final class Owner {
    final UUID memory = Generators.timeBasedEpochGenerator().generate();
    final String name;
    final List<Integer> statuses = new ArrayList<>();
    final int next;
    RawHttp connection;
    long token;
    boolean moved;

    Owner(int number, int first, int next) throws IOException {
      this.name = "owner" + number;
      this.next = next;
      this.connection = new RawHttp(first);
    }

    Owner begin() throws IOException {
      ask("/v1/memories", "{\"memory_instance_id\":\"%s\"}".formatted(memory));
      claim();
      return this;
    }

    /** Until it was told to move and has renewed once more where it moved to. */
    Owner workUntilMoved(AtomicBoolean enough) throws IOException {
      for (int round = 0; !moved || !enough.get(); round++) {
        if (round % 10 == 9) {
          claim();
        } else {
          renew();
        }
      }
      renew();
      connection.close();
      return this;
    }

    private void claim() throws IOException {
      String body =
          "{\"display_name\":\"%s\",\"memory_instance_id\":\"%s\",\"owner_client_id\":\"%s\"}";
      token =
          ask(
                  "/v1/leases",
                  body.formatted(name, memory, name).replace("}", ",\"ttl_seconds\":300}"))
              .path("fencing_token")
              .asLong();
    }

    private void renew() throws IOException {
      String body =
          """
          {"canonical_name":"%s","memory_instance_id":"%s","fencing_token":%d,\
          "owner_client_id":"%s"}""";
      ask("/v1/leases/renew", body.formatted(name, memory, token, name));
    }

    /** A request that was sent whole is answered, whatever happens to the gateway. */
    private JsonNode ask(String path, String body) throws IOException {
      List<String> headers = new ArrayList<>(HEADERS);
      headers.add("Idempotency-Key: " + Generators.timeBasedEpochGenerator().generate());
      RawHttp.Answer answer = connection.send("POST", path, headers, body).answer();
      statuses.add(answer.status());
      if (answer.headers().getOrDefault("connection", "").equals("close")) {
        assertThat(connection.ends()).isTrue();
        connection.close();
        connection = new RawHttp(next);
        moved = true;
      }
      return answer.json();
    }
  }

  @Test
  void whoIsBeingServedIsAnsweredAndThenMovesOn() throws Exception {
    try (GatewayProcess stops = start(3, 30);
        GatewayProcess stays = start(0, 30)) {
      Ports first = Ports.of(stops.awaitOut("The gateway is ready"));
      int next = Ports.of(stays.awaitOut("The gateway is ready")).api();
      List<Owner> owners = new ArrayList<>();
      for (int number = 0; number < OWNERS; number++) {
        owners.add(new Owner(number, first.api(), next).begin());
      }
      AtomicBoolean over = new AtomicBoolean();
      ExecutorService threads = Executors.newCachedThreadPool();
      try (RawHttp load = new RawHttp(first.api());
          RawHttp idle = new RawHttp(first.api());
          RawHttp silent = new RawHttp(first.api())) {
        List<Future<Owner>> work = new ArrayList<>();
        owners.forEach(owner -> work.add(threads.submit(() -> owner.workUntilMoved(over))));
        Future<?> pipeline = threads.submit(() -> pipelineUntilTold(first.api()));
        idle.send("GET", "/v1/leases", HEADERS, "").answer();
        beginLoad(load);

        stops.askToEnd();
        whileTheDelayLastsItServesAndSaysThatItIsNotReady(first);
        stops.awaitOut("The gateway stops.");
        assertThat(idle.ends()).isTrue();
        assertThat(silent.ends()).isTrue();
        RawHttp.Answer loaded = load.send("3\r\n\"c\"\r\n0\r\n\r\n").answer();
        assertThat(loaded.status()).isEqualTo(200);
        assertThat(loaded.json().path("inserted").asInt()).isEqualTo(3);
        assertThat(loaded.headers()).containsEntry("connection", "close");
        assertThat(load.ends()).isTrue();

        assertThat(stops.exitCode()).isEqualTo(143);
        over.set(true);
        for (Future<Owner> each : work) {
          Owner owner = each.get(60, SECONDS);
          assertThat(owner.statuses).allMatch(status -> status / 100 == 2);
        }
        pipeline.get(60, SECONDS);
      } finally {
        threads.shutdownNow();
      }
      for (Owner owner : owners) {
        assertThat(
                DATABASE.value(
                    "SELECT last_token FROM leases WHERE memory_id = ?"
                        + " AND expires_at > clock_timestamp()",
                    owner.memory))
            .isEqualTo(owner.token);
      }
      theLastLinesSayHowItEnded(stops.out());
    }
  }

  private void whileTheDelayLastsItServesAndSaysThatItIsNotReady(Ports ports) throws Exception {
    await()
        .atMost(20, SECONDS)
        .until(() -> ask(ports.management(), "/health/ready").status() == 503);
    assertThat(ask(ports.management(), "/health/ready").body()).contains("DRAINING");
    assertThat(ask(ports.management(), "/health/live").status()).isEqualTo(200);
    RawHttp.Answer served = ask(ports.api(), "/v1/leases");
    assertThat(served.status()).isEqualTo(200);
    assertThat(served.headers()).doesNotContainKey("connection");
  }

  private static RawHttp.Answer ask(int port, String path) throws IOException {
    try (RawHttp http = new RawHttp(port)) {
      return http.send("GET", path, HEADERS, "").answer();
    }
  }

  /** Two of three identifiers; the third comes when the gateway has long been told to stop. */
  private static void beginLoad(RawHttp load) throws IOException {
    load.send("PUT", "/v1/pools/tickets", HEADERS, "{}").answer();
    load.send(
        """
        POST /v1/pools/tickets/identifiers HTTP/1.1\r
        Host: h\r
        Authorization: Bearer %s\r
        Content-Type: application/x-ndjson\r
        Transfer-Encoding: chunked\r
        \r
        8\r
        "a"
        "b"
        \r
        """
            .formatted(TOKEN));
  }

  /** Answers come in order until one says that it is the last, and none is lost on its way. */
  private static Void pipelineUntilTold(int port) throws IOException {
    try (RawHttp http = new RawHttp(port)) {
      while (true) {
        for (int i = 0; i < PIPELINED; i++) {
          http.send("GET", "/v1/leases?limit=1", HEADERS, "");
        }
        for (int i = 0; i < PIPELINED; i++) {
          RawHttp.Answer answer = http.answer();
          assertThat(answer.status()).isEqualTo(200);
          if (answer.headers().containsKey("connection")) {
            assertThat(http.ends()).isTrue();
            return null;
          }
        }
      }
    }
  }

  private static void theLastLinesSayHowItEnded(String out) throws IOException {
    JsonNode begun = line(out, "The gateway stops.");
    assertThat(begun.path("reason").asText()).isEqualTo("signal");
    assertThat(begun.path("delay_seconds").asInt()).isEqualTo(3);
    assertThat(begun.path("in_flight").isNumber()).isTrue();
    JsonNode ended = line(out, "The gateway has stopped.");
    assertThat(ended.path("reason").asText()).isEqualTo("signal");
    assertThat(ended.path("duration_ms").asLong()).isGreaterThanOrEqualTo(3_000);
    assertThat(ended.path("cut").asInt()).isZero();
    assertThat(out.lines().reduce((before, last) -> last).orElseThrow()).contains("has stopped");
  }

  private static JsonNode line(String out, String message) throws IOException {
    return new JsonMapper()
        .readTree(out.lines().filter(it -> it.contains(message)).findFirst().orElseThrow());
  }

  @Test
  void whatTakesLongerThanTheGraceIsCut() throws Exception {
    try (GatewayProcess gateway = start(0, 1)) {
      int api = Ports.of(gateway.awaitOut("The gateway is ready")).api();
      try (RawHttp load = new RawHttp(api)) {
        beginLoad(load);
        await().until(() -> ask(api, "/v1/pools/tickets").status() == 200);

        assertThat(gateway.terminate()).isEqualTo(143);
      }
      assertThat(line(gateway.out(), "The gateway has stopped.").path("cut").asInt()).isOne();
    }
  }

  @Test
  void nothingOfTheEmbeddedDatabaseIsLeftAndAnotherSignalChangesNothing() {
    Path state = scratch.resolve("state");
    try (GatewayProcess gateway = GatewayProcess.start(scratch, GatewayProcess.embeddedIn(state))) {
      gateway.awaitWelcome();
      ProcessHandle postmaster = postmaster(state);
      List<ProcessHandle> server = new ArrayList<>(postmaster.descendants().toList());
      assertThat(server).isNotEmpty();
      server.add(postmaster);

      gateway.askToEnd();
      gateway.awaitOut("The gateway stops.").askToEnd();

      assertThat(gateway.exitCode()).isEqualTo(143);
      // Who has ended, and has not been waited for by process 1 yet, has no command any more.
      assertThat(server).noneMatch(each -> each.isAlive() && each.info().command().isPresent());
      assertThat(EmbeddedDatabase.attach(state)).isEmpty();
      assertThat(gateway.out()).contains("The gateway has stopped.");
    }
  }

  private static ProcessHandle postmaster(Path state) {
    try {
      String pid = Files.readAllLines(state.resolve("data/postmaster.pid")).get(0);
      return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private GatewayProcess start(int delaySeconds, int graceSeconds) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(UTF_8));
    Map<String, String> variables = new HashMap<>();
    variables.put("GATEWAY_DATABASE_URI", DATABASE.uri());
    variables.put("GATEWAY_AUDIT_KEY", "A".repeat(43) + "=");
    variables.put(
        "GATEWAY_AUTH_TOKENS",
        "[{sha256=\"%s\",tenant_id=\"%s\",principal=p,scopes=[leases,memories,pools]}]"
            .formatted(HexFormat.of().formatHex(digest), new UUID(7, 7)));
    variables.put("GATEWAY_SHUTDOWN_DELAY_SECONDS", Integer.toString(delaySeconds));
    variables.put("GATEWAY_SHUTDOWN_GRACE_SECONDS", Integer.toString(graceSeconds));
    return GatewayProcess.start(scratch, variables);
  }
}
