package com.memoryendpoints.gateway.reaper;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records leases that lapsed and that nobody has claimed since, once each, whoever finds them. */
final class Lapses {
  /**
   * How long ago a lease must have lapsed. Its owner or the next claimer usually comes at once, and
   * then there is nothing to record.
   */
  static final int GRACE_MS = 5_000;

  /** Blocks that one look covers: some 4 MiB, a few milliseconds. */
  static final int RANGE_BLOCKS = 512;

  /** Blocks of one pass: some 16 MiB a second. */
  static final int PASS_BLOCKS = 2_048;

  /** Rows of one look; more than fit in one block, so that every look gets on. */
  static final int FOUND_ROWS_MAX = 1_024;

  /** Rows that one statement locks. */
  static final int RECORDED_ROWS_MAX = 256;

  /** A pass that has taken so long goes on next time. */
  static final int PASS_MS_MAX = 250;

  private static final Logger LOG = LoggerFactory.getLogger(Lapses.class);

  private record Lapsed(
      UUID memoryId,
      UUID tenantId,
      String canonicalName,
      long lastToken,
      OffsetDateTime expiresAt,
      long lapsedMs,
      long block) {
    static Lapsed of(Row row) {
      return new Lapsed(
          row.getUUID("memory_id"),
          row.getUUID("tenant_id"),
          row.getString("canonical_name"),
          row.getLong("last_token"),
          row.getOffsetDateTime("expires_at"),
          row.getLong("lapsed_ms"),
          block(row.getString("place")));
    }

    /** {@code (block,item)}, as the database writes a row's place. */
    private static long block(String place) {
      return Long.parseLong(place, 1, place.indexOf(','), 10);
    }
  }

  private record Recorded(int recorded, int shortened) {
    static Recorded of(Row row) {
      return new Recorded(row.getInteger("recorded"), row.getInteger("shortened"));
    }
  }

  private final Session session;
  private final Redactor redactor;
  private final ReaperMeter meter;
  private final NoArgGenerator eventIds = Generators.timeBasedEpochGenerator();
  private final Round round = new Round(RANGE_BLOCKS, PASS_BLOCKS);
  private long deadline;
  private long lagMs;

  Lapses(Session session, Redactor redactor, ReaperMeter meter) {
    this.session = session;
    this.redactor = redactor;
    this.meter = meter;
  }

  /** Goes on round a table of so many blocks, for a bounded while. */
  Future<Void> pass(long leaseBlocks) {
    round.begin(leaseBlocks);
    deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PASS_MS_MAX);
    lagMs = 0;
    return ranges().onSuccess(done -> meter.lagMs(lagMs));
  }

  private Future<Void> ranges() {
    if (round.isOver() || System.nanoTime() - deadline > 0) {
      return Future.succeededFuture();
    }
    Round.Blocks range = round.range();
    return find(range)
        .compose(found -> record(found, 0).onSuccess(done -> gotOn(range, found)))
        .compose(done -> ranges());
  }

  private Future<List<Lapsed>> find(Round.Blocks range) {
    return session.run(
        Sql.FIND_LAPSED_LEASES,
        Tuple.of(
            range.from(), range.until(), GRACE_MS, Limits.LEASE_TTL_SECONDS_MAX, FOUND_ROWS_MAX),
        Lapsed::of);
  }

  private void gotOn(Round.Blocks range, List<Lapsed> found) {
    for (Lapsed lapsed : found) {
      lagMs = Math.max(lagMs, lapsed.lapsedMs());
    }
    boolean whole = found.size() < FOUND_ROWS_MAX;
    long last = whole ? range.until() : found.get(found.size() - 1).block();
    round.reached(Math.max(last, range.from() + 1));
  }

  private Future<Void> record(List<Lapsed> found, int from) {
    if (from >= found.size()) {
      return Future.succeededFuture();
    }
    int until = Math.min(found.size(), from + RECORDED_ROWS_MAX);
    return session
        .run(Sql.RECORD_LAPSED_LEASES, parameters(found.subList(from, until)), Recorded::of)
        .onSuccess(rows -> rows.forEach(this::count))
        .compose(rows -> record(found, until));
  }

  private void count(Recorded done) {
    meter.lapsesRecorded(done.recorded());
    if (done.shortened() > 0) {
      LOG.warn(
          "{} leases ended later than any lease may and were shortened:"
              + " the database's clock was set back",
          done.shortened());
    }
  }

  private Tuple parameters(List<Lapsed> found) {
    return Tuple.tuple()
        .addArrayOfUUID(column(found, Lapsed::memoryId, UUID[]::new))
        .addArrayOfLong(column(found, Lapsed::lastToken, Long[]::new))
        .addArrayOfOffsetDateTime(column(found, Lapsed::expiresAt, OffsetDateTime[]::new))
        .addArrayOfBuffer(column(found, this::nameHash, Buffer[]::new))
        .addArrayOfBuffer(column(found, this::memoryHash, Buffer[]::new))
        .addArrayOfUUID(column(found, lapsed -> eventIds.generate(), UUID[]::new))
        .addInteger(redactor.keyId())
        .addInteger(GRACE_MS)
        .addInteger(Limits.LEASE_TTL_SECONDS_MAX);
  }

  private Buffer nameHash(Lapsed lapsed) {
    return redactor.name(lapsed.tenantId(), lapsed.canonicalName());
  }

  private Buffer memoryHash(Lapsed lapsed) {
    return redactor.memory(lapsed.tenantId(), lapsed.memoryId());
  }

  private static <T> T[] column(
      List<Lapsed> found, Function<Lapsed, T> value, IntFunction<T[]> array) {
    return found.stream().map(value).toArray(array);
  }
}
