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
    try (GatewayProcess migration = migrate("--wait", "600")) {
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
    try (GatewayProcess migration =
        GatewayProcess.start(
            scratch,
            Map.of("GATEWAY_DATABASE_URI", "postgresql://u@127.0.0.1:1/d"),
            "migrate",
            "--wait",
            "1")) {
      assertThat(migration.exitCode()).isEqualTo(1);
      assertThat(migration.err()).contains("cannot be reached").doesNotContain("Exception");
    }
  }

  @Test
  void itWaitsForNothingThatTimeDoesNotHeal() {
    try (GatewayProcess migration =
        GatewayProcess.start(
            scratch,
            Map.of("GATEWAY_DATABASE_URI", database.uri().replaceAll("/[^/]*$", "/not_there")),
            "migrate",
            "--wait",
            "600")) {
      assertThat(migration.exitCode()).isEqualTo(1);
      assertThat(migration.err()).contains("not_there").doesNotContain("It is waited for");
    }
  }

  @Test
  void aTimeToWaitThatIsNoneIsRefused() {
    for (String seconds : new String[] {"-1", "86401", "1m"}) {
      try (GatewayProcess migration = migrate("--wait", seconds)) {
        assertThat(migration.exitCode()).isEqualTo(2);
        assertThat(migration.err()).contains("--wait", "Usage: lease-gateway migrate");
      }
    }
  }

  private GatewayProcess migrate(String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "migrate";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return GatewayProcess.start(scratch, Map.of("GATEWAY_DATABASE_URI", database.uri()), arguments);
  }
}
