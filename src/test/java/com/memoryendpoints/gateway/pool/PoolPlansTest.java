package com.memoryendpoints.gateway.pool;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.lease.TestPod;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However the planner goes about it, a statement changes as many rows as it was asked to; and by
 * the gateway's own settings it reads no more than it needs, also of a table that was nearly empty
 * when the plan was made.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolPlansTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int BATCH = 100;

  /** Each is read where it is picked, where it is written, and where an index still has it. */
  private static final long READS_PER_MEMBER_MAX = 10;

  private Vertx vertx;
  private TestPod pod;

  @BeforeAll
  void start() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  void stop() {
    pod.close();
    TestPod.await(vertx.close());
  }

  private List<Consumption> consumptions(TestPool pool, List<Hold> holds) {
    return holds.stream().map(hold -> new Consumption(pool.ref(hold), null)).toList();
  }

  /** The seed's LIMIT 1, as written, updates every row under a nested loop. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "enable_indexscan",
        "enable_indexscan enable_bitmapscan enable_indexonlyscan",
        "enable_nestloop",
        "enable_hashjoin enable_mergejoin",
        "enable_hashjoin enable_mergejoin enable_material enable_memoize",
        "enable_sort enable_hashagg",
        "enable_nestloop enable_hashjoin",
        "enable_nestloop enable_mergejoin enable_indexscan"
      })
  void noPlanChangesMoreRowsThanAsked(String disabled) {
    String name = "p" + disabled.replace(" ", ".").replace("enable_", "");
    TestPool pool =
        TestPool.made(
            pod,
            DATABASE,
            name.substring(0, Math.min(63, name.length())),
            new PoolSettings(30, 2, 0));
    Map<String, String> off = new java.util.HashMap<>(Map.of("enable_seqscan", "on"));
    for (String setting : disabled.split(" ", -1)) {
      if (!setting.isEmpty()) {
        off.put(setting, "off");
      }
    }
    try (PoolLink link = new PoolLink(vertx, DATABASE, pod, off)) {
      link.answers(
          link.loads, List.of(new Load(CALLER, pool.name(), TestPool.identifiers("id", 200))));
      assertThat(pool.counted()).isEqualTo(new PoolCounts(200, 0, 0, 0));
      List<Held> held =
          link.answers(link.claims, List.of(pool.claim(1), pool.claim(7), pool.claim(2)));
      assertThat(held.stream().map(one -> one.holds().size())).containsExactlyInAnyOrder(1, 7, 2);
      assertThat(pool.counted()).isEqualTo(new PoolCounts(190, 10, 0, 0));
      List<Hold> holds = held.stream().flatMap(one -> one.holds().stream()).toList();
      link.answers(
          link.renewals,
          holds.subList(0, 5).stream().map(h -> new HoldRenewal(pool.ref(h), 300)).toList());
      assertThat(
              DATABASE.value(
                  "SELECT count(*) FROM identifiers WHERE pool_id = ?"
                      + " AND leased_until > clock_timestamp() + interval '60 seconds'",
                  pool.id()))
          .isEqualTo(5L);
      link.answers(link.consumptions, consumptions(pool, holds.subList(0, 3)));
      link.answers(
          link.releases,
          holds.subList(3, 5).stream().map(h -> new HoldRelease(pool.ref(h), 0)).toList());
      assertThat(pool.counted()).isEqualTo(new PoolCounts(192, 5, 3, 0));
      assertThat(pool.noted()).isEqualTo(3);
      pool.lapseAll();
      reclaim(link, pool, 2);
      assertThat(pool.counted()).isEqualTo(new PoolCounts(194, 3, 3, 0));
      pool.database().run("UPDATE identifiers SET attempts = 1 WHERE state = 1");
      reclaim(link, pool, 2);
      assertThat(pool.counted()).isEqualTo(new PoolCounts(194, 1, 3, 2));
      link.answers(link.redrives, List.of(new Redrive(CALLER, pool.name(), null)));
      assertThat(pool.counted()).isEqualTo(new PoolCounts(196, 1, 3, 0));
      assertThat(pool.found().counts()).isEqualTo(pool.counted());
    }
  }

  private static void reclaim(PoolLink link, TestPool pool, int most) {
    link.rows(
        Sql.RECLAIM_HOLDS.text(),
        Tuple.of(pool.id(), most, 300, UUID.randomUUID(), UUID.randomUUID(), 1, null));
  }

  @Test
  void aBatchReadsFewRowsOfAFullTable() {
    TestPool pool = TestPool.made(pod, DATABASE, "full", TestPool.NO_GRACE);
    try (PoolLink link = new PoolLink(vertx, DATABASE, pod, Map.of())) {
      DATABASE.run("VACUUM ANALYZE");
      // Every plan is made now, on tables that are known to have next to no rows.
      pool.loads("early", 4);
      List<Hold> early = link.answers(link.claims, List.of(pool.claim(4))).get(0).holds();
      link.answers(link.consumptions, consumptions(pool, early.subList(0, 2)));
      link.answers(
          link.renewals,
          early.subList(2, 4).stream().map(h -> new HoldRenewal(pool.ref(h), 9)).toList());
      link.answers(
          link.releases,
          early.subList(2, 4).stream().map(h -> new HoldRelease(pool.ref(h), 0)).toList());
      for (int i = 0; i < 5; i++) {
        pool.loads("late" + i, 5_000);
      }
      DATABASE.run(
          "UPDATE identifiers SET state = 2 WHERE identifier LIKE 'late0%' OR identifier LIKE"
              + " 'late1%'");
      readsFew(link, link.claims, List.of(pool.claim(BATCH)));
      List<Hold> holds = link.answers(link.claims, List.of(pool.claim(BATCH))).get(0).holds();
      assertThat(holds).hasSize(BATCH);
      readsFew(
          link, link.renewals, holds.stream().map(h -> new HoldRenewal(pool.ref(h), 300)).toList());
      readsFew(
          link, link.releases, holds.stream().map(h -> new HoldRelease(pool.ref(h), 0)).toList());
      readsFew(link, link.consumptions, consumptions(pool, holds));
    }
  }

  private static <Q, R> void readsFew(
      PoolLink link, com.memoryendpoints.gateway.db.BatchStatement<Q, R> statement, List<Q> batch) {
    link.run("SELECT pg_stat_force_next_flush()");
    link.run("BEGIN");
    link.answers(statement, batch);
    var tables =
        link.rows(
            "SELECT relname::text, seq_scan, coalesce(idx_tup_fetch, 0) AS fetched"
                + " FROM pg_stat_xact_user_tables WHERE relname <> 'fencing_epoch'",
            Tuple.tuple());
    link.run("ROLLBACK");
    assertThat(tables)
        .allSatisfy(
            table -> {
              assertThat(table.getLong("seq_scan")).as(table.getString(0)).isZero();
              assertThat(table.getLong("fetched"))
                  .as(table.getString(0))
                  .isLessThanOrEqualTo(READS_PER_MEMBER_MAX * BATCH);
            });
  }
}
