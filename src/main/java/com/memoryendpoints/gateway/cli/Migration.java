package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.Schema;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates beside the event loops, again and again until the database is there: a gateway starts
 * while its database is down, answers 503 meanwhile, and needs nobody when it comes.
 */
public final class Migration {
  private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
  private static final int BACKOFF_MS_MIN = 100;
  private static final int BACKOFF_MS_MAX = 2_000;
  private static final int MIGRATION_HOURS_MAX = 24;

  private final Vertx vertx;
  private final WorkerExecutor thread;
  private final Config.Database database;
  private String told = "";

  private Migration(Vertx vertx, Config.Database database) {
    this.vertx = vertx;
    this.thread =
        vertx.createSharedWorkerExecutor("migration", 1, MIGRATION_HOURS_MAX, TimeUnit.HOURS);
    this.database = database;
  }

  /**
   * Begins to migrate.
   *
   * @return completes when the schema is this jar's; fails with {@link
   *     com.memoryendpoints.gateway.config.CannotStart} when it cannot become so
   */
  public static Future<Integer> begin(Vertx vertx, Config.Database database) {
    Migration migration = new Migration(vertx, database);
    return migration.attempt(BACKOFF_MS_MIN).onComplete(done -> migration.thread.close());
  }

  private Future<Integer> attempt(int backoffMs) {
    return thread
        .executeBlocking(this::migrate)
        .recover(
            failure ->
                failure instanceof DatabaseUnreachable
                    ? later(failure, backoffMs)
                    : Future.failedFuture(failure));
  }

  private int migrate() throws DatabaseUnreachable {
    int applied = Schema.migrate(database);
    Schema.requireNameKeys(database);
    return applied;
  }

  private Future<Integer> later(Throwable failure, int backoffMs) {
    String text = String.valueOf(failure.getMessage());
    if (!text.equals(told)) {
      LOG.warn("{} Requests are answered 503 until it is back.", text);
      told = text;
    }
    return vertx
        .timer(backoffMs, TimeUnit.MILLISECONDS)
        .compose(elapsed -> attempt(Math.min(backoffMs * 2, BACKOFF_MS_MAX)));
  }
}
