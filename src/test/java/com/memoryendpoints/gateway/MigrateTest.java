package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The migration that an init container runs, while the database is away. */
class MigrateTest {
  private static TestServer server;
  private static TestDatabase database;

  @TempDir private Path scratch;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    database = TestDatabase.emptyOn(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aMigrationThatIsToldToWaitIsDoneWhenTheDatabaseIsBack() {
    server.stop();
    try (GatewayProcess migration = migrate(database.uri(), "--wait", "600")) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> migration.err().contains("It is waited for"));
      assertThat(migration.isAlive()).isTrue();
      server.restart();

      assertThat(migration.exitCode()).as(migration.err()).isZero();
      assertThat(migration.out()).contains("is up to date");
      assertThat(database.value("SELECT count(*) FROM leases")).isEqualTo(0L);
    }
  }

  @Test
  void itWaitsNoLongerThanItIsTold() {
    try (GatewayProcess migration = migrate("postgresql://u@127.0.0.1:1/d", "--wait", "1")) {
      assertThat(migration.exitCode()).isEqualTo(1);
      assertThat(migration.err()).contains("cannot be reached").doesNotContain("Exception");
    }
  }

  @Test
  void itWaitsForNothingThatTimeDoesNotHeal() {
    String elsewhere = database.uri().replaceAll("/[^/]*$", "/not_there");
    try (GatewayProcess migration = migrate(elsewhere, "--wait", "600")) {
      assertThat(migration.exitCode()).isEqualTo(1);
      assertThat(migration.err()).contains("not_there").doesNotContain("It is waited for");
    }
  }

  @Test
  void aTimeToWaitThatIsNoneIsRefused() {
    for (String seconds : new String[] {"-1", "86401", "1m"}) {
      try (GatewayProcess migration = migrate(database.uri(), "--wait", seconds)) {
        assertThat(migration.exitCode()).isEqualTo(2);
        assertThat(migration.err()).contains("--wait", "Usage: lease-gateway migrate");
      }
    }
  }

  private GatewayProcess migrate(String uri, String option, String value) {
    return GatewayProcess.start(
        scratch, Map.of("GATEWAY_DATABASE_URI", uri), "migrate", option, value);
  }
}
