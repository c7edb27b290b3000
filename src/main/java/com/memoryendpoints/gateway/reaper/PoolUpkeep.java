package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Puts the counts of pools together, and clears away what deleted pools have left. */
final class PoolUpkeep {
  /** Rows of counts of one pass. */
  static final int MERGED_ROWS_MAX = 5_000;

  /** Identifiers that one statement deletes. */
  static final int CLEARED_ROWS_MAX = 500;

  /** How long ago a pool must have been deleted: nobody is at work that long who saw it before. */
  static final int DELETED_SECONDS_MIN = 10;

  /** A pass that has taken so long goes on next time. */
  static final int PASS_MS_MAX = 100;

  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private record Merged(@Nullable UUID next, int merged) {
    static Merged of(Row row) {
      return new Merged(row.getUUID("next"), row.getInteger("merged"));
    }
  }

  private record Cleared(int cleared, boolean done) {
    static Cleared of(Row row) {
      return new Cleared(row.getInteger("cleared"), row.getBoolean("done"));
    }
  }

  private final Session session;
  private final ReaperMeter meter;
  private UUID after = BEFORE_ALL;

  PoolUpkeep(Session session, ReaperMeter meter) {
    this.session = session;
    this.meter = meter;
  }

  /** One step round the counts, then clears for a bounded while. */
  Future<Void> pass() {
    return session
        .run(Sql.MERGE_POOL_COUNTS, Tuple.of(after, MERGED_ROWS_MAX), Merged::of)
        .compose(
            rows -> {
              UUID next = rows.get(0).next();
              after = next == null ? BEFORE_ALL : next;
              return clear(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PASS_MS_MAX));
            });
  }

  private Future<Void> clear(long deadline) {
    return session
        .run(Sql.CLEAR_DELETED_POOLS, Tuple.of(CLEARED_ROWS_MAX, DELETED_SECONDS_MIN), Cleared::of)
        .compose(
            rows -> {
              Cleared step = rows.get(0);
              meter.identifiersCleared(step.cleared());
              boolean more = step.cleared() > 0 || step.done();
              return more && System.nanoTime() - deadline < 0
                  ? clear(deadline)
                  : Future.succeededFuture();
            });
  }
}
