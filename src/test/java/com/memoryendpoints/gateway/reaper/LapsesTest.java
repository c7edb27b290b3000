package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import java.sql.Connection;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lapses are recorded once, whoever finds them, and nothing else is. */
class LapsesTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final UUID TENANT = UUID.fromString("0190a5b4-c3d2-7e8f-9a0b-1c2d3e4f5a6b");

  @BeforeEach
  void begin() {
    DATABASE.run("TRUNCATE memory_instances, agent_names, audit_events CASCADE");
  }

  @Test
  void aLapsedLeaseIsRecordedOnceByTwoReapersThatRace() {
    LeaseRows.insert(DATABASE, 3_000, "clock_timestamp() - interval '1 minute'");
    try (TestReaper one = new TestReaper(DATABASE);
        TestReaper other = new TestReaper(DATABASE)) {
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(
              () -> {
                CompletableFuture<Void> first = one.on(one.reaper::pass);
                TestReaper.await(other.on(other.reaper::pass));
                TestReaper.await(first);
                return open() == 0;
              });
      assertThat(one.counted("reaper.lapses.recorded") + other.counted("reaper.lapses.recorded"))
          .isEqualTo(3_000);
    }
    assertThat(DATABASE.value("SELECT count(*) FROM audit_events")).isEqualTo(3_000L);
    assertThat(DATABASE.value("SELECT count(DISTINCT fencing_token) FROM audit_events"))
        .isEqualTo(3_000L);
    assertThat(DATABASE.value("SELECT count(*) FROM leases WHERE ended_as = 2")).isEqualTo(3_000L);
  }

  @Test
  void theEventIsRedactedAndSaysWhichTokenLapsed() {
    LeaseRows.insert(DATABASE, 1, "clock_timestamp() - interval '1 minute'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    var event = DATABASE.rows("SELECT * FROM audit_events").get(0);
    assertThat(event)
        .containsEntry("tenant_id", TENANT)
        .containsEntry("event_type", "LEASE_LAPSED")
        .containsEntry("actor", "reaper")
        .containsEntry("fencing_token", 1L)
        .containsEntry("key_id", TestReaper.REDACTOR.keyId())
        .containsEntry("redacted_name_hash", TestReaper.REDACTOR.name(TENANT, "canon1").getBytes())
        .containsEntry(
            "redacted_memory_hash",
            TestReaper.REDACTOR.memory(TENANT, LeaseRows.memory(1)).getBytes());
    assertThat(((UUID) event.get("event_id")).version()).isEqualTo(7);
  }

  @Test
  void aLeaseThatIsLiveOrLapsedJustNowOrEndedIsLeftAlone() {
    LeaseRows.insert(DATABASE, 4, "clock_timestamp() - interval '1 minute'");
    LeaseRows.change(DATABASE, 1, "expires_at = clock_timestamp() + interval '1 minute'");
    LeaseRows.change(DATABASE, 2, "expires_at = clock_timestamp() - interval '1 second'");
    LeaseRows.change(DATABASE, 3, "ended_as = 1");
    LeaseRows.change(DATABASE, 4, "ended_as = 3");
    Object before = DATABASE.rows("SELECT * FROM leases ORDER BY memory_id");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(DATABASE.rows("SELECT * FROM leases ORDER BY memory_id")).isEqualTo(before);
    assertThat(DATABASE.value("SELECT count(*) FROM audit_events")).isEqualTo(0L);
  }

  /** store.md, must 4: the clock was set back after the grant. */
  @Test
  void aLeaseThatEndsLaterThanAnyMayIsShortened() {
    LeaseRows.insert(DATABASE, 1, "clock_timestamp() + interval '10 hours'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(
            DATABASE.value(
                "SELECT expires_at BETWEEN clock_timestamp() + interval '290 seconds'"
                    + " AND clock_timestamp() + interval '300 seconds' FROM leases"))
        .isEqualTo(true);
    assertThat(DATABASE.value("SELECT ended_as::int FROM leases")).isEqualTo(0);
  }

  /** Scenario 16. */
  @Test
  void tenThousandLockedRowsDoNotHideTheFreeOneBehindThem() throws Exception {
    LeaseRows.insert(DATABASE, 10_001, "clock_timestamp() - interval '1 minute'");
    try (TestReaper reaper = new TestReaper(DATABASE);
        Connection blocker = DATABASE.connect()) {
      blocker.setAutoCommit(false);
      blocker
          .createStatement()
          .execute("SELECT 1 FROM leases WHERE last_token <= 10000 FOR UPDATE");
      await()
          .atMost(10, TimeUnit.SECONDS)
          .until(
              () -> {
                reaper.pass();
                return open() == 10_000;
              });
      assertThat(DATABASE.value("SELECT fencing_token FROM audit_events")).isEqualTo(10_001L);
      blocker.rollback();
    }
  }

  @Test
  void aRestartOfTheDatabaseInTheMiddleLosesAndDoublesNothing() {
    try (TestServer server = TestServer.start();
        TestDatabase own = TestDatabase.on(server)) {
      LeaseRows.insert(own, 20_000, "clock_timestamp() - interval '1 minute'");
      own.run("CHECKPOINT");
      try (TestReaper reaper = new TestReaper(own)) {
        CompletableFuture<Void> pass = reaper.on(reaper.reaper::pass);
        await().until(() -> reaper.counted("reaper.lapses.recorded") > 0);
        server.kill();
        server.restart();
        assertThat(pass.handle((done, failure) -> true).orTimeout(20, TimeUnit.SECONDS).join())
            .isTrue();
        await()
            .atMost(30, TimeUnit.SECONDS)
            .ignoreExceptions()
            .until(
                () -> {
                  reaper.pass();
                  return own.value("SELECT count(*) FROM leases WHERE ended_as = 0").equals(0L);
                });
      }
      assertThat(own.value("SELECT count(DISTINCT fencing_token) FROM audit_events"))
          .isEqualTo(20_000L);
      assertThat(own.value("SELECT count(*) FROM audit_events")).isEqualTo(20_000L);
    }
  }

  private static long open() {
    return (Long) DATABASE.value("SELECT count(*) FROM leases WHERE ended_as = 0");
  }
}
