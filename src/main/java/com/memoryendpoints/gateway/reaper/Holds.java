package com.memoryendpoints.gateway.reaper;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back identifiers whose holders were silent (Law 5.1): round the pools, a small batch of
 * each in its turn, until a round has found nothing or the pass has taken long enough.
 */
final class Holds {
  /** Pools that one look covers: a few milliseconds. */
  static final int LOOKED_AT_POOLS_MAX = 500;

  /** Rows that one statement locks. */
  static final int RECLAIMED_ROWS_MAX = 256;

  /** A pass that has taken so long goes on next time, with the next pool. */
  static final int PASS_MS_MAX = 250;

  private static final Logger LOG = LoggerFactory.getLogger(Holds.class);
  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private record Lapsed(
      @Nullable UUID poolId, UUID tenantId, String pool, long lapsedMs, @Nullable UUID next) {
    static Lapsed of(Row row) {
      return new Lapsed(
          row.getUUID("pool_id"),
          row.getUUID("tenant_id"),
          row.getString("pool"),
          row.getLong("lapsed_ms"),
          row.getUUID("next"));
    }
  }

  private record Reclaimed(int reclaimed, int dead, int shortened) {
    static Reclaimed of(Row row) {
      return new Reclaimed(
          row.getInteger("reclaimed"), row.getInteger("dead"), row.getInteger("shortened"));
    }
  }

  private final Session session;
  private final Redactor redactor;
  private final ReaperMeter meter;
  private final NoArgGenerator eventIds = Generators.timeBasedEpochGenerator();
  private UUID after = BEFORE_ALL;
  private long deadline;
  private long lagMs;
  // In a row, since anything was reclaimed.
  private int idleRounds;

  Holds(Session session, Redactor redactor, ReaperMeter meter) {
    this.session = session;
    this.redactor = redactor;
    this.meter = meter;
  }

  /** Goes on round the pools, for a bounded while. */
  Future<Void> pass() {
    deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PASS_MS_MAX);
    lagMs = 0;
    idleRounds = 0;
    return looks().onSuccess(done -> meter.holdLagMs(lagMs));
  }

  private Future<Void> looks() {
    // It may have begun in the middle: what was before that is looked at in the second.
    if (idleRounds == 2 || isLate()) {
      return Future.succeededFuture();
    }
    return session
        .run(
            Sql.FIND_LAPSED_HOLDS,
            Tuple.of(after, LOOKED_AT_POOLS_MAX, Limits.LEASE_TTL_SECONDS_MAX),
            Lapsed::of)
        .compose(found -> reclaim(found, 0))
        .compose(done -> looks());
  }

  private Future<Void> reclaim(List<Lapsed> found, int next) {
    Lapsed lapsed = next < found.size() ? found.get(next) : null;
    UUID poolId = lapsed == null ? null : lapsed.poolId();
    if (lapsed == null || poolId == null) {
      UUID last = found.get(0).next();
      after = last == null ? BEFORE_ALL : last;
      idleRounds += last == null ? 1 : 0;
      return Future.succeededFuture();
    }
    if (isLate()) {
      return Future.succeededFuture();
    }
    lagMs = Math.max(lagMs, lapsed.lapsedMs());
    return session
        .run(Sql.RECLAIM_HOLDS, parameters(poolId, lapsed), Reclaimed::of)
        .onSuccess(rows -> rows.forEach(this::count))
        .compose(
            rows -> {
              after = poolId;
              return reclaim(found, next + 1);
            });
  }

  private boolean isLate() {
    return System.nanoTime() - deadline > 0;
  }

  private void count(Reclaimed done) {
    meter.holdsReclaimed(done.reclaimed(), done.dead());
    if (done.reclaimed() > 0) {
      idleRounds = 0;
    }
    if (done.shortened() > 0) {
      LOG.warn(
          "{} holds ended later than any hold may and were shortened:"
              + " the database's clock was set back",
          done.shortened());
    }
  }

  private Tuple parameters(UUID poolId, Lapsed lapsed) {
    return Tuple.of(
        poolId,
        RECLAIMED_ROWS_MAX,
        Limits.LEASE_TTL_SECONDS_MAX,
        eventIds.generate(),
        eventIds.generate(),
        redactor.keyId(),
        redactor.name(lapsed.tenantId(), lapsed.pool()));
  }
}
