package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestLog;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.db.Database;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * No commit is confirmed while the synchronous standby is lost. The server keeps a session that
 * waits for it, also when its connection is cut: a gateway that opened another each time would take
 * every connection that there is.
 */
class LostStandbyTest {
  private static final int CONNECTIONS = 3;
  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lease-gateway'";
  private static final String WAITING = SESSIONS + " AND wait_event = 'SyncRep'";

  /** Long enough for a connection to be cut four times. */
  private static final Duration LOST = Duration.ofSeconds(10);

  private TestServer server;
  private TestDatabase database;

  @BeforeEach
  void start() {
    server = TestServer.start(Map.of("synchronous_commit", "on"));
    database = TestDatabase.on(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void standby(String setting) {
    database.run("ALTER SYSTEM " + setting);
    database.run("SELECT pg_reload_conf()");
  }

  private long count(String sql) {
    return (Long) database.value(sql);
  }

  @Test
  void aGatewayHoldsFewSessionsWhileItIsLostAndServesWhenItIsBack() {
    try (TestLog log = TestLog.of(Database.class);
        TestPod pod = new TestPod(database)) {
      UUID memory = pod.memory();
      UUID taken = pod.memory();
      Lease held = pod.call(() -> pod.leases.claim(pod.claim("held", taken))).lease();
      List<Future<?>> calls = new ArrayList<>();
      standby("SET synchronous_standby_names = 'nobody'");
      Awaitility.await()
          .failFast("more sessions each time", () -> count(SESSIONS) > 2 * CONNECTIONS)
          .during(LOST)
          .atMost(LOST.multipliedBy(3))
          .until(
              () ->
                  calls.add(pod.start(() -> pod.leases.claim(pod.claim("lost", memory))))
                      && calls.add(pod.start(() -> pod.leases.renew(TestPod.renewal(held, 300)))));
      assertThat(count(WAITING)).isBetween(1L, 2L * CONNECTIONS);
      assertThat(calls)
          .allSatisfy(call -> assertThat(Answers.problem(call).status()).isEqualTo(503));
      assertThat(log.lines()).anyMatch(line -> line.contains("waited for a synchronous standby"));

      standby("RESET synchronous_standby_names");
      pod.awaitUp();
      UUID other = pod.memory();
      assertThat(pod.call(() -> pod.leases.claim(pod.claim("found", other)))).isNotNull();
      Awaitility.await().until(() -> count(SESSIONS) == CONNECTIONS);
    }
  }
}
