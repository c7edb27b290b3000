package com.memoryendpoints.gateway.db;

import static com.memoryendpoints.gateway.db.Loop.await;
import static com.memoryendpoints.gateway.db.Loop.problem;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that freeze, die, restart and are promoted. */
class ServerTest {
  private static TestServer server;
  private static TestDatabase database;

  private Loop loop;
  private Batcher<String, Probe.Answer> claims;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    database = TestDatabase.on(server);
    Probe.install(database);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    loop = Loop.open(database.options(), 2);
    claims = loop.probe(Lane.CLAIM, true);
    Awaitility.await().until(() -> loop.meters.connectionsUp().sum() == 2);
  }

  @AfterEach
  void close() {
    assertThat(loop.isEmpty()).isTrue();
    loop.close();
  }

  private void becomes(Standing standing) {
    Awaitility.await().until(() -> loop.database().standing() == standing);
  }

  @Test
  void aFrozenServerIsAnsweredInTimeAndRecoveredFrom() {
    server.freeze();
    try {
      long from = System.nanoTime();
      List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "ok", "ok");
      answers.forEach(a -> assertThat(problem(a)).isEqualTo(Problem.OUTCOME_UNKNOWN));
      assertThat((System.nanoTime() - from) / 1_000_000).isLessThan(Limits.REQUEST_MS_MAX);
      Awaitility.await().until(() -> problem(loop.submitOne(claims, "ok")) == Problem.UNAVAILABLE);
    } finally {
      server.thaw();
    }
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").batchRows()).isOne();
  }

  @Test
  void aServerThatWasKilledIsReconnected() {
    server.kill();
    becomes(Standing.DOWN);
    server.restart();
    becomes(Standing.UP);
    assertThat(await(loop.submitOne(claims, "ok")).batchRows()).isOne();
  }

  @Test
  void aStandbyIsRefusedUntilItIsPromoted() throws IOException {
    server.stop();
    Files.createFile(server.dataDirectory().resolve("standby.signal"));
    server.restart();
    becomes(Standing.STANDBY);
    assertThat(problem(loop.submitOne(claims, "ok"))).isEqualTo(Problem.UNAVAILABLE);
    database.run("SELECT pg_promote()");
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").batchRows()).isOne();
  }
}
