package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import com.memoryendpoints.gateway.meter.ReaperMeter.Pass;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;

/**
 * One way round after the other, a bounded pass at a time. Confined to its session's event loop.
 */
final class Reaper {
  /** From one upkeep of the partitions to the next. */
  static final int UPKEEP_INTERVAL_MS = 600_000;

  /** The same after an upkeep that could not finish: somebody reads the whole table, say. */
  static final int UPKEEP_RETRY_MS = 60_000;

  private record Sizes(long leaseBlocks, long nameBlocks, double oldestSeconds, int daysAhead) {
    static Sizes of(Row row) {
      return new Sizes(
          row.getLong("lease_blocks"),
          row.getLong("name_blocks"),
          row.getDouble("oldest_transaction_seconds"),
          row.getInteger("days_ahead"));
    }
  }

  private final Session session;
  private final ReaperMeter meter;
  private final Partitions partitions;
  private final Lapses lapses;
  private final IdleNames names;
  private final Holds holds;
  private final PoolUpkeep pools;
  private long upkeepDue = System.nanoTime();

  Reaper(Session session, ReaperOrders orders, ReaperMeter meter) {
    this.session = session;
    this.meter = meter;
    this.partitions = new Partitions(session, orders.auditRetentionDays(), meter);
    Redactor redactor = new Redactor(orders.auditKey());
    this.lapses = new Lapses(session, redactor, meter);
    this.names = new IdleNames(session, orders.epochBase(), meter);
    this.holds = new Holds(session, redactor, meter);
    this.pools = new PoolUpkeep(session, meter);
  }

  /** One pass; fails when the database does, and the next goes on where this one stopped. */
  Future<Void> pass() {
    long began = System.nanoTime();
    return session
        .run(Sql.MEASURE_TABLES, Tuple.tuple(), Sizes::of)
        // What comes back may be a copy from days ago, in which nothing can be claimed today.
        .onFailure(away -> upkeepIn(0))
        .onFailure(away -> told(Double.NaN, Double.NaN))
        .map(rows -> rows.get(0))
        .onSuccess(sizes -> told(sizes.oldestSeconds(), sizes.daysAhead()))
        .compose(sizes -> upkeepWhenDue().compose(done -> around(sizes)))
        .onSuccess(done -> meter.passEnded(Pass.COMPLETED, System.nanoTime() - began))
        .onFailure(failure -> meter.passEnded(Pass.FAILED, System.nanoTime() - began));
  }

  private void told(double oldestSeconds, double daysAhead) {
    meter.oldestTransaction(oldestSeconds);
    meter.daysAhead(daysAhead);
  }

  private Future<Void> around(Sizes sizes) {
    return holds
        .pass()
        .compose(done -> lapses.pass(sizes.leaseBlocks()))
        .compose(done -> names.pass(sizes.nameBlocks()))
        .compose(done -> pools.pass());
  }

  /**
   * Never fails: that a day cannot be dropped must not keep lapses from being recorded. The meter
   * of upkeep tells it, and how many days are there each pass does.
   */
  private Future<Void> upkeepWhenDue() {
    if (System.nanoTime() - upkeepDue < 0) {
      return Future.succeededFuture();
    }
    return partitions
        .upkeep()
        .onSuccess(done -> upkeepIn(UPKEEP_INTERVAL_MS))
        .onFailure(failure -> upkeepIn(UPKEEP_RETRY_MS))
        .otherwiseEmpty();
  }

  private void upkeepIn(int ms) {
    upkeepDue = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
