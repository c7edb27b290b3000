package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Somebody changes every row of a batch between its snapshot and its locks. PostgreSQL then judges
 * the newest version of each; 18.0 and 18.1 lose all but the first where a join is part of that,
 * and take one row for another. What is answered must be what is written.
 */
class ChangedRowsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int ROWS = 8;

  /** Ends the list of what was asked; what comes after it waits. */
  private static final String ASKED = "ord\\)\\),";

  private static final String PAUSE = "(SELECT true FROM pg_sleep(1.5))";

  private Vertx vertx;
  private TestPod pod;
  private TestLink link;
  private List<Lease> leases;

  @BeforeEach
  void claim() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
    link = new TestLink(vertx, DATABASE, pod);
    List<Lease> granted =
        IntStream.range(0, ROWS)
            .mapToObj(n -> link.granted(link.claim("changed" + n, pod.memory())))
            .toList();
    leases = new ArrayList<>(granted);
    Collections.reverse(leases);
  }

  @AfterEach
  void stop() {
    DATABASE.run("UPDATE leases SET expires_at = clock_timestamp()");
    pod.close();
    TestPod.await(vertx.close());
  }

  /** Every request twice: a memory may be asked for twice in a batch. */
  private <Q> List<Q> twice(List<Q> requests) {
    return requests.stream().flatMap(request -> Stream.of(request, request)).toList();
  }

  private <Q, R> List<String> whileRowsChange(BatchStatement<Q, R> statement, List<Q> requests) {
    String paused = statement.sql().text().replaceFirst(ASKED, "ord) WHERE " + PAUSE + "),");
    assertThat(paused).contains(PAUSE);
    Future<List<Row>> rows = link.start(statement, paused, requests);
    changeRows();
    return TestPod.await(rows).stream().map(row -> row.getString("verdict")).toList();
  }

  private static void changeRows() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                DATABASE
                    .value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                    .equals(1L));
    DATABASE.run("UPDATE leases SET expires_at = expires_at + interval '1 second'");
    DATABASE.run("UPDATE memory_heads SET revision = revision + 1");
  }

  private List<Object> column(String column) {
    return leases.stream()
        .map(
            lease ->
                DATABASE.value(
                    "SELECT "
                        + column
                        + " FROM leases JOIN memory_heads USING (memory_id)"
                        + " WHERE memory_id = ?",
                    lease.memoryId()))
        .toList();
  }

  @Test
  void everyRenewalThatIsAnsweredIsWritten() {
    Instant before = link.now();
    List<Renewal> renewals = leases.stream().map(lease -> TestPod.renewal(lease, 300)).toList();
    assertThat(whileRowsChange(link.renewals, twice(renewals))).containsOnly("renewed");
    assertThat(column("expires_at > '" + before.plusSeconds(299) + "'")).containsOnly(true);
  }

  @Test
  void everyReleaseThatIsAnsweredIsWritten() {
    List<Release> releases = leases.stream().map(TestPod::release).toList();
    assertThat(whileRowsChange(link.releases, twice(releases))).containsOnly("released");
    assertThat(column("ended_as")).containsOnly((Object) 1);
    assertThat(audited("LEASE_RELEASED")).isEqualTo((long) ROWS);
  }

  @Test
  void everyRevocationThatIsAnsweredIsWritten() {
    List<RevokeLeases.Target> targets = leases.stream().map(TestLink::revocation).toList();
    assertThat(whileRowsChange(link.revocations, targets)).containsOnly("revoked");
    assertThat(column("ended_as")).containsOnly((Object) 3);
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM leases JOIN agent_names USING (name_key, last_token)"
                    + " WHERE ended_as = 3 AND name_key LIKE 'changed%'"))
        .isEqualTo((long) ROWS);
  }

  @Test
  void everyCommitThatIsAnsweredIsWritten() {
    List<Commit> commits = leases.stream().map(TestLink::commit).toList();
    assertThat(whileRowsChange(link.commits, commits)).containsOnly("committed");
    assertThat(column("revision")).containsOnly(2L);
    assertThat(column("content_digest")).doesNotContainNull();
  }

  @Test
  void everyBranchThatIsAnsweredIsWritten() {
    List<BranchMemories.Child> children =
        twice(leases).stream().map(lease -> link.branch(lease)).toList();
    assertThat(whileRowsChange(link.branches, children)).containsOnly("branched");
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM memory_instances WHERE memory_id = ANY (?)",
                (Object)
                    children.stream().map(BranchMemories.Child::memoryId).toArray(UUID[]::new)))
        .isEqualTo(2L * ROWS);
  }

  /** The rows change, and what matters of them does not: the reaper saw them as they are. */
  @Test
  void everyLapseThatIsCountedIsWritten() {
    DATABASE.run("UPDATE leases SET expires_at = clock_timestamp() - interval '1 minute'");
    List<Row> seen =
        link.run(Sql.FIND_LAPSED_LEASES.text(), Tuple.of(0L, 1_000L, 0, 300, 1_000)).stream()
            .filter(
                row ->
                    leases.stream()
                        .anyMatch(lease -> lease.memoryId().equals(row.getUUID("memory_id"))))
            .toList();
    String paused =
        Sql.RECORD_LAPSED_LEASES
            .text()
            .replace(
                "WITH locked AS",
                "WITH paused AS MATERIALIZED (SELECT unnest($1::uuid[]) AS id FROM pg_sleep(1.5)),"
                    + " locked AS")
            .replace("ANY ($1::uuid[])", "ANY (ARRAY(SELECT id FROM paused))");
    assertThat(paused).contains("pg_sleep");
    Buffer[] hashes = seen.stream().map(row -> Buffer.buffer(new byte[32])).toArray(Buffer[]::new);
    Future<List<Row>> recorded =
        link.start(
            paused,
            Tuple.tuple()
                .addArrayOfUUID(seen.stream().map(r -> r.getUUID("memory_id")).toArray(UUID[]::new))
                .addArrayOfLong(
                    seen.stream().map(r -> r.getLong("last_token")).toArray(Long[]::new))
                .addArrayOfOffsetDateTime(
                    seen.stream()
                        .map(r -> r.getOffsetDateTime("expires_at"))
                        .toArray(OffsetDateTime[]::new))
                .addArrayOfBuffer(hashes)
                .addArrayOfBuffer(hashes)
                .addArrayOfUUID(seen.stream().map(r -> link.id()).toArray(UUID[]::new))
                .addInteger(link.redactor.keyId())
                .addInteger(0)
                .addInteger(300));
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                DATABASE
                    .value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                    .equals(1L));
    DATABASE.run("UPDATE leases SET revoke_reason = 'changed'");
    assertThat(TestPod.await(recorded).get(0).getInteger("recorded")).isEqualTo(ROWS);
    assertThat(column("ended_as")).containsOnly((Object) 2);
    assertThat(audited("LEASE_LAPSED")).isEqualTo((long) ROWS);
  }

  private Object audited(String type) {
    return DATABASE.value(
        "SELECT count(*) FROM audit_events WHERE event_type = ? AND tenant_id = ?",
        type,
        CALLER.tenantId());
  }
}
