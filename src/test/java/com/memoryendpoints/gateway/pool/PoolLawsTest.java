package com.memoryendpoints.gateway.pool;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static com.memoryendpoints.gateway.lease.TestPod.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.reaper.TestReaper;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools are made, filled, counted, listed and deleted, each for its tenant alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private TestPod pod;

  @BeforeAll
  void start() {
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  void stop() {
    pod.close();
  }

  private TestPool pool(String name) {
    return TestPool.made(pod, DATABASE, name, TestPool.NO_GRACE);
  }

  @Test
  void aPoolIsMadeOnceAndThenItsSettingsAreReplaced() {
    TestPool pool = new TestPool(pod, DATABASE, CALLER, new PoolName("made"));
    assertThat(pool.put(PoolSettings.DEFAULT).created()).isTrue();
    PoolSettings other = new PoolSettings(7, 3, 0);
    PoolPut again = pool.put(other);
    assertThat(again.created()).isFalse();
    assertThat(again.pool().settings()).isEqualTo(other);
    assertThat(again.pool().counts()).isEqualTo(new PoolCounts(0, 0, 0, 0));
    assertThat(again.pool().oldestHoldAt()).isNull();
  }

  @Test
  void aPoolIsCalledByShortPlainNamesOnly() {
    for (String name : List.of("a", "0", "a.b_c-d", "a".repeat(63))) {
      assertThat(PoolName.isPoolName(name)).isTrue();
    }
    for (String name : List.of("", "A", "-a", ".a", "_a", "a b", "ä", "a".repeat(64), "a\n")) {
      assertThat(PoolName.isPoolName(name)).isFalse();
      assertThatThrownBy(() -> new PoolName(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void settingsOutOfTheirBoundsCannotBeBuilt() {
    assertThatThrownBy(() -> new PoolSettings(0, null, 0)).hasMessageContaining("ttl");
    assertThatThrownBy(() -> new PoolSettings(301, null, 0)).hasMessageContaining("ttl");
    assertThatThrownBy(() -> new PoolSettings(1, 0, 0)).hasMessageContaining("attempts");
    assertThatThrownBy(() -> new PoolSettings(1, 1_001, 0)).hasMessageContaining("attempts");
    assertThatThrownBy(() -> new PoolSettings(1, 1, -1)).hasMessageContaining("grace");
    assertThatThrownBy(() -> new PoolSettings(1, 1, 60_001)).hasMessageContaining("grace");
  }

  @Test
  void anotherTenantsPoolIsOneThatDoesNotExist() {
    TestPool own = pool("private");
    own.loads("id", 2);
    Hold hold = own.claimsOne();
    TestPool theirs = own.as(STRANGER);
    assertThat(theirs.problem(pod.start(() -> pod.pools.find(STRANGER, own.name()))))
        .isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(theirs.claimProblem(1)).isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(theirs.problems(hold)).containsOnly(Problem.POOL_NOT_FOUND);
    assertThat(
            theirs.problem(
                pod.start(() -> pod.pools.load(new Load(STRANGER, own.name(), List.of("theirs"))))))
        .isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(
            theirs.problem(
                pod.start(() -> pod.pools.redrive(new Redrive(STRANGER, own.name(), null)))))
        .isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(theirs.problem(pod.start(() -> pod.pools.delete(STRANGER, own.name(), true))))
        .isEqualTo(Problem.POOL_NOT_FOUND);
    // Nor does a pool of theirs under the same name reach what is in this one.
    theirs.put(PoolSettings.DEFAULT);
    assertThat(theirs.problems(hold)).containsOnly(Problem.IDENTIFIER_NOT_FOUND);
    assertThat(theirs.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    assertThat(own.counted()).isEqualTo(new PoolCounts(1, 1, 0, 0));
    own.consumes(hold);
  }

  @Test
  void anIdentifierIsReachedThroughItsOwnPoolOnly() {
    TestPool one = pool("one");
    TestPool other = pool("other");
    one.loads("id", 1);
    Hold hold = one.claimsOne();
    assertThat(other.problems(hold)).containsOnly(Problem.IDENTIFIER_NOT_FOUND);
    Hold unknown =
        new Hold(new UUID(1, 2), "none", new HoldToken(1), hold.leasedUntil(), hold.attempt());
    assertThat(one.problems(unknown)).containsOnly(Problem.IDENTIFIER_NOT_FOUND);
  }

  @Test
  void duplicatesAreCountedAndLoadedOnce() {
    TestPool pool = pool("twice");
    assertThat(pool.loads(List.of("b", "a", "b", "c"))).isEqualTo(new Loaded(3, 1));
    assertThat(pool.loads(List.of("c", "d"))).isEqualTo(new Loaded(1, 1));
    assertThat(pool.loads(List.of())).isEqualTo(new Loaded(0, 0));
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(4, 0, 0, 0));
    // In another pool they are others.
    assertThat(pool("thrice").loads(List.of("a"))).isEqualTo(new Loaded(1, 0));
  }

  /** Byte for byte: no collation of the server makes two identifiers one, or orders them. */
  @Test
  void identifiersAreLoadedWhateverTheySay() {
    TestPool pool = pool("texts");
    List<String> texts =
        List.of("a", "A", "ä", "a\u0308", "\uD83D\uDC7E", "\uFFFF", " ", "a ", "x".repeat(255));
    assertThat(pool.loads(texts)).isEqualTo(new Loaded(texts.size(), 0));
    assertThat(pool.claims(20).stream().map(Hold::identifier)).containsExactlyElementsOf(texts);
  }

  @Test
  void aFullLoadIsOneStatement() {
    TestPool pool = pool("full");
    assertThat(pool.loads("id", 10_000)).isEqualTo(new Loaded(10_000, 0));
    assertThat(pool.loads("id", 10_000)).isEqualTo(new Loaded(0, 10_000));
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(10_000, 0, 0, 0));
  }

  @Test
  void poolsAreListedInTheOrderOfTheirNamesPageByPage() {
    List<String> names = List.of("l-a", "l-b", "l-c", "l-d", "l-e");
    names.forEach(this::pool);
    PoolName after = new PoolName("l-");
    List<String> seen = new java.util.ArrayList<>();
    for (int i = 0; i < 3; i++) {
      PoolName from = after;
      PoolPage page = pod.call(() -> pod.pools.list(CALLER, from, 2));
      page.items().forEach(pool -> seen.add(pool.name().text()));
      if (page.next() == null) {
        break;
      }
      after = page.next();
    }
    assertThat(seen).startsWith(names.toArray(String[]::new));
    assertThat(pod.call(() -> pod.pools.list(STRANGER, new PoolName("l-"), 100)).items())
        .noneMatch(pool -> pool.name().text().startsWith("l-"));
  }

  @Test
  void aPoolIsDeletedWhenNothingInItCanStillBeUsed() {
    TestPool pool = pool("spent");
    pool.loads("id", 1);
    assertThat(deletion(pool)).isEqualTo(Problem.POOL_NOT_EMPTY);
    Hold hold = pool.claimsOne();
    assertThat(deletion(pool)).isEqualTo(Problem.POOL_NOT_EMPTY);
    pool.consumes(hold);
    pool.deletes(false);
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(pool.problem(pool.consuming(hold, null))).isEqualTo(Problem.POOL_NOT_FOUND);
    assertThat(deletion(pool)).isEqualTo(Problem.POOL_NOT_FOUND);
  }

  private Problem deletion(TestPool pool) {
    return pool.problem(pod.start(() -> pod.pools.delete(CALLER, pool.name(), false)));
  }

  @Test
  void aDrainedPoolIsGoneAtOnceAndClearedAwayByTheReaper() {
    TestPool pool = pool("drained");
    pool.loads("id", 1_200);
    Hold hold = pool.claimsOne();
    pool.consumes(pool.claimsOne());
    UUID former = pool.id();
    pool.deletes(true);
    assertThat(pool.problems(hold)).containsOnly(Problem.POOL_NOT_FOUND);
    // The next pool of that name has nothing to do with it.
    pool.put(TestPool.NO_GRACE);
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    assertThat(pool.loads("id", 1)).isEqualTo(new Loaded(1, 0));
    DATABASE.run("UPDATE deleted_pools SET deleted_at = deleted_at - interval '1 minute'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      for (int i = 0; i < 20 && left(former) > 0; i++) {
        reaper.pass();
      }
    }
    assertThat(left(former)).isZero();
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(1, 0, 0, 0));
  }

  private static long left(UUID poolId) {
    return (long)
        DATABASE.value(
            """
            SELECT (SELECT count(*) FROM identifiers WHERE pool_id = p)
              + (SELECT count(*) FROM consumed_identifiers WHERE pool_id = p)
              + (SELECT count(*) FROM pool_counts WHERE pool_id = p)
              + (SELECT count(*) FROM deleted_pools WHERE pool_id = p)
            FROM (SELECT ?::uuid AS p) p
            """,
            poolId);
  }

  /** The counts stay what they are while the reaper puts their rows together. */
  @Test
  void countsAreThoseOfTheRowsBeforeAndAfterTheyAreMerged() {
    TestPool pool = pool("counted");
    pool.loads("a", 50);
    pool.loads("b", 50);
    List<Hold> holds = pool.claims(40);
    holds.subList(0, 10).forEach(pool::consumes);
    holds.subList(10, 15).forEach(pool::releases);
    PoolCounts expected = new PoolCounts(65, 25, 10, 0);
    assertThat(pool.counted()).isEqualTo(expected);
    assertThat(pool.found().counts()).isEqualTo(expected);
    assertThat(pool.found().oldestHoldAt()).isNotNull();
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(DATABASE.value("SELECT count(*) FROM pool_counts WHERE pool_id = ?", pool.id()))
        .isEqualTo(1L);
    assertThat(pool.found().counts()).isEqualTo(expected);
  }
}
