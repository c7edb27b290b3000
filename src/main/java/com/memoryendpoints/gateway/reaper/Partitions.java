package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import com.memoryendpoints.gateway.meter.ReaperMeter.Pass;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * Keeps the days of keys and of audit events attached ahead and dropped behind. One reaper at a
 * time; the plan is made anew each time, so that whatever was interrupted is finished next time.
 */
final class Partitions {
  private record Step(String name, String ddl) {
    static Step of(Row row) {
      return new Step(row.getString("step"), row.getString("ddl"));
    }
  }

  private final Session session;
  private final int auditRetentionDays;
  private final ReaperMeter meter;

  Partitions(Session session, int auditRetentionDays, ReaperMeter meter) {
    this.session = session;
    this.auditRetentionDays = auditRetentionDays;
    this.meter = meter;
  }

  /**
   * Does what is due, or leaves it to who is at it. A failure closes the session, and with it the
   * lock.
   */
  Future<Void> upkeep() {
    return session
        .run(Sql.LOCK_PARTITION_UPKEEP, Tuple.tuple(), row -> row.getBoolean("ours"))
        .compose(rows -> rows.get(0) ? planned() : Future.succeededFuture())
        .onFailure(failure -> meter.upkeepEnded(Pass.FAILED));
  }

  private Future<Void> planned() {
    return session
        .run(Sql.PLAN_PARTITIONS, Tuple.of(auditRetentionDays), Step::of)
        .compose(steps -> take(steps, 0))
        .compose(
            done ->
                session.run(
                    Sql.UNLOCK_PARTITION_UPKEEP, Tuple.tuple(), row -> row.getBoolean("was_ours")))
        .onSuccess(done -> meter.upkeepEnded(Pass.COMPLETED))
        .mapEmpty();
  }

  private Future<Void> take(List<Step> steps, int next) {
    if (next == steps.size()) {
      return Future.succeededFuture();
    }
    Step step = steps.get(next);
    return session
        .run(step.name() + "_partition", step.ddl())
        .onSuccess(done -> count(step.name()))
        .compose(done -> take(steps, next + 1));
  }

  private void count(String step) {
    switch (step) {
      case "attach" -> meter.partition(ReaperMeter.Partition.ATTACHED);
      case "detach", "finalize" -> meter.partition(ReaperMeter.Partition.DETACHED);
      case "drop" -> meter.partition(ReaperMeter.Partition.DROPPED);
      default -> {}
    }
  }
}
