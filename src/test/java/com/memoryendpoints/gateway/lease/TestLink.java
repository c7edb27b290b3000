package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.Names;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;

/**
 * One connection of the gateway, set as the gateway sets it, on which batch statements are run as
 * they are: no batcher sends anything again, a test sees every verdict. Blocks for each answer;
 * confined to one thread.
 */
final class TestLink implements AutoCloseable {
  final ClaimLeases claims;
  final RenewLeases renewals;
  final ReleaseLeases releases;
  final VerifyLeases verifications;
  final RevokeLeases revocations;
  final CommitMemories commits;
  final BranchMemories branches;
  final RegisterMemories registrations;
  final Redactor redactor = new Redactor(new SecretKeySpec(new byte[32], "HmacSHA256"));
  private final UuidV7 ids;
  private final PgConnection connection;

  /** A link beside a pod, whose clock mints its ids. */
  TestLink(Vertx vertx, TestDatabase database, TestPod pod) {
    connection =
        TestPod.await(
            PgConnection.connect(vertx, database.options().setCachePreparedStatements(true)));
    ids = new UuidV7(pod.database.clock());
    Meters meters = pod.meters;
    Verdicts verdicts = new Verdicts(meters);
    claims = new ClaimLeases(0, redactor, ids, pod.database.clock(), meters);
    renewals = new RenewLeases(false, redactor, ids, verdicts);
    releases = new ReleaseLeases(redactor, ids, verdicts);
    verifications = new VerifyLeases(verdicts);
    revocations = new RevokeLeases(0, redactor, ids, verdicts);
    commits = new CommitMemories(redactor, ids, meters);
    branches = new BranchMemories(redactor, ids, meters);
    registrations = new RegisterMemories(redactor, ids, meters);
  }

  /** Runs a statement for a batch; one row per request, in their order. */
  <Q, R> List<Row> run(BatchStatement<Q, R> statement, List<Q> requests) {
    return TestPod.await(start(statement, requests));
  }

  /** The verdicts alone. */
  <Q, R> List<String> verdicts(BatchStatement<Q, R> statement, List<Q> requests) {
    return run(statement, requests).stream().map(row -> row.getString("verdict")).toList();
  }

  /** Sends a statement without waiting for its answer. */
  <Q, R> Future<List<Row>> start(BatchStatement<Q, R> statement, List<Q> requests) {
    return start(statement, statement.sql().text(), requests);
  }

  /** The same with another text of the statement, such as one that pauses. */
  <Q, R> Future<List<Row>> start(BatchStatement<Q, R> statement, String sql, List<Q> requests) {
    return connection
        .preparedQuery(sql)
        .execute(statement.parameters(requests))
        .map(
            rows -> {
              Row[] inOrder = new Row[requests.size()];
              rows.forEach(row -> inOrder[row.getInteger("ord") - 1] = row);
              return List.of(inOrder);
            });
  }

  /** Runs any statement. */
  List<Row> run(String sql, Tuple parameters) {
    return TestPod.await(start(sql, parameters));
  }

  /** Sends any statement without waiting for its answer. */
  Future<List<Row>> start(String sql, Tuple parameters) {
    return connection
        .preparedQuery(sql)
        .execute(parameters)
        .map(
            rows -> {
              List<Row> all = new ArrayList<>();
              rows.forEach(all::add);
              return all;
            });
  }

  /** A claim that must be granted. */
  Lease granted(Claim claim) {
    Row row = run(claims, List.of(claim)).get(0);
    assertThat(row.getString("verdict")).isIn("granted", "taken-over");
    return lease(claim, row);
  }

  /** The lease that a claim's row tells of. */
  static Lease lease(Claim claim, Row row) {
    return new Lease(
        row.getUUID("lease_id"),
        row.getString("canonical_name"),
        claim.memoryId(),
        new FencingToken(row.getLong("token")),
        Rows.instant(row, "granted_at"),
        Rows.instant(row, "expires_at"),
        claim.ttlSeconds());
  }

  /** A claim for 30 seconds under a fresh key. */
  Claim claim(Owner owner, String name, UUID memoryId) {
    return new Claim(key(), owner, Names.strict().claimed(name), memoryId, 30);
  }

  /** The same by the owner that tests speak for. */
  Claim claim(String name, UUID memoryId) {
    return claim(TestPod.owner(), name, memoryId);
  }

  /** The only verdict on one request. */
  <Q, R> String verdict(BatchStatement<Q, R> statement, Q request) {
    return verdicts(statement, List.of(request)).get(0);
  }

  /** What the statements say of a lease's owner: renew, verify, commit, branch, release. */
  List<String> verdictsOn(Lease lease) {
    return List.of(
        verdict(renewals, TestPod.renewal(lease, 30)),
        verdict(verifications, verification(lease)),
        verdict(commits, commit(lease)),
        verdict(branches, branch(lease)),
        verdict(releases, TestPod.release(lease)));
  }

  static Verification verification(Lease lease) {
    return new Verification(TestPod.CALLER, lease.memoryId(), lease.fencingToken());
  }

  static Commit commit(Lease lease) {
    return new Commit(
        null,
        TestPod.CALLER,
        lease.memoryId(),
        lease.fencingToken(),
        "sha-256:" + "0".repeat(64),
        null);
  }

  BranchMemories.Child branch(Lease lease) {
    return new BranchMemories.Child(
        new Branch(null, TestPod.CALLER, lease.memoryId(), lease.fencingToken()), id());
  }

  static RevokeLeases.Target revocation(Lease lease) {
    return new RevokeLeases.Target(TestPod.CALLER, lease, "misbehaves");
  }

  RegisterMemories.Newborn newborn(UUID memoryId) {
    return new RegisterMemories.Newborn(new Registration(null, TestPod.CALLER, memoryId), memoryId);
  }

  /** Runs a statement without parameters, such as BEGIN or COMMIT. */
  void run(String sql) {
    TestPod.await(connection.query(sql).execute());
  }

  /** The database's time. */
  Instant now() {
    return Rows.instant(run("SELECT clock_timestamp() AS now", Tuple.tuple()).get(0), "now");
  }

  /** A fresh key, later than the ones before on this link. */
  IdempotencyKey key() {
    return new IdempotencyKey(id());
  }

  /** A fresh id. */
  UUID id() {
    return ids.next();
  }

  @Override
  public void close() {
    TestPod.await(connection.close());
  }
}
