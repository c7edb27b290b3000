package com.memoryendpoints.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.reaper.TestReaper;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of claimers, zombies, reapers and passing time, against the promises. */
class PoolHistoryTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int SECONDS = 6;
  private static final int IDENTIFIERS = 400;
  private static final int CLAIMERS = 8;

  /** What may be said to somebody who shows a token. */
  private static final Set<Problem> EXPECTED =
      Set.of(
          Problem.POOL_EXHAUSTED,
          Problem.STALE_FENCING_TOKEN,
          Problem.HOLD_LAPSED,
          Problem.IDENTIFIER_CONSUMED,
          Problem.BUSY);

  private final Map<UUID, Queue<Long>> granted = new ConcurrentHashMap<>();
  private final Map<UUID, Set<Long>> consumed = new ConcurrentHashMap<>();
  private final Set<Problem> seen = ConcurrentHashMap.newKeySet();

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whatIsPromisedHoldsInEveryHistory(long seed) {
    try (TestPod one = new TestPod(DATABASE);
        TestPod other = new TestPod(DATABASE);
        TestReaper reaper = new TestReaper(DATABASE);
        TestReaper second = new TestReaper(DATABASE)) {
      TestPool pool = TestPool.made(one, DATABASE, "history-" + seed, new PoolSettings(30, 5, 0));
      pool.loads("id", IDENTIFIERS);
      List<Consumer<Random>> actors = new ArrayList<>();
      for (int n = 0; n < CLAIMERS; n++) {
        List<Hold> holds = new ArrayList<>();
        TestPool mine = n % 2 == 0 ? pool : pool.on(other);
        actors.add(random -> act(mine, holds, random));
      }
      actors.add(random -> reaper.pass());
      actors.add(random -> second.pass());
      actors.add(random -> passTime(pool, random));
      runAll(actors, seed);
      check(pool);
    }
  }

  private void act(TestPool pool, List<Hold> holds, Random random) {
    // Any of its holds, also long after it has ended: everybody is a zombie at times.
    Hold hold = holds.isEmpty() ? null : holds.get(random.nextInt(holds.size()));
    switch (random.nextInt(hold == null ? 1 : 10)) {
      case 0, 1, 2 ->
          answer(pool.start(pool.claim(1 + random.nextInt(5))))
              .forEach(
                  held ->
                      held.holds()
                          .forEach(
                              one -> {
                                granted
                                    .computeIfAbsent(
                                        one.identifierId(), id -> new ConcurrentLinkedQueue<>())
                                    .add(one.token().value());
                                holds.add(one);
                              }));
      case 3, 4 -> answer(pool.renewing(hold, null));
      case 5, 6, 7 -> answer(pool.releasing(hold, 0));
      case 8 -> pool.redrives(null);
      default ->
          answer(pool.consuming(hold, null))
              .forEach(
                  at ->
                      consumed
                          .computeIfAbsent(hold.identifierId(), id -> ConcurrentHashMap.newKeySet())
                          .add(hold.token().value()));
    }
  }

  private <T> List<T> answer(Future<T> call) {
    try {
      return List.of(TestPod.await(call));
    } catch (Refusal refusal) {
      seen.add(refusal.problem());
      assertThat(EXPECTED).contains(refusal.problem());
      return List.of();
    }
  }

  private static void passTime(TestPool pool, Random random) {
    DATABASE.run(
        "UPDATE identifiers SET leased_until = clock_timestamp() - interval '1 second'"
            + " WHERE identifier_id = ANY (ARRAY(SELECT identifier_id FROM identifiers"
            + " WHERE state = 1 AND pool_id = '"
            + pool.id()
            + "' ORDER BY random() LIMIT "
            + random.nextInt(20)
            + " FOR UPDATE SKIP LOCKED))");
  }

  private static void runAll(List<Consumer<Random>> actors, long seed) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    ExecutorService threads = Executors.newFixedThreadPool(actors.size());
    try {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int n = 0; n < actors.size(); n++) {
        Consumer<Random> actor = actors.get(n);
        Random random = new Random(seed * 1_000 + n);
        running.add(
            CompletableFuture.runAsync(
                () -> {
                  while (System.nanoTime() < until) {
                    actor.accept(random);
                  }
                },
                threads));
      }
      running.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private void check(TestPool pool) {
    // The history was one: everything that can happen to a holder did.
    assertThat(seen).contains(Problem.STALE_FENCING_TOKEN, Problem.HOLD_LAPSED);
    assertThat(consumed).isNotEmpty();
    // No identifier was granted twice with one token.
    granted.values().forEach(tokens -> assertThat(tokens).doesNotHaveDuplicates());
    // Conservation, at rest; and the counts say the same.
    PoolCounts counts = pool.counted();
    assertThat(counts.unused() + counts.pending() + counts.consumed() + counts.dead())
        .isEqualTo(IDENTIFIERS);
    assertThat(pool.found().counts()).isEqualTo(counts);
    // Consumed once, by the highest token ever issued, and noted.
    assertThat(counts.consumed()).isEqualTo(consumed.size());
    assertThat(pool.noted()).isEqualTo(consumed.size());
    for (Map<String, Object> row :
        DATABASE.rows("SELECT * FROM consumed_identifiers WHERE pool_id = ?", pool.id())) {
      UUID id = (UUID) row.get("identifier_id");
      long token = (long) row.get("fencing_token");
      assertThat(consumed.get(id)).containsExactly(token);
      assertThat(granted.get(id)).allSatisfy(one -> assertThat(one).isLessThanOrEqualTo(token));
    }
    assertThat(
            DATABASE.value(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        .isEqualTo(0L);
    granted.clear();
    consumed.clear();
  }
}
