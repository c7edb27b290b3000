package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What leasing writes, on a server that does nothing else. */
class FiguresTest {
  private static final int BATCH = 128;

  private static TestServer server;
  private static TestDatabase database;
  private static Vertx vertx;
  private static TestPod pod;
  private static TestLink link;

  @BeforeAll
  static void start() {
    // Nothing may write by itself: no vacuum, no snapshot of running transactions for a standby.
    server =
        TestServer.start(
            Map.of(
                "autovacuum", "off",
                "wal_level", "minimal",
                "max_wal_senders", "0",
                "checkpoint_timeout", "1d"));
    database = TestDatabase.on(server);
    vertx = Vertx.vertx();
    pod = new TestPod(database);
    link = new TestLink(vertx, database, pod);
  }

  @AfterAll
  static void stop() {
    pod.close();
    TestPod.await(vertx.close());
    server.close();
  }

  private static List<Claim> claims(String name, int count) {
    List<UUID> ids = IntStream.range(0, count).mapToObj(n -> link.id()).toList();
    link.run(link.registrations, ids.stream().map(link::newborn).toList());
    return IntStream.range(0, count).mapToObj(n -> link.claim(name + n, ids.get(n))).toList();
  }

  private static Object insertPosition() {
    return database.value("SELECT pg_current_wal_insert_lsn()::text");
  }

  private static Object nextTransaction() {
    return database.value("SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
  }

  /** store.md, must 9: whoever loses waits for nobody and writes nothing. */
  @Test
  void theRefusalOfALosingStampedeWritesNothingAndTakesNoTransactionId() {
    List<Claim> claims = claims("stampede", BATCH);
    assertThat(link.verdicts(link.claims, claims)).containsOnly("granted");
    List<Claim> losing =
        claims.stream()
            .map(
                c ->
                    link.claim(new Owner(TestPod.CALLER, "late"), c.name().display(), c.memoryId()))
            .toList();
    // The first reader settles what is known of the granting transaction, and that is logged.
    assertThat(link.verdicts(link.claims, losing)).containsOnly("memory-held");
    Object position = insertPosition();
    Object transaction = nextTransaction();
    assertThat(link.verdicts(link.claims, losing)).containsOnly("memory-held");
    assertThat(insertPosition()).isEqualTo(position);
    assertThat(nextTransaction()).isEqualTo(transaction);
  }

  /**
   * No index on what a renewal changes, and room in every page for those that renew together: they
   * come in any order.
   */
  @Test
  void aThousandRenewalsAreHot() {
    List<Lease> granted =
        IntStream.range(0, 10)
            .mapToObj(n -> claims("hot" + n + "x", 100))
            .flatMap(
                claims -> {
                  List<Row> rows = link.run(link.claims, claims);
                  return IntStream.range(0, claims.size())
                      .mapToObj(n -> TestLink.lease(claims.get(n), rows.get(n)));
                })
            .toList();
    List<Lease> leases = new ArrayList<>(granted);
    Collections.shuffle(leases, new Random(1));
    Map<String, Object> before = updates();
    for (int from = 0; from < leases.size(); from += 100) {
      assertThat(
              link.verdicts(
                  link.renewals,
                  leases.subList(from, from + 100).stream()
                      .map(lease -> TestPod.renewal(lease, 60))
                      .toList()))
          .containsOnly("renewed");
    }
    Map<String, Object> after = updates();
    assertThat(difference("n_tup_upd", before, after)).isEqualTo(1_000);
    assertThat(difference("n_tup_hot_upd", before, after)).isEqualTo(1_000);
  }

  private static long difference(
      String column, Map<String, Object> before, Map<String, Object> after) {
    return (Long) after.get(column) - (Long) before.get(column);
  }

  /** The session's counts are kept back for a second unless it is asked for them. */
  private static Map<String, Object> updates() {
    link.run("SELECT pg_stat_force_next_flush()");
    return database
        .rows("SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'leases'")
        .get(0);
  }
}
