package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import io.vertx.pgclient.PgException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Days are attached ahead and dropped behind, and nobody has to wait for it. */
class PartitionsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private final TestReaper reaper = new TestReaper(DATABASE);

  @BeforeEach
  void begin() {
    upkeep();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
  }

  @AfterEach
  void close() {
    reaper.close();
  }

  @Test
  void missingDaysAreAttached() {
    drop("idempotency_records", 2);
    drop("idempotency_records", -1);
    drop("audit_events", 2);
    upkeep();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
    assertThat(auditDays()).contains(-1, 0, 1, 2);
    insertKey(DATABASE, 2);
  }

  @Test
  void daysBehindAreDroppedAndAuditEventsStayForTheirRetention() {
    attach("idempotency_records", -3);
    attach("idempotency_records", -9);
    attach("audit_events", -30);
    attach("audit_events", -31);
    upkeep();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
    assertThat(auditDays()).contains(-30).doesNotContain(-31);
    assertThat(tables("idempotency_records")).hasSize(5);
    drop("audit_events", -30);
  }

  /** What comes back may be a copy from days ago, in which nothing can be claimed today. */
  @Test
  void aDatabaseThatWasAwayGetsItsDaysAtOnce() {
    reaper.pass();
    DATABASE.run("ALTER TABLE leases RENAME TO leases_away");
    assertThatThrownBy(reaper::pass).hasRootCauseInstanceOf(PgException.class);
    DATABASE.run("ALTER TABLE leases_away RENAME TO leases");
    drop("idempotency_records", 0);
    reaper.pass();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
  }

  /** Passes go on all the while: it is not they that tell. */
  @Test
  void anOperatorSeesThatDaysAreMissingAndThatUpkeepFails() throws Exception {
    reaper.pass();
    assertThat(daysAhead()).isEqualTo(2);
    for (Object parent : parents()) {
      drop((String) parent, 2);
      reaper.pass();
      assertThat(daysAhead()).as("without a day of %s", parent).isEqualTo(1);
      upkeep();
      reaper.pass();
      assertThat(daysAhead()).isEqualTo(2);
    }
    assertThat(parents()).hasSizeGreaterThanOrEqualTo(3);
    drop("idempotency_records", 1);
    drop("pool_claims", 0);
    drop("pool_claims", 2);
    double failed = upkeeps("failed");
    try (Connection reader = DATABASE.connect()) {
      reader.setAutoCommit(false);
      reader.createStatement().execute("LOCK TABLE pool_claims IN ACCESS EXCLUSIVE MODE");
      assertThatThrownBy(this::upkeep).isInstanceOf(Exception.class);
      reader.rollback();
    }
    assertThat(upkeeps("failed")).isEqualTo(failed + 1);
    reaper.pass();
    assertThat(daysAhead()).isEqualTo(-1);
    double completed = upkeeps("completed");
    upkeep();
    reaper.pass();
    assertThat(daysAhead()).isEqualTo(2);
    assertThat(upkeeps("completed")).isEqualTo(completed + 1);
  }

  private double upkeeps(String result) {
    return reaper.counted("reaper.upkeeps", "result", result);
  }

  private double daysAhead() {
    return reaper.meters.registry().get("reaper.partitions.ahead").gauge().value();
  }

  private static List<Object> parents() {
    return DATABASE
        .rows("SELECT partrelid::regclass::text AS name FROM pg_partitioned_table")
        .stream()
        .map(row -> row.get("name"))
        .toList();
  }

  /** A dropped day's key must not run again. */
  @Test
  void aKeyOfADroppedDayFindsNoPlace() {
    assertThatThrownBy(() -> insertKey(DATABASE, -3)).hasRootCauseInstanceOf(SQLException.class);
  }

  /** store.md: behind one pg_dump every claim fails, if the locks are the wrong ones. */
  @Test
  void claimsGoOnWhileSomebodyReadsTheWholeTableForLong() throws Exception {
    attach("idempotency_records", -3);
    drop("idempotency_records", 2);
    try (Connection dump = DATABASE.connect()) {
      dump.setAutoCommit(false);
      dump.createStatement()
          .execute("LOCK TABLE idempotency_records, audit_events IN ACCESS SHARE MODE");
      dump.createStatement().executeQuery("SELECT count(*) FROM idempotency_records");

      CompletableFuture<Void> upkeep = reaper.on(reaper.partitions::upkeep);
      int claims = 0;
      while (!upkeep.isDone()) {
        insertKey(DATABASE, 0);
        claims += upkeep.isDone() ? 0 : 1;
      }
      // One that came through while the upkeep was at it waited for no lock of the upkeep's.
      assertThat(claims).isPositive();
      assertThat(upkeep).isCompletedExceptionally();
      assertThat(keyDays()).containsExactly(-3, -2, -1, 0, 1, 2);
      assertThat(pending()).isEqualTo(1L);
      insertKey(DATABASE, 2);
      dump.rollback();
    }
    upkeep();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
    assertThat(tables("idempotency_records")).hasSize(5);
  }

  @Test
  void whatWasInterruptedBetweenTwoStepsIsFinished() {
    String created = day("idempotency_records", 2);
    drop("idempotency_records", 2);
    DATABASE.run("CREATE TABLE " + created + " (LIKE idempotency_records INCLUDING ALL)");
    String detached = day("idempotency_records", -4);
    DATABASE.run("CREATE TABLE " + detached + " (LIKE idempotency_records INCLUDING ALL)");
    upkeep();
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
    assertThat(tables("idempotency_records")).contains(created).doesNotContain(detached);
  }

  @Test
  void reapersDoNotFightOverTheDays() {
    attach("idempotency_records", -3);
    drop("idempotency_records", 1);
    try (TestReaper second = new TestReaper(DATABASE);
        TestReaper third = new TestReaper(DATABASE)) {
      List.of(
              reaper.on(reaper.partitions::upkeep),
              second.on(second.partitions::upkeep),
              third.on(third.partitions::upkeep))
          .forEach(TestReaper::await);
    }
    assertThat(keyDays()).containsExactly(-2, -1, 0, 1, 2);
    assertThat(DATABASE.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
        .isEqualTo(0L);
  }

  @Test
  void thereIsNeverADefaultPartition() {
    assertThat(DATABASE.value("SELECT count(*) FROM pg_partitioned_table WHERE partdefid <> 0"))
        .isEqualTo(0L);
  }

  private void upkeep() {
    TestReaper.await(reaper.on(reaper.partitions::upkeep));
  }

  private static List<Integer> keyDays() {
    return days("idempotency_records");
  }

  private static List<Integer> auditDays() {
    return days("audit_events");
  }

  /** The attached days, from today. */
  private static List<Integer> days(String parent) {
    return DATABASE
        .rows(
            "SELECT to_date(right(c.relname, 8), 'YYYYMMDD')"
                + " - (clock_timestamp() AT TIME ZONE 'UTC')::date AS day"
                + " FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                + " WHERE i.inhparent = ?::text::regclass ORDER BY 1",
            parent)
        .stream()
        .map(row -> (Integer) row.get("day"))
        .toList();
  }

  private static List<Object> tables(String parent) {
    return DATABASE
        .rows(
            "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relname ~ ?",
            "^" + parent + "_[0-9]{8}$")
        .stream()
        .map(row -> row.get("name"))
        .toList();
  }

  private static Object pending() {
    return DATABASE.value("SELECT count(*) FROM pg_inherits WHERE inhdetachpending");
  }

  private static String day(String parent, int fromToday) {
    return (String)
        DATABASE.value(
            "SELECT ? || '_' || to_char((clock_timestamp() AT TIME ZONE 'UTC')::date + ?,"
                + " 'YYYYMMDD')",
            parent,
            fromToday);
  }

  private static void drop(String parent, int fromToday) {
    DATABASE.run("DROP TABLE " + day(parent, fromToday));
  }

  private static void attach(String parent, int fromToday) {
    String from = bound(parent, fromToday);
    String to = bound(parent, fromToday + 1);
    DATABASE.run(
        "CREATE TABLE %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(day(parent, fromToday), parent, from, to));
  }

  private static String bound(String parent, int fromToday) {
    String midnight = "((clock_timestamp() AT TIME ZONE 'UTC')::date + ?)::timestamp";
    return DATABASE
        .value(
            parent.equals("audit_events")
                ? "SELECT (" + midnight + " AT TIME ZONE 'UTC')::text"
                : "SELECT uuid_v7_floor(" + midnight + " AT TIME ZONE 'UTC')::text",
            fromToday)
        .toString();
  }

  /** As a claim inserts it, and no more patient. */
  private static void insertKey(TestDatabase database, int fromToday) {
    database.run(
        """
        SET lock_timeout = '200ms';
        INSERT INTO idempotency_records
          (tenant_id, operation, key, fingerprint, memory_id, effective_at)
        SELECT gen_random_uuid(), 1,
          uuid_v7_floor(clock_timestamp() + %d * interval '1 day'), '\\x00',
          gen_random_uuid(), clock_timestamp()
        """
            .formatted(fromToday));
  }
}
