package com.memoryendpoints.gateway.pool;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What claimers, loaders and holders of row locks do to each other: nothing, or a short wait. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolRaceLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private TestPod pod;
  private TestPod other;

  @BeforeAll
  void start() {
    pod = new TestPod(DATABASE);
    other = new TestPod(DATABASE);
  }

  @AfterAll
  void stop() {
    pod.close();
    other.close();
  }

  private TestPool pool(String name) {
    return TestPool.made(pod, DATABASE, name, TestPool.NO_GRACE);
  }

  private static List<String> identifiersOf(List<Hold> holds) {
    return holds.stream().map(Hold::identifier).toList();
  }

  /** A lock on what an SQL condition names, held until it is closed. */
  private static Connection lock(TestPool pool, String condition) throws SQLException {
    Connection connection = DATABASE.connect();
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.execute(
          "SELECT FROM identifiers WHERE pool_id = '"
              + pool.id()
              + "' AND "
              + condition
              + " FOR UPDATE");
    }
    return connection;
  }

  @Test
  void claimsThatLeaveTogetherEachGetTheirCount() {
    TestPool pool = pool("together");
    TestPool beside = pool("beside");
    pool.loads("id", 300);
    beside.loads("id", 5);
    List<PoolClaim> claims = new ArrayList<>();
    IntStream.range(0, 20).forEach(n -> claims.add(pool.claim(1 + n)));
    IntStream.range(0, 10).forEach(n -> claims.add(beside.claim(1)));
    List<Future<Held>> calls =
        pod.run(() -> claims.stream().map(claim -> pod.pools.claim(claim)).toList());
    List<String> all = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      List<Hold> holds = TestPod.await(calls.get(n)).holds();
      assertThat(holds).hasSize(1 + n);
      all.addAll(identifiersOf(holds));
    }
    assertThat(all).hasSize(210).doesNotHaveDuplicates();
    long served =
        calls.subList(20, 30).stream()
            .filter(call -> catchThrowable(() -> TestPod.await(call)) == null)
            .count();
    assertThat(served).isEqualTo(5);
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(90, 210, 0, 0));
    assertThat(beside.found().counts()).isEqualTo(new PoolCounts(0, 5, 0, 0));
  }

  @Test
  void aClaimWaitsForNobodyAndStrandsNobody() throws SQLException {
    TestPool pool = pool("locked");
    pool.loads("id", 100);
    try (Connection lock = lock(pool, "identifier < 'id-000010'")) {
      assertThat(identifiersOf(pool.claims(5))).first().isEqualTo("id-000010");
      assertThat(pool.claims(200)).hasSize(85);
      assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
      lock.rollback();
    }
    assertThat(claimsSoon(pool)).hasSize(10);
  }

  /** On a machine so slow that the head of the queue is not looked at for every claim. */
  private static List<Hold> claimsSoon(TestPool pool) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(Refusal.class)
        .until(() -> pool.claims(1_000), holds -> true);
  }

  /** What is locked beyond it would be free, and nobody would find it. */
  @Test
  void aClaimLocksNoMoreThanItTakes() {
    TestPool pool = pool("lean");
    pool.loads("id", 500);
    Vertx vertx = Vertx.vertx();
    try (PoolLink link =
        new PoolLink(vertx, DATABASE, pod, Map.of("idle_in_transaction_session_timeout", "0"))) {
      link.run("BEGIN");
      link.answers(link.claims, List.of(pool.claim(3)));
      assertThat(pool.claims(1_000)).hasSize(497);
      link.run("ROLLBACK");
      assertThat(claimsSoon(pool)).hasSize(3);
      pool.lapseAll();
      link.run("BEGIN");
      link.answers(link.claims, List.of(pool.claim(3)));
      assertThat(pool.claims(1_000)).hasSize(497);
      link.run("ROLLBACK");
    } finally {
      TestPod.await(vertx.close());
    }
  }

  /** A locked row looks like an absent one: it is never called that. */
  @Test
  void aHoldWhoseRowIsLockedIsBusyAndNotUnknown() throws SQLException {
    TestPool pool = pool("busy");
    pool.loads("id", 2);
    List<Hold> holds = pool.claims(2);
    try (Connection lock = lock(pool, "identifier = 'id-000000'")) {
      assertThat(pool.problems(holds.get(0))).containsOnly(Problem.BUSY);
      // And couples no stranger.
      pool.renews(holds.get(1), null);
      pool.consumes(holds.get(1));
      lock.rollback();
    }
    pool.consumes(holds.get(0));
  }

  /** A load that commits late stands before where claimers have come to. */
  @Test
  void whatCommitsLateIsNotStrandedInAPoolThatIsNeverShort() throws SQLException {
    TestPool pool = pool("late");
    pool.loads("id", 2_000);
    pool.claims(10);
    try (Connection late = DATABASE.connect()) {
      late.setAutoCommit(false);
      try (var statement = late.createStatement()) {
        statement.execute(
            "INSERT INTO identifiers (identifier_id, pool_id, identifier, available_at)"
                + " VALUES ('018f0000-0000-7000-8000-000000000001', '"
                + pool.id()
                + "', 'late', clock_timestamp() - interval '1 hour')");
      }
      assertThat(identifiersOf(pool.claims(10))).doesNotContain("late");
      late.commit();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> identifiersOf(pool.claims(1)).contains("late"));
    assertThat(pool.counted().unused()).isPositive();
  }

  @Test
  void oneKeyOnTwoPodsHasOneEffect() {
    for (int i = 0; i < 20; i++) {
      TestPool pool = pool("key-" + i);
      pool.loads("id", 20);
      PoolClaim claim = pool.claim(5);
      List<Future<Held>> calls =
          List.of(pool.start(claim), pool.on(other).start(claim), pool.start(claim));
      List<List<Hold>> holds =
          calls.stream().map(call -> TestPod.await(call).holds()).distinct().toList();
      assertThat(holds).hasSize(1);
      assertThat(pool.counted()).isEqualTo(new PoolCounts(15, 5, 0, 0));
    }
  }

  /** Two unordered loads deadlocked (store.md, must 10). */
  @Test
  void crossedLoadsDoNotDeadlock() {
    for (int i = 0; i < 10; i++) {
      TestPool pool = pool("crossed-" + i);
      List<String> forth = TestPool.identifiers("id", 2_000);
      List<String> back = new ArrayList<>(forth);
      Collections.reverse(back);
      Future<Loaded> one = pod.start(() -> pod.pools.load(new Load(CALLER, pool.name(), forth)));
      Future<Loaded> two = other.start(() -> other.pools.load(new Load(CALLER, pool.name(), back)));
      int inserted = inserted(one) + inserted(two);
      assertThat(inserted).isEqualTo(2_000);
      assertThat(pool.counted().unused()).isEqualTo(2_000);
      assertThat(pool.found().counts()).isEqualTo(pool.counted());
    }
    assertThat(
            DATABASE.value(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        .isEqualTo(0L);
  }

  /** Who waited too long for the other is told so, and has loaded nothing. */
  private static int inserted(Future<Loaded> load) {
    Throwable failure = catchThrowable(() -> TestPod.await(load));
    if (failure == null) {
      return load.result().inserted();
    }
    assertThat(((Refusal) failure).problem()).isEqualTo(Problem.BUSY);
    return 0;
  }

  @Test
  void aPoolIsNotDeletedUnderALoad() throws SQLException {
    TestPool pool = pool("under");
    try (Connection loader = DATABASE.connect()) {
      loader.setAutoCommit(false);
      try (var statement = loader.createStatement()) {
        statement.execute("SELECT FROM pools WHERE pool_id = '" + pool.id() + "' FOR KEY SHARE");
      }
      assertThat(pool.problem(pod.start(() -> pod.pools.delete(CALLER, pool.name(), false))))
          .isEqualTo(Problem.BUSY);
      // Its settings may change meanwhile.
      pool.put(PoolSettings.DEFAULT);
      loader.rollback();
    }
    pool.deletes(false);
  }
}
