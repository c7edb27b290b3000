package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A caller at work on one pool, in words short enough for laws; every verb waits for its answer.
 */
record TestPool(TestPod pod, TestDatabase database, Caller caller, PoolName name) {
  static final PoolSettings NO_GRACE = new PoolSettings(30, null, 0);

  /** A fresh pool of the usual tenant. */
  static TestPool made(TestPod pod, TestDatabase database, String name, PoolSettings settings) {
    TestPool pool = new TestPool(pod, database, TestPod.CALLER, new PoolName(name));
    pool.put(settings);
    return pool;
  }

  /** The same pool, asked for through another pod. */
  TestPool on(TestPod other) {
    return new TestPool(other, database, caller, name);
  }

  /** The same name, asked for by somebody else. */
  TestPool as(Caller other) {
    return new TestPool(pod, database, other, name);
  }

  PoolPut put(PoolSettings settings) {
    return pod.call(() -> pod.pools.put(new PutPool(caller, name, settings)));
  }

  Pool found() {
    return pod.call(() -> pod.pools.find(caller, name));
  }

  Loaded loads(List<String> identifiers) {
    return pod.call(() -> pod.pools.load(new Load(caller, name, identifiers)));
  }

  /** Loads {@code prefix-000000} and so on. */
  Loaded loads(String prefix, int count) {
    return loads(identifiers(prefix, count));
  }

  static List<String> identifiers(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(n -> String.format("%s-%06d", prefix, n)).toList();
  }

  PoolClaim claim(IdempotencyKey key, int count, @Nullable Integer ttlSeconds) {
    return new PoolClaim(key, caller, name, "worker-1", count, ttlSeconds);
  }

  PoolClaim claim(int count) {
    return claim(pod.key(), count, null);
  }

  Future<Held> start(PoolClaim claim) {
    return pod.start(() -> pod.pools.claim(claim));
  }

  Held claims(PoolClaim claim) {
    return TestPod.await(start(claim));
  }

  List<Hold> claims(int count) {
    return claims(claim(count)).holds();
  }

  Hold claimsOne() {
    return claims(1).get(0);
  }

  HoldRef ref(Hold hold) {
    return new HoldRef(caller, name, hold.identifierId(), hold.token());
  }

  Future<Instant> renewing(Hold hold, @Nullable Integer ttlSeconds) {
    return pod.start(() -> pod.pools.renew(new HoldRenewal(ref(hold), ttlSeconds)));
  }

  Future<Instant> releasing(Hold hold, int delaySeconds) {
    return pod.start(() -> pod.pools.release(new HoldRelease(ref(hold), delaySeconds)));
  }

  Future<Instant> consuming(Hold hold, @Nullable String reference) {
    return pod.start(() -> pod.pools.consume(new Consumption(ref(hold), reference)));
  }

  Instant renews(Hold hold, @Nullable Integer ttlSeconds) {
    return TestPod.await(renewing(hold, ttlSeconds));
  }

  Instant releases(Hold hold) {
    return TestPod.await(releasing(hold, 0));
  }

  Instant consumes(Hold hold) {
    return TestPod.await(consuming(hold, null));
  }

  IdentifierView view(Hold hold) {
    return pod.call(() -> pod.pools.findIdentifier(caller, name, hold.identifierId()));
  }

  int redrives(@Nullable List<UUID> which) {
    return pod.call(() -> pod.pools.redrive(new Redrive(caller, name, which)));
  }

  void deletes(boolean drain) {
    pod.call(() -> pod.pools.delete(caller, name, drain));
  }

  /** What renewing, releasing and consuming are refused for. */
  List<Problem> problems(Hold hold) {
    return List.of(
        problem(renewing(hold, null)), problem(releasing(hold, 0)), problem(consuming(hold, null)));
  }

  /** What the call must be refused for. */
  Problem problem(Future<?> call) {
    return pod.refusal(() -> call).problem();
  }

  /** What a claim must be refused for. */
  Problem claimProblem(int count) {
    return problem(start(claim(count)));
  }

  /** Ages a hold, as if its holder had been silent until now, and nobody has come since. */
  void lapse(Hold hold) {
    age(hold, "leased_until = clock_timestamp() - interval '2 minutes'");
  }

  /** Changes an identifier's row by an SQL assignment. */
  void age(Hold hold, String assignment) {
    database.run(
        "UPDATE identifiers SET "
            + assignment
            + " WHERE identifier_id = '"
            + hold.identifierId()
            + "'");
  }

  /** The same for all that are PENDING. */
  void lapseAll() {
    database.run(
        "UPDATE identifiers SET leased_until = clock_timestamp() - interval '2 minutes'"
            + " WHERE state = 1 AND pool_id = '"
            + id()
            + "'");
  }

  UUID id() {
    return (UUID)
        database.value(
            "SELECT pool_id FROM pools WHERE tenant_id = ? AND pool = ?",
            caller.tenantId(),
            name.text());
  }

  /** How many rows are in which state. */
  PoolCounts counted() {
    Map<String, Object> row =
        database
            .rows(
                """
                SELECT count(*) FILTER (WHERE state = 0) AS unused,
                  count(*) FILTER (WHERE state = 1) AS pending,
                  count(*) FILTER (WHERE state = 2) AS consumed,
                  count(*) FILTER (WHERE state = 3) AS dead
                FROM identifiers WHERE pool_id = ?
                """,
                id())
            .get(0);
    return new PoolCounts(
        (long) row.get("unused"),
        (long) row.get("pending"),
        (long) row.get("consumed"),
        (long) row.get("dead"));
  }

  /** How many rows the ledger of the pool has. */
  long noted() {
    return (long)
        database.value("SELECT count(*) FROM consumed_identifiers WHERE pool_id = ?", id());
  }
}
