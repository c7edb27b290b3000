package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenario 6: whatever happened since a lease was seen as lapsed, the reaper does not undo it. */
class LateReaperTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int LEASES = 20;
  private static final int RACE_STEPS = 400;

  @BeforeEach
  void begin() {
    DATABASE.run("TRUNCATE memory_instances, agent_names, audit_events CASCADE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "expires_at = clock_timestamp() + interval '30 seconds'",
        "last_token = last_token + 1, expires_at = clock_timestamp() + interval '30 seconds'",
        "last_token = last_token + 1",
        "ended_as = 1, expires_at = clock_timestamp()",
        "ended_as = 2",
        "ended_as = 3, last_token = last_token + 1, expires_at = clock_timestamp()"
      })
  void whatChangedSinceItWasSeenIsLeftAlone(String change) {
    LeaseRows.insert(DATABASE, 1, "clock_timestamp() - interval '1 minute'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      List<Row> seen = find(reaper, 5_000);
      assertThat(seen).hasSize(1);
      LeaseRows.change(DATABASE, 1, change);
      Object before = DATABASE.rows("SELECT * FROM leases");
      assertThat(record(reaper, seen, 5_000)).isZero();
      assertThat(DATABASE.rows("SELECT * FROM leases")).isEqualTo(before);
    }
    assertThat(DATABASE.value("SELECT count(*) FROM audit_events")).isEqualTo(0L);
  }

  @Test
  void aLeaseWhoseNameWasTakenAwayIsStillRecordedForItsTenant() {
    LeaseRows.insert(DATABASE, 1, "clock_timestamp() - interval '1 minute'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      List<Row> seen = find(reaper, 5_000);
      LeaseRows.change(DATABASE, 1, "name_key = NULL");
      assertThat(record(reaper, seen, 5_000)).isEqualTo(1);
    }
  }

  /** Owners that renew at the last moment and claimers against reapers without any grace. */
  @Test
  void noRenewalAndNoGrantIsEverReapedAndNoLapseIsRecordedTwice() throws Exception {
    long seed = new Random().nextLong();
    LeaseRows.insert(DATABASE, LEASES, "clock_timestamp() + interval '10 ms'");
    DATABASE.run("UPDATE leases SET last_token = last_token * 1000000");
    DATABASE.run("CREATE TABLE kept (token bigint, until timestamptz)");
    var threads = Executors.newFixedThreadPool(3);
    try (TestReaper one = new TestReaper(DATABASE);
        TestReaper other = new TestReaper(DATABASE)) {
      List<CompletableFuture<Void>> owners =
          IntStream.range(0, 3)
              .mapToObj(n -> CompletableFuture.runAsync(() -> own(new Random(seed + n)), threads))
              .toList();
      while (owners.stream().anyMatch(owner -> !owner.isDone())) {
        for (TestReaper reaper : List.of(one, other)) {
          record(reaper, find(reaper, 0), 0);
        }
      }
      owners.forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
    assertThat(
            DATABASE.rows(
                "SELECT * FROM kept JOIN audit_events e ON e.fencing_token = kept.token"
                    + " WHERE kept.until > e.created_at"))
        .as("seed %d", seed)
        .isEmpty();
    assertThat(
            DATABASE.rows("SELECT fencing_token FROM audit_events GROUP BY 1 HAVING count(*) > 1"))
        .as("seed %d", seed)
        .isEmpty();
    assertThat((Long) DATABASE.value("SELECT count(*) FROM audit_events")).isPositive();
  }

  /** Renews what is live and claims what is not, as the statements of leases do. */
  private static void own(Random random) {
    try (Connection connection = DATABASE.connect();
        var step =
            connection.prepareStatement(
                """
                WITH locked AS MATERIALIZED (
                  SELECT * FROM leases WHERE memory_id = ? FOR NO KEY UPDATE SKIP LOCKED),
                clock AS MATERIALIZED (SELECT clock_timestamp() AS now, count(*) FROM locked),
                kept AS (
                  UPDATE leases l SET
                    expires_at = greatest(l.expires_at, now + ? * interval '1 ms'), ended_as = 0,
                    last_token = l.last_token
                      + CASE WHEN k.ended_as = 0 AND k.expires_at > now THEN 0 ELSE 1 END
                  FROM locked k, clock WHERE l.memory_id = k.memory_id
                  RETURNING l.last_token, l.expires_at)
                INSERT INTO kept SELECT * FROM kept
                """)) {
      for (int i = 0; i < RACE_STEPS; i++) {
        step.setObject(1, LeaseRows.memory(1 + random.nextInt(LEASES)));
        step.setInt(2, 1 + random.nextInt(15));
        step.execute();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Row> find(TestReaper reaper, int graceMs) {
    return TestReaper.await(
        reaper.on(
            () ->
                reaper.session.run(
                    Sql.FIND_LAPSED_LEASES,
                    Tuple.of(0L, 1_000L, graceMs, 300, 1_000),
                    row -> row)));
  }

  private static int record(TestReaper reaper, List<Row> seen, int graceMs) {
    IntFunction<Buffer> hash = n -> Buffer.buffer(new byte[32]);
    Tuple parameters =
        Tuple.tuple()
            .addArrayOfUUID(seen.stream().map(r -> r.getUUID("memory_id")).toArray(UUID[]::new))
            .addArrayOfLong(seen.stream().map(r -> r.getLong("last_token")).toArray(Long[]::new))
            .addArrayOfOffsetDateTime(
                seen.stream()
                    .map(r -> r.getOffsetDateTime("expires_at"))
                    .toArray(OffsetDateTime[]::new))
            .addArrayOfBuffer(IntStream.range(0, seen.size()).mapToObj(hash).toArray(Buffer[]::new))
            .addArrayOfBuffer(IntStream.range(0, seen.size()).mapToObj(hash).toArray(Buffer[]::new))
            .addArrayOfUUID(seen.stream().map(r -> UUID.randomUUID()).toArray(UUID[]::new))
            .addInteger(7)
            .addInteger(graceMs)
            .addInteger(300);
    return TestReaper.await(
            reaper.on(
                () ->
                    reaper.session.run(
                        Sql.RECORD_LAPSED_LEASES, parameters, row -> row.getInteger("recorded"))))
        .get(0);
  }
}
