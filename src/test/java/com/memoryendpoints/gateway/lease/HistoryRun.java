package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Makes a history: many connections, each with an actor, for some seconds. */
final class HistoryRun {
  private static final int CONNECTIONS = 10;

  private final TestDatabase database;
  private final TestPod pod;
  private final Vertx vertx;
  private final HistoryWorld world;
  private final boolean failuresExpected;
  private final long until;

  private HistoryRun(
      TestDatabase database, TestPod pod, Vertx vertx, int seconds, boolean failuresExpected) {
    this.database = database;
    this.pod = pod;
    this.vertx = vertx;
    this.failuresExpected = failuresExpected;
    world = new HistoryWorld(pod);
    until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * Runs against a database.
   *
   * @param failuresExpected whether a statement may fail, as broken ones do
   */
  static History of(TestDatabase database, long seed, int seconds, boolean failuresExpected) {
    Vertx vertx = Vertx.vertx();
    try (TestPod pod = new TestPod(database)) {
      HistoryRun run = new HistoryRun(database, pod, vertx, seconds, failuresExpected);
      run.actAll(seed);
      try (TestLink link = new TestLink(vertx, database, pod)) {
        HistoryTrail.complete(run.world, link.redactor, database);
      }
      return run.world.history;
    } finally {
      TestPod.await(vertx.close());
    }
  }

  private void actAll(long seed) {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<CompletableFuture<Void>> actors =
          IntStream.range(0, CONNECTIONS)
              .mapToObj(n -> CompletableFuture.runAsync(() -> act(new Random(seed + n)), threads))
              .toList();
      actors.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private void act(Random random) {
    try (TestLink link = new TestLink(vertx, database, pod)) {
      HistoryActor actor = new HistoryActor(world, link, random);
      while (System.nanoTime() < until) {
        try {
          actor.act();
        } catch (RuntimeException failure) {
          if (!failuresExpected) {
            throw failure;
          }
        }
      }
    }
  }
}
