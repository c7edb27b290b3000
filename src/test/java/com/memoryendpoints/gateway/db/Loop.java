package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** An event loop with a database on it, as a test's own thread sees it: blocking. */
final class Loop implements AutoCloseable {
  static final UUID TENANT = new UUID(0, 1);

  final Meters meters = new Meters();
  final AtomicReference<Throwable> fatal = new AtomicReference<>();
  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
  private final Context context = vertx.getOrCreateContext();
  private final List<Batcher<?, ?>> batchers = new ArrayList<>();
  private final Database database;

  private Loop(PgConnectOptions options, int connections, Future<?> migrated) {
    database = call(() -> Database.open(vertx, options, connections, meters, migrated, fatal::set));
  }

  static Loop open(PgConnectOptions options, int connections) {
    return new Loop(options, connections, Future.succeededFuture());
  }

  static Loop open(PgConnectOptions options, int connections, Future<?> migrated) {
    return new Loop(options, connections, migrated);
  }

  Database database() {
    return database;
  }

  <Q, R> Batcher<Q, R> batcher(Lane lane, Exchange<Q, R> exchange, int rowsMax) {
    return call(
        () -> {
          Batcher<Q, R> batcher = database.batcher(lane, exchange, rowsMax);
          batchers.add(batcher);
          return batcher;
        });
  }

  Batcher<String, Probe.Answer> probe(Lane lane, boolean repeatable) {
    return batcher(lane, new Probe(repeatable).exchange(), 128);
  }

  /** Submits all in one round of the event loop, for one tenant. */
  List<Future<Probe.Answer>> submit(Batcher<String, Probe.Answer> batcher, String... requests) {
    return call(() -> List.of(requests).stream().map(r -> batcher.submit(TENANT, r)).toList());
  }

  Future<Probe.Answer> submitOne(Batcher<String, Probe.Answer> batcher, String request) {
    return submit(batcher, request).get(0);
  }

  /** Submits one and waits for its answer. */
  Probe.Answer ask(Batcher<String, Probe.Answer> batcher, String request) {
    return await(submitOne(batcher, request));
  }

  /** The answer, however it comes, within ten seconds. */
  static <T> T await(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** The refusal that must come. */
  static Refusal refusal(Future<?> future) {
    try {
      throw new AssertionError("answered: " + await(future));
    } catch (Refusal refusal) {
      return refusal;
    }
  }

  static Problem problem(Future<?> future) {
    return refusal(future).problem();
  }

  /** Runs it on the event loop. */
  <T> T call(Callable<T> action) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        now -> {
          try {
            done.complete(action.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return await(done.future());
  }

  /** Lets the database look at its deadlines as if it were so much later. */
  void watchLater(long ms) {
    call(
        () -> {
          database.watch(DatabaseClock.monotonicMs() + ms);
          return true;
        });
  }

  /** Whether nothing waits or pauses in all batchers. */
  boolean isEmpty() {
    return call(() -> batchers.stream().allMatch(Batcher::isEmpty));
  }

  @Override
  public void close() {
    await(call(database::close));
    await(vertx.close());
    meters.close();
  }
}
