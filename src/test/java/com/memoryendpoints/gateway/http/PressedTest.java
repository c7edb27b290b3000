package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestLog;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One connection to a database that is slow: whatever callers do, it serves them afterwards. */
@Timeout(120)
class PressedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final int CALLERS = 200;
  private static final int WAVES = 10;
  private static int names;
  private static List<String> memories;

  private TestLog errors;
  private long sessions;

  @BeforeAll
  static void ready() throws Exception {
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
    String items = "{\"items\":[{}" + ",{}".repeat(CALLERS - 1) + "]}";
    memories =
        StreamSupport.stream(
                API.ask("POST", "/v1/memories/batch", null, items)
                    .json()
                    .path("items")
                    .spliterator(),
                false)
            .map(item -> item.at("/body/memory_instance_id").asText())
            .toList();
  }

  @BeforeEach
  void listen() {
    DATABASE.run("UPDATE leases SET expires_at = clock_timestamp() - interval '1 minute'");
    sessions = sessions();
    errors = TestLog.ofErrors();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    Awaitility.await().until(() -> API.meters.requestsInFlight().sum() == 0);
    Awaitility.await().until(() -> API.meters.connectionsInUse().sum() == 0);
    Awaitility.await().until(() -> sessions() == sessions);
    DATABASE.run("UPDATE leases SET expires_at = clock_timestamp() - interval '1 minute'");
    try (RawHttp http = API.connect()) {
      assertThat(http.send(claim(memories.get(0))).answer().status()).isEqualTo(201);
    }
    errors.close();
    assertThat(errors.lines()).isEmpty();
  }

  private static long sessions() {
    return (Long)
        DATABASE.value(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND application_name = 'lease-gateway'");
  }

  /** Nobody claims until this is closed. */
  private static Connection slow() throws Exception {
    Connection slow = DATABASE.connect();
    slow.setAutoCommit(false);
    slow.createStatement().execute("LOCK TABLE leases IN ACCESS EXCLUSIVE MODE");
    return slow;
  }

  /** A whole request. */
  private static String claim(String memory) {
    String name = "\"display_name\":\"Pressed " + names++ + "\",";
    String owner = "\"owner_client_id\":\"o\",\"memory_instance_id\":\"" + memory + "\"";
    return post("/v1/leases", "{" + name + owner + "}");
  }

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAuthorization: Bearer "
        + LiveApi.TOKEN
        + "\r\nIdempotency-Key: "
        + Generators.timeBasedEpochGenerator().generate()
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** Scenario 35. */
  @Test
  void everyOneOfManyClaimsIsAnsweredThoughTheDatabaseIsNot() throws Exception {
    List<RawHttp> callers = new ArrayList<>();
    List<Answer> answers = new ArrayList<>();
    try {
      try (Connection slow = slow()) {
        for (String memory : memories) {
          callers.add(API.connect().send(claim(memory)));
        }
        // While nothing is granted yet.
        answers.add(callers.get(0).answer());
        assertThat(answers.get(0).status()).isEqualTo(503);
        slow.rollback();
      }
      for (RawHttp caller : callers.subList(1, CALLERS)) {
        answers.add(caller.answer());
      }
    } finally {
      for (RawHttp caller : callers) {
        caller.close();
      }
    }
    assertThat(answers).extracting(Answer::status).containsOnly(201, 503);
    assertThat(answers)
        .filteredOn(answer -> answer.status() == 503)
        .allSatisfy(refused -> assertThat(refused.headers()).containsKey("retry-after"));
  }

  /** Scenario 36: in the middle of a claim, of its body, and of a load. */
  @Test
  void thousandsOfCallersWhoAbortLeaveNothingBehind() throws Exception {
    for (int wave = 0; wave < WAVES; wave++) {
      List<Socket> callers = new ArrayList<>();
      try (Connection slow = slow()) {
        for (String memory : memories) {
          Socket caller = new Socket(InetAddress.getLoopbackAddress(), API.port());
          callers.add(caller);
          caller.setSoLinger(true, 0);
          caller.getOutputStream().write(begun(callers.size(), memory));
        }
        // Those whose body has yet to come; of the others as many as are not refused yet.
        Awaitility.await().until(() -> API.meters.requestsInFlight().sum() >= CALLERS / 2);
        for (Socket caller : callers) {
          caller.close();
        }
        slow.rollback();
      }
    }
  }

  /** As much of a request as has come when its caller goes away. */
  private static byte[] begun(int n, String memory) {
    String request =
        switch (n % 4) {
          case 0 -> claim(memory).replaceAll(".{9}$", "");
          case 1 -> post("/v1/pools/pressed/identifiers", "[\"a\"]").replaceAll(".$", "");
          default -> claim(memory);
        };
    return request.getBytes(StandardCharsets.UTF_8);
  }
}
