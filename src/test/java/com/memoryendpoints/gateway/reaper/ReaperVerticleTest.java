package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reaper by itself, in a world that fails. */
class ReaperVerticleTest {
  private static TestServer server;

  private final Vertx vertx = Vertx.vertx();
  private final Meters meters = new Meters();
  private TestDatabase database;

  @BeforeAll
  static void start() {
    server = TestServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void begin() {
    database = TestDatabase.on(server);
  }

  @AfterEach
  void close() {
    done(vertx.close());
    meters.close();
    database.close();
  }

  @Test
  void itBeginsWhenTheSchemaIsThereAndStopsWhenItIsTold() {
    LeaseRows.insert(database, 10, "clock_timestamp() - interval '1 minute'");
    Promise<Void> migrated = Promise.promise();
    String id = deploy(migrated.future());
    assertThat(meters.connectionsUp().sum()).isZero();
    migrated.complete();
    awaitRecorded(10);
    assertThat(meters.connectionsUp().sum()).isEqualTo(1);
    done(vertx.undeploy(id));
    await().until(() -> meters.connectionsUp().sum() == 0);
    await()
        .until(
            () ->
                database
                    .value(
                        "SELECT count(*) FROM pg_stat_activity"
                            + " WHERE application_name = 'lease-gateway'")
                    .equals(0L));
  }

  @Test
  void aFrozenDatabaseIsGivenUpAndComeBackTo() {
    LeaseRows.insert(database, 10, "clock_timestamp() - interval '1 minute'");
    deploy(Future.succeededFuture());
    awaitRecorded(10);
    server.freeze();
    await().atMost(20, TimeUnit.SECONDS).until(() -> meters.connectionsUp().sum() == 0);
    server.thaw();
    LeaseRows.change(database, 3, "ended_as = 0, last_token = 99");
    awaitRecorded(11);
    assertThat(meters.scrape())
        .contains("reaper_passes_total{result=\"completed\"}")
        .doesNotContain("canon3", "key3", LeaseRows.memory(3).toString(), "0190a5b4");
  }

  @Test
  void aKilledDatabaseIsComeBackTo() {
    LeaseRows.insert(database, 10, "clock_timestamp() - interval '1 minute'");
    deploy(Future.succeededFuture());
    awaitRecorded(10);
    database.run("CHECKPOINT");
    server.kill();
    server.restart();
    LeaseRows.change(database, 3, "ended_as = 0, last_token = 99");
    awaitRecorded(11);
  }

  private String deploy(Future<Void> migrated) {
    return done(
        vertx.deployVerticle(
            new ReaperVerticle(
                own -> new Session(own, database.options(), meters, failure -> {}),
                new ReaperOrders(TestReaper.AUDIT_KEY, 30, 0),
                meters,
                migrated)));
  }

  private void awaitRecorded(long events) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(() -> database.value("SELECT count(*) FROM audit_events").equals(events));
  }

  private static <T> T done(Future<T> future) {
    return TestReaper.await(future.toCompletionStage().toCompletableFuture());
  }
}
