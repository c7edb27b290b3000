package com.memoryendpoints.gateway.reaper;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.pool.Consumption;
import com.memoryendpoints.gateway.pool.Hold;
import com.memoryendpoints.gateway.pool.HoldRef;
import com.memoryendpoints.gateway.pool.HoldRenewal;
import com.memoryendpoints.gateway.pool.Load;
import com.memoryendpoints.gateway.pool.PoolClaim;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.pool.PoolSettings;
import com.memoryendpoints.gateway.pool.PutPool;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lapsed holds are taken back once, whoever finds them, and nothing else is (Law 5.1). */
class HoldsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final String LAPSED = "clock_timestamp() - interval '1 minute'";

  @BeforeEach
  void begin() {
    DATABASE.run("TRUNCATE pools, identifiers, pool_counts, deleted_pools, audit_events");
  }

  @Test
  void aLapsedHoldIsTakenBackOnceByTwoReapersThatRace() {
    HoldRows.insertPool(DATABASE, 1, 0, "NULL");
    HoldRows.insert(DATABASE, 1, 3_000, LAPSED);
    try (TestReaper one = new TestReaper(DATABASE);
        TestReaper other = new TestReaper(DATABASE)) {
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(
              () -> {
                CompletableFuture<Void> first = one.on(one.reaper::pass);
                TestReaper.await(other.on(other.reaper::pass));
                TestReaper.await(first);
                return HoldRows.count(DATABASE, 1) == 0;
              });
      assertThat(one.counted("reaper.holds.reclaimed") + other.counted("reaper.holds.reclaimed"))
          .isEqualTo(3_000);
    }
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM identifiers WHERE state = 0 AND attempts = 1"
                    + " AND available_at > clock_timestamp() - interval '1 minute'"))
        .isEqualTo(3_000L);
    // The tokens are where they were (Law 5.1).
    assertThat(DATABASE.value("SELECT count(DISTINCT last_token) FROM identifiers"))
        .isEqualTo(3_000L);
    assertThat(DATABASE.value("SELECT sum(unused)::bigint FROM pool_counts")).isEqualTo(3_000L);
    assertThat(DATABASE.value("SELECT sum(pending)::bigint FROM pool_counts")).isEqualTo(-3_000L);
  }

  @Test
  void whatIsHeldOrWithinItsGraceOrEndedIsLeftAlone() {
    HoldRows.insertPool(DATABASE, 1, 0, "NULL");
    HoldRows.insertPool(DATABASE, 2, 60_000, "NULL");
    HoldRows.insert(DATABASE, 1, 4, LAPSED);
    HoldRows.insert(DATABASE, 2, 1, "clock_timestamp() - interval '59 seconds'");
    DATABASE.run(
        """
        UPDATE identifiers SET leased_until = clock_timestamp() + interval '1 minute'
          WHERE identifier = 'id1' AND leased_until < clock_timestamp() - interval '59900 ms';
        UPDATE identifiers SET state = 0 WHERE identifier = 'id2';
        UPDATE identifiers SET state = 2 WHERE identifier = 'id3';
        UPDATE identifiers SET state = 3 WHERE identifier = 'id4';
        """);
    Object before = DATABASE.rows("SELECT * FROM identifiers ORDER BY identifier_id");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(DATABASE.rows("SELECT * FROM identifiers ORDER BY identifier_id")).isEqualTo(before);
    assertThat(DATABASE.value("SELECT count(*) FROM audit_events")).isEqualTo(0L);
  }

  /** Two minutes pass between a renewal and the next, and the reaper comes after each. */
  @Test
  void aHoldThatIsRenewedForAnHourIsNeverTakenBack() {
    TestPod holder = new TestPod(DATABASE);
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      PoolName pool = new PoolName("renewed");
      holder.call(() -> holder.pools.put(new PutPool(CALLER, pool, new PoolSettings(300, 1, 0))));
      holder.call(() -> holder.pools.load(new Load(CALLER, pool, List.of("one"))));
      Hold hold =
          holder
              .call(
                  () ->
                      holder.pools.claim(
                          new PoolClaim(holder.key(), CALLER, pool, "worker", 1, null)))
              .holds()
              .get(0);
      HoldRef ref = new HoldRef(CALLER, pool, hold.identifierId(), hold.token());
      for (int minutes = 0; minutes < 60; minutes += 2) {
        DATABASE.run(
            "UPDATE identifiers SET leased_until = leased_until - interval '2 minutes',"
                + " claimed_at = claimed_at - interval '2 minutes'");
        holder.call(() -> holder.pools.renew(new HoldRenewal(ref, null)));
        reaper.pass();
      }
      holder.call(() -> holder.pools.consume(new Consumption(ref, null)));
      assertThat(reaper.counted("reaper.holds.reclaimed")).isZero();
    } finally {
      holder.close();
    }
  }

  @Test
  void whoLapsedTooOftenIsDeadAndItIsSaid() {
    HoldRows.insertPool(DATABASE, 1, 0, "3");
    HoldRows.insert(DATABASE, 1, 5, LAPSED);
    DATABASE.run("UPDATE identifiers SET attempts = 2 WHERE last_token <= 2");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
      assertThat(reaper.counted("reaper.holds.reclaimed")).isEqualTo(5);
      assertThat(reaper.counted("reaper.identifiers.dead")).isEqualTo(2);
      assertThat(reaper.meters.registry().get("reaper.holds.lag").gauge().value())
          .isBetween(59.0, 120.0);
      reaper.pass();
      assertThat(reaper.meters.registry().get("reaper.holds.lag").gauge().value()).isZero();
    }
    assertThat(HoldRows.count(DATABASE, 3)).isEqualTo(2);
    assertThat(HoldRows.count(DATABASE, 0)).isEqualTo(3);
    var events = DATABASE.rows("SELECT * FROM audit_events ORDER BY event_type");
    assertThat(events).hasSize(2);
    assertThat(events.get(0))
        .containsAllEntriesOf(
            Map.of(
                "event_type",
                "HOLDS_RECLAIMED",
                "actor",
                "reaper",
                "tenant_id",
                HoldRows.TENANT,
                "fencing_token",
                5L,
                "redacted_name_hash",
                TestReaper.REDACTOR.name(HoldRows.TENANT, "pool1").getBytes()));
    assertThat(events.get(1))
        .containsEntry("event_type", "IDENTIFIERS_DEAD")
        .containsEntry("fencing_token", 2L);
  }

  /** Scenario 16. */
  @Test
  void tenThousandLockedRowsDoNotHideTheFreeOneBehindThem() throws Exception {
    HoldRows.insertPool(DATABASE, 1, 0, "NULL");
    HoldRows.insert(DATABASE, 1, 10_001, LAPSED + " - (10001 - n) * interval '1 ms'");
    try (TestReaper reaper = new TestReaper(DATABASE);
        Connection blocker = DATABASE.connect()) {
      blocker.setAutoCommit(false);
      blocker
          .createStatement()
          .execute("SELECT 1 FROM identifiers WHERE last_token <= 10000 FOR UPDATE");
      reaper.pass();
      assertThat(HoldRows.count(DATABASE, 1)).isEqualTo(10_000);
      assertThat(DATABASE.value("SELECT last_token FROM identifiers WHERE state = 0"))
          .isEqualTo(10_001L);
      blocker.rollback();
    }
  }

  /** It looks at the hold, which is renewed while it waits to be locked. */
  @Test
  void aHoldThatWasRenewedMeanwhileIsLeftAlone() {
    HoldRows.insertPool(DATABASE, 1, 0, "NULL");
    HoldRows.insert(DATABASE, 1, 1, LAPSED);
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      CompletableFuture<Void> pass = reaper.on(reaper.reaper::pass);
      DATABASE.run(
          "UPDATE identifiers SET leased_until = clock_timestamp() + interval '1 minute'"
              + " WHERE state = 1");
      TestReaper.await(pass);
      reaper.pass();
      // Whoever came first: never taken back and yet to be held.
      assertThat(
              DATABASE.value(
                  "SELECT (state = 1 AND attempts = 0) OR (state = 0 AND attempts = 1)"
                      + " FROM identifiers"))
          .isEqualTo(true);
    }
  }

  /**
   * Scenario 15: the statement has its snapshot, in which the hold has lapsed, and has yet to lock
   * the row.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "state = 2",
        "state = 0",
        "leased_until = clock_timestamp() + interval '1 minute'",
        "leased_until = clock_timestamp() + interval '1 minute', last_token = last_token + 1"
      })
  void whatEndedBetweenTheReadingAndTheWritingStaysEnded(String change) throws Exception {
    try (TestDatabase own = TestDatabase.on(TestServer.shared());
        TestReaper reaper = new TestReaper(own);
        Connection stop = own.connect()) {
      HoldRows.insertPool(own, 1, 0, "NULL");
      HoldRows.insert(own, 1, 1, LAPSED);
      own.run(
          """
          CREATE FUNCTION waits() RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_advisory_xact_lock(15); RETURN true; END $$;
          ALTER TABLE pools RENAME TO stored_pools;
          CREATE VIEW pools AS SELECT * FROM stored_pools WHERE waits();
          """);
      stop.createStatement().execute("SELECT pg_advisory_lock(15)");
      CompletableFuture<List<Integer>> reclaimed = reclaim(reaper);
      await()
          .until(
              () ->
                  own.value(
                          "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'"
                              + " AND datname = current_database()")
                      .equals(1L));
      own.run("UPDATE identifiers SET " + change);
      Object before = own.rows("SELECT * FROM identifiers");
      stop.createStatement().execute("SELECT pg_advisory_unlock(15)");
      assertThat(TestReaper.await(reclaimed)).containsExactly(0);
      assertThat(own.rows("SELECT * FROM identifiers")).isEqualTo(before);
      assertThat(own.value("SELECT count(*) FROM audit_events")).isEqualTo(0L);
      assertThat(own.value("SELECT count(*) FROM pool_counts")).isEqualTo(0L);
    }
  }

  private static CompletableFuture<List<Integer>> reclaim(TestReaper reaper) {
    Tuple parameters =
        Tuple.of(
            HoldRows.pool(1),
            256,
            300,
            UUID.randomUUID(),
            UUID.randomUUID(),
            7,
            TestReaper.REDACTOR.name(HoldRows.TENANT, "pool1"));
    return reaper.on(
        () ->
            reaper.session.run(Sql.RECLAIM_HOLDS, parameters, row -> row.getInteger("reclaimed")));
  }

  /** store.md, must 4: the clock was set back after the grant. */
  @Test
  void aHoldThatEndsLaterThanAnyMayIsShortened() {
    HoldRows.insertPool(DATABASE, 1, 0, "NULL");
    HoldRows.insert(DATABASE, 1, 1, "clock_timestamp() + interval '10 hours'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(
            DATABASE.value(
                "SELECT state = 1 AND leased_until BETWEEN clock_timestamp() + interval '290 s'"
                    + " AND clock_timestamp() + interval '300 s' FROM identifiers"))
        .isEqualTo(true);
  }

  @Test
  void noPoolWaitsUntilABiggerOneIsDone() {
    for (int n = 1; n <= 3; n++) {
      HoldRows.insertPool(DATABASE, n, 0, "NULL");
    }
    HoldRows.insert(DATABASE, 1, 30_000, LAPSED);
    HoldRows.insert(DATABASE, 2, 3, LAPSED);
    HoldRows.insert(DATABASE, 3, 3, LAPSED);
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      for (int i = 0; i < 3; i++) {
        reaper.pass();
      }
    }
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM identifiers WHERE state = 1 AND pool_id <> ?",
                HoldRows.pool(1)))
        .isEqualTo(0L);
  }

  @Test
  void aRestartOfTheDatabaseInTheMiddleLosesAndDoublesNothing() {
    try (TestServer server = TestServer.start();
        TestDatabase own = TestDatabase.on(server)) {
      HoldRows.insertPool(own, 1, 0, "NULL");
      HoldRows.insert(own, 1, 20_000, LAPSED);
      own.run("CHECKPOINT");
      try (TestReaper reaper = new TestReaper(own)) {
        CompletableFuture<Void> pass = reaper.on(reaper.reaper::pass);
        await().until(() -> reaper.counted("reaper.holds.reclaimed") > 0);
        server.kill();
        server.restart();
        assertThat(pass.handle((done, failure) -> true).orTimeout(20, TimeUnit.SECONDS).join())
            .isTrue();
        await()
            .atMost(60, TimeUnit.SECONDS)
            .ignoreExceptions()
            .until(
                () -> {
                  reaper.pass();
                  return HoldRows.count(own, 1) == 0;
                });
      }
      assertThat(own.value("SELECT count(*) FROM identifiers WHERE attempts <> 1")).isEqualTo(0L);
      assertThat(own.value("SELECT sum(unused)::bigint FROM pool_counts")).isEqualTo(20_000L);
    }
  }
}
