package com.memoryendpoints.gateway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The schema goes forward only, and says why when it cannot. */
class SchemaTest {
  private final TestDatabase database = TestDatabase.empty();

  @BeforeEach
  void create() {
    database.beforeAll(null);
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void anEmptyDatabaseIsMigratedOnceAndASecondTimeChangesNothing() throws Exception {
    assertThat(Schema.migrate(config())).isPositive();
    assertThat(Schema.migrate(config())).isZero();
    assertThat(database.value("SELECT count(*) FROM leases")).isEqualTo(0L);
  }

  /** A laptop that slept for a week must not refuse its first claim. */
  @Test
  void aGatewayThatWasAwayForDaysFindsTodayAttachedBeforeItServes() throws Exception {
    Schema.migrate(config());
    Object days = database.value("SELECT count(*) FROM pg_inherits");
    for (String parent : List.of("idempotency_records", "audit_events")) {
      database.run(
          "DO $$ DECLARE t text; BEGIN FOREACH t IN ARRAY ARRAY(SELECT inhrelid::regclass::text"
              + " FROM pg_inherits WHERE inhparent = '%s'::regclass) LOOP".formatted(parent)
              + " EXECUTE 'DROP TABLE ' || t; END LOOP; END $$");
    }
    Schema.migrate(config());
    assertThat(database.value("SELECT count(*) FROM pg_inherits")).isEqualTo(days);
  }

  @Test
  void twoProcessesThatMigrateAtOnceWaitForEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Integer> migration = () -> Schema.migrate(config());
      Future<Integer> one = threads.submit(migration);
      Future<Integer> other = threads.submit(migration);

      assertThat(one.get() + other.get()).isPositive();
      assertThat(Math.min(one.get(), other.get())).isZero();
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aSchemaThatIsNewerThanTheJarIsRefused() throws Exception {
    Schema.migrate(config());
    database.run(
        "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (9000, '9000', 'later', 'SQL', 'V9000__later.sql', 'later', 0, true)");

    assertThatThrownBy(() -> Schema.migrate(config()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("is at version 9000, newer than this gateway knows")
        .extracting(e -> ((CannotStart) e).exitCode())
        .isEqualTo(1);
  }

  @Test
  void aMigrationThatFailsIsToldAndNothingOfItIsKept() {
    assertThatThrownBy(() -> Schema.migrate(config(), "classpath:db/failing"))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("cannot be migrated: ERROR: division by zero");
    assertThat(database.value("SELECT to_regclass('half_way')")).isNull();
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsUnreachableAndNoSecretIsTold() {
    DatabaseUri nowhere = new DatabaseUri("127.0.0.1", 1, "d", "u", "hunter2");

    assertThatThrownBy(
            () -> Schema.migrate(new Config.Database(nowhere, SslMode.PREFER, null, 1, 0)))
        .isInstanceOf(DatabaseUnreachable.class)
        .hasMessageContaining("The database postgresql://u@127.0.0.1:1/d cannot be reached")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void anEncryptedConnectionIsRequiredOfAServerThatHasNoneInVain() {
    assertThatThrownBy(() -> Schema.migrate(config(SslMode.REQUIRE)))
        .isInstanceOf(DatabaseUnreachable.class)
        .hasMessageContaining("SSL");
  }

  @Test
  void anAnchorThatIsRightStaysAndAForeignOneIsMovedAhead() throws Exception {
    Schema.migrate(config());
    assertThat(Schema.anchorEpoch(config())).isEmpty();

    database.run("UPDATE fencing_epoch SET system_identifier = 1");

    assertThat(Schema.anchorEpoch(config()).orElseThrow()).isGreaterThanOrEqualTo(64);
    assertThat(Schema.anchorEpoch(config())).isEmpty();
  }

  @Test
  void anchoringBeforeMigratingSaysWhatToRun() {
    assertThatThrownBy(() -> Schema.anchorEpoch(config()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("Run the subcommand migrate first");
  }

  private Config.Database config() {
    return config(SslMode.PREFER);
  }

  private Config.Database config(SslMode mode) {
    return new Config.Database(DatabaseUri.parse(database.uri()), mode, null, 1, 0);
  }
}
