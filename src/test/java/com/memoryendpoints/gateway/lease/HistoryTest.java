package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Ten connections do everything at once to a small world, and what they were told is held against
 * the promises of seed 1. {@code -Dhistory.seed=} repeats the choices, though not the races; {@code
 * -Dhistory.seconds=} goes on for longer.
 */
class HistoryTest {
  private static final int CONNECTIONS = 10;
  private static final long SECONDS = Long.getLong("history.seconds", 12);

  @Test
  void noHistoryBreaksAPromise() {
    long seed = Long.getLong("history.seed", new Random().nextLong());
    System.out.println("history.seed=" + seed);
    try (TestDatabase database = TestDatabase.on(TestServer.shared());
        TestPod pod = new TestPod(database)) {
      Pauses.everywhere(database, 0.003);
      HistoryWorld world = new HistoryWorld(pod);
      Vertx vertx = Vertx.vertx();
      try (TestLink link = new TestLink(vertx, database, pod)) {
        run(world, database, pod, vertx, seed);
        HistoryTrail.complete(world, link.redactor, database);
      } finally {
        TestPod.await(vertx.close());
      }
      var violations = HistoryChecker.violations(world.history);
      System.out.println(told(world.history));
      assertThat(violations).as("history.seed=%d", seed).isEmpty();
      assertThat(world.history.grants.size()).isGreaterThan(100);
    }
  }

  private static void run(
      HistoryWorld world, TestDatabase database, TestPod pod, Vertx vertx, long seed) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<CompletableFuture<Void>> actors =
          IntStream.range(0, CONNECTIONS)
              .mapToObj(
                  n ->
                      CompletableFuture.runAsync(
                          () -> act(world, database, pod, vertx, new Random(seed + n), until),
                          threads))
              .toList();
      actors.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void act(
      HistoryWorld world,
      TestDatabase database,
      TestPod pod,
      Vertx vertx,
      Random random,
      long until) {
    try (TestLink link = new TestLink(vertx, database, pod)) {
      HistoryActor actor = new HistoryActor(world, link, random);
      while (System.nanoTime() < until) {
        actor.act();
      }
    }
  }

  private static String told(History history) {
    return "%d grants, %d acts, %d endings, %d lapses, %d replays, %d audit events"
        .formatted(
            history.grants.size(),
            history.acts.size(),
            history.endings.size(),
            history.lapses.size(),
            history.replays.size(),
            history.audited.size());
  }
}
