package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.Schema;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates again and again until the database is there: a gateway starts while its database is
 * down, answers 503 meanwhile, and needs nobody when it comes; a subcommand waits as long as it is
 * told to.
 */
public final class Migration {
  private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
  private static final int BACKOFF_MS_MIN = 100;
  private static final int BACKOFF_MS_MAX = 2_000;
  private static final int MIGRATION_HOURS_MAX = 24;
  private static final long FOR_EVER_DAYS = 36_500;

  private final Vertx vertx;
  private final WorkerExecutor thread;
  private final Callable<Integer> step;
  private final Predicate<DatabaseUnreachable> again;
  private final String meanwhile;
  private final long untilNanos;
  private String told = "";

  private Migration(
      Vertx vertx,
      Callable<Integer> step,
      Predicate<DatabaseUnreachable> again,
      String meanwhile,
      long nanosMax) {
    this.vertx = vertx;
    this.thread =
        vertx.createSharedWorkerExecutor("migration", 1, MIGRATION_HOURS_MAX, TimeUnit.HOURS);
    this.step = step;
    this.again = again;
    this.meanwhile = meanwhile;
    this.untilNanos = System.nanoTime() + nanosMax;
  }

  /**
   * Begins to migrate, beside the event loops.
   *
   * @return completes when the schema is this jar's; fails with {@link
   *     com.memoryendpoints.gateway.config.CannotStart} when it cannot become so
   */
  public static Future<Integer> begin(Vertx vertx, Config.Database database) {
    return new Migration(
            vertx,
            () -> {
              int applied = Schema.migrate(database);
              Schema.requireNameKeys(database);
              return applied;
            },
            away -> true,
            "Requests are answered 503 until it is back.",
            TimeUnit.DAYS.toNanos(FOR_EVER_DAYS))
        .run();
  }

  /**
   * Migrates, and blocks until that is done; a migration that has begun is not cut short.
   *
   * @param waitSeconds for how long a database that does not answer is tried again; 0 is once
   * @return how many migrations were applied
   * @throws DatabaseUnreachable when it did not answer in that time, or answered that it lets
   *     nobody in like this
   */
  static int await(Config.Database database, int waitSeconds) throws DatabaseUnreachable {
    if (waitSeconds == 0) {
      return Schema.migrate(database);
    }
    Vertx vertx = Vertx.vertx();
    try {
      return new Migration(
              vertx,
              () -> Schema.migrate(database),
              DatabaseUnreachable::mayPass,
              "It is waited for.",
              TimeUnit.SECONDS.toNanos(waitSeconds))
          .run()
          .await();
    } finally {
      vertx.close().await();
    }
  }

  private Future<Integer> run() {
    return attempt(BACKOFF_MS_MIN).onComplete(done -> thread.close());
  }

  private Future<Integer> attempt(int backoffMs) {
    return thread
        .executeBlocking(step)
        .recover(
            failure ->
                failure instanceof DatabaseUnreachable away
                        && again.test(away)
                        && System.nanoTime() - untilNanos < 0
                    ? later(failure, backoffMs)
                    : Future.failedFuture(failure));
  }

  private Future<Integer> later(Throwable failure, int backoffMs) {
    String text = String.valueOf(failure.getMessage());
    if (!text.equals(told)) {
      LOG.warn("{} {}", text, meanwhile);
      told = text;
    }
    return vertx
        .timer(backoffMs, TimeUnit.MILLISECONDS)
        .compose(elapsed -> attempt(Math.min(backoffMs * 2, BACKOFF_MS_MAX)));
  }
}
