package com.memoryendpoints.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.reaper.TestReaper;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The database dies under claimers and reaper, again and again; what was answered stays so. */
class PoolRestartTest {
  private static final int IDENTIFIERS = 3_000;
  private static final int CLAIMERS = 4;
  private static final int RESTARTS = 3;

  /** What passes, so that the same request is sent again. */
  private static final Set<Problem> PASSING =
      Set.of(
          Problem.UNAVAILABLE,
          Problem.OUTCOME_UNKNOWN,
          Problem.OVERLOADED,
          Problem.BUSY,
          Problem.REQUEST_IN_PROGRESS);

  private final Map<UUID, Queue<Long>> granted = new ConcurrentHashMap<>();
  private final Map<UUID, Long> consumed = new ConcurrentHashMap<>();

  @Test
  void nothingIsLostOrHandedOutTwiceWhileTheDatabaseDies() {
    ExecutorService threads = Executors.newFixedThreadPool(CLAIMERS);
    try (TestServer server = TestServer.start(Map.of("synchronous_commit", "on"));
        TestDatabase database = TestDatabase.on(server);
        TestPod one = new TestPod(database);
        TestPod other = new TestPod(database);
        TestReaper reaper = new TestReaper(database)) {
      TestPool pool = TestPool.made(one, database, "restarts", TestPool.NO_GRACE);
      pool.loads("id", IDENTIFIERS);
      List<CompletableFuture<Void>> claimers = new ArrayList<>();
      for (int n = 0; n < CLAIMERS; n++) {
        TestPool mine = n % 2 == 0 ? pool : pool.on(other);
        claimers.add(CompletableFuture.runAsync(() -> drain(mine), threads));
      }
      for (int restart = 1; restart <= RESTARTS; restart++) {
        int enough = restart * IDENTIFIERS / (RESTARTS + 2);
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> consumed.size() >= enough || claimers.stream().allMatch(c -> c.isDone()));
        server.kill();
        server.restart();
        Awaitility.await().ignoreExceptions().untilAsserted(reaper::pass);
      }
      claimers.forEach(CompletableFuture::join);
      check(pool);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Claims and consumes until nothing is left; what is not answered is asked again. */
  private void drain(TestPool pool) {
    for (Held held = claims(pool); held != null; held = claims(pool)) {
      for (Hold hold : held.holds()) {
        granted
            .computeIfAbsent(hold.identifierId(), id -> new ConcurrentLinkedQueue<>())
            .add(hold.token().value());
        asked(() -> pool.consuming(hold, null));
        consumed.put(hold.identifierId(), hold.token().value());
      }
    }
  }

  /**
   * Null when there is nothing left; a pool may be called exhausted while one looks for its head.
   */
  private static @Nullable Held claims(TestPool pool) {
    PoolClaim claim = pool.claim(pool.pod().key(), 5, 300);
    Held held = asked(() -> pool.start(claim));
    while (held == null && pool.counted().unused() > 0) {
      held = asked(() -> pool.start(claim));
    }
    return held;
  }

  /** The answer to a request that is sent until there is one; null when the pool is exhausted. */
  private static <T> @Nullable T asked(Supplier<Future<T>> request) {
    while (true) {
      try {
        return TestPod.await(request.get());
      } catch (Refusal refusal) {
        if (refusal.problem() == Problem.POOL_EXHAUSTED) {
          return null;
        }
        assertThat(PASSING).contains(refusal.problem());
      }
    }
  }

  private void check(TestPool pool) {
    granted.values().forEach(tokens -> assertThat(tokens).hasSize(1));
    assertThat(consumed).hasSize(IDENTIFIERS);
    assertThat(pool.counted()).isEqualTo(new PoolCounts(0, 0, IDENTIFIERS, 0));
    assertThat(pool.found().counts()).isEqualTo(pool.counted());
    List<Map<String, Object>> ledger =
        pool.database()
            .rows("SELECT identifier_id AS i, fencing_token AS t FROM consumed_identifiers");
    assertThat(ledger)
        .hasSize(IDENTIFIERS)
        .allSatisfy(row -> assertThat(consumed.get((UUID) row.get("i"))).isEqualTo(row.get("t")));
  }
}
