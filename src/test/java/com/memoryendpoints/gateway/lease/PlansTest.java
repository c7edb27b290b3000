package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.BatchStatement;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a batch reads of full tables, by plans that were made when they were nearly empty: by index,
 * about as many rows as it has members, and of the records no day but its keys' own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlansTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int BATCH = 128;
  private static final int MEMORIES = 20_000;

  /** A claim looks at its memory and at its name's, each before and under the lock. */
  private static final long READS_PER_MEMBER_MAX = 10;

  /** Memory n, with a lapsed lease of name n, its head, and a claim's record of today. */
  private static final String FILL =
      """
      WITH n AS (
        SELECT n, (left('%2$s', 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
        FROM generate_series(1, %1$d) n),
      m AS (INSERT INTO memory_instances (memory_id, tenant_id, created_at)
            SELECT id, '%3$s', clock_timestamp() FROM n),
      h AS (INSERT INTO memory_heads (memory_id) SELECT id FROM n),
      a AS (INSERT INTO agent_names (name_key, canonical_name, display_name, last_token)
            SELECT 'filled' || n, 'filled' || n, 'filled' || n, n FROM n),
      r AS (INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id,
              lease_id, token, effective_at, ttl_seconds, canonical_name)
            SELECT '%3$s', 1 + n %% 4, id, '', id, id, n, clock_timestamp(), 30, 'filled' FROM n)
      INSERT INTO leases (memory_id, tenant_id, lease_id, granted_key, last_token, granted_at,
        expires_at, ttl_seconds, ended_as, name_key, canonical_name, owner_principal,
        owner_client_id)
      SELECT id, '%3$s', id, id, n, clock_timestamp(), clock_timestamp(), 30, 0, 'filled' || n,
        'filled' || n, 'p', 'o'
      FROM n
      """;

  private Vertx vertx;
  private TestPod pod;
  private TestLink link;
  private List<Lease> held;

  @BeforeAll
  void start() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
    link = new TestLink(vertx, DATABASE, pod);
    // Every plan is made now, on tables that are known to have next to no rows.
    DATABASE.run("VACUUM ANALYZE");
    held = granted("early", 4);
    runAll(held);
    DATABASE.run(FILL.formatted(MEMORIES, link.id(), CALLER.tenantId()));
    held = granted("late", BATCH);
  }

  @AfterAll
  void stop() {
    pod.close();
    TestPod.await(vertx.close());
  }

  private List<Lease> granted(String name, int count) {
    List<UUID> ids = IntStream.range(0, count).mapToObj(n -> link.id()).toList();
    link.run(link.registrations, ids.stream().map(link::newborn).toList());
    List<Claim> claims =
        IntStream.range(0, count).mapToObj(n -> link.claim(name + n, ids.get(n))).toList();
    var rows = link.run(link.claims, claims);
    return IntStream.range(0, count)
        .mapToObj(n -> TestLink.lease(claims.get(n), rows.get(n)))
        .toList();
  }

  private void runAll(List<Lease> leases) {
    link.run(link.renewals, leases.stream().map(l -> TestPod.renewal(l, 30)).toList());
    link.run(link.verifications, leases.stream().map(TestLink::verification).toList());
    link.run(link.commits, leases.stream().map(TestLink::commit).toList());
    link.run(link.branches, leases.stream().map(link::branch).toList());
    link.run(link.revocations, leases.stream().map(TestLink::revocation).toList());
    link.run(link.releases, leases.stream().map(TestPod::release).toList());
  }

  private <Q, R> void readsFew(BatchStatement<Q, R> statement, List<Q> requests, String verdict) {
    link.run("SELECT pg_stat_force_next_flush()");
    link.run("BEGIN");
    assertThat(link.verdicts(statement, requests)).containsOnly(verdict);
    var tables =
        link.run(
            "SELECT relname::text, seq_scan, coalesce(idx_tup_fetch, 0) AS fetched,"
                + " coalesce(idx_scan, 0) AS probes"
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
    assertThat(
            tables.stream()
                .filter(table -> table.getString(0).startsWith("idempotency_records_"))
                .filter(table -> table.getLong("probes") > 0))
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void newClaimsReadFewRows() {
    List<UUID> ids = IntStream.range(0, BATCH).mapToObj(n -> link.id()).toList();
    link.run(link.registrations, ids.stream().map(link::newborn).toList());
    readsFew(
        link.claims,
        IntStream.range(0, BATCH).mapToObj(n -> link.claim("fresh" + n, ids.get(n))).toList(),
        "granted");
  }

  /** The dearest claim: both the memory and the name are in lapsed leases, of other partners. */
  @Test
  void takeoversReadFewRows() {
    List<Object> ids =
        DATABASE
            .rows(
                "SELECT memory_id FROM leases WHERE name_key LIKE 'filled%' ORDER BY last_token"
                    + " LIMIT "
                    + BATCH)
            .stream()
            .map(row -> row.get("memory_id"))
            .toList();
    readsFew(
        link.claims,
        IntStream.range(0, BATCH)
            .mapToObj(n -> link.claim("filled" + (n + 10_000), (UUID) ids.get(n)))
            .toList(),
        "taken-over");
  }

  @Test
  void losingClaimsReadFewRows() {
    Owner late = new Owner(CALLER, "late");
    readsFew(
        link.claims,
        held.stream().map(l -> link.claim(late, l.canonicalName(), l.memoryId())).toList(),
        "memory-held");
  }

  @Test
  void whatOwnersDoReadsFewRows() {
    readsFew(link.renewals, held.stream().map(l -> TestPod.renewal(l, 30)).toList(), "renewed");
    readsFew(link.verifications, held.stream().map(TestLink::verification).toList(), "current");
    readsFew(link.commits, held.stream().map(TestLink::commit).toList(), "committed");
    readsFew(link.branches, held.stream().map(link::branch).toList(), "branched");
    readsFew(link.revocations, held.stream().map(TestLink::revocation).toList(), "revoked");
    readsFew(link.releases, held.stream().map(TestPod::release).toList(), "released");
  }

  @Test
  void registrationsReadFewRows() {
    readsFew(
        link.registrations,
        IntStream.range(0, BATCH).mapToObj(n -> link.newborn(link.id())).toList(),
        "registered");
  }
}
