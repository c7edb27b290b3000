package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the reaper of this process did. */
public final class ReaperMeter {
  /** How a pass, or an upkeep of the partitions, ended. */
  public enum Pass {
    COMPLETED,
    FAILED
  }

  /** What upkeep did to a partition. */
  public enum Partition {
    ATTACHED,
    DETACHED,
    DROPPED
  }

  private final CountedBy<Pass> passes;
  private final CountedBy<Pass> upkeeps;
  private final CountedBy<Partition> partitions;
  private final Timer duration;
  private final Counter lapses;
  private final Counter names;
  private final Counter holds;
  private final Counter dead;
  private final Counter cleared;
  private final AtomicLong lagMs = new AtomicLong();
  private final AtomicLong holdLagMs = new AtomicLong();
  private volatile double oldestTransactionSeconds = Double.NaN;
  private volatile double daysAhead = Double.NaN;

  ReaperMeter(MeterRegistry registry) {
    passes =
        new CountedBy<>(
            Pass.class,
            pass ->
                Meters.counter(registry, "reaper.passes", "Passes of the reaper", "result", pass));
    upkeeps =
        new CountedBy<>(
            Pass.class,
            end ->
                Meters.counter(
                    registry, "reaper.upkeeps", "Upkeeps of partitions by days", "result", end));
    partitions =
        new CountedBy<>(
            Partition.class,
            done ->
                Meters.counter(
                    registry,
                    "reaper.partitions",
                    "What upkeep did to partitions",
                    "action",
                    done));
    duration = Meters.latency("reaper.pass", "Passes of the reaper").register(registry);
    lapses = Meters.counter(registry, "reaper.lapses.recorded", "Lapsed leases that were recorded");
    names =
        Meters.counter(registry, "reaper.names.forgotten", "Rows of idle names that were deleted");
    holds = Meters.counter(registry, "reaper.holds.reclaimed", "Lapsed holds that were taken back");
    dead = Meters.counter(registry, "reaper.identifiers.dead", "Identifiers that lapsed too often");
    cleared =
        Meters.counter(
            registry,
            "reaper.identifiers.cleared",
            "Identifiers of deleted pools that were deleted");
    Gauge.builder("reaper.holds.lag", holdLagMs, lag -> lag.get() / 1_000.0)
        .description("For how long a hold had lapsed when the last pass found it")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("db.oldest.transaction", this, meter -> meter.oldestTransactionSeconds)
        .description("For how long the oldest transaction of the database has been open")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("reaper.partitions.ahead", this, meter -> meter.daysAhead)
        .description("Days after today that have a partition in every table kept by days")
        .register(registry);
    Gauge.builder("reaper.lag", lagMs, lag -> lag.get() / 1_000.0)
        .description("For how long a lease had lapsed when the last pass found it")
        .baseUnit("seconds")
        .register(registry);
  }

  /**
   * For how long the oldest transaction of the database has been open, in seconds; not a number
   * when that is not known.
   */
  public void oldestTransaction(double seconds) {
    oldestTransactionSeconds = seconds;
  }

  /**
   * How many days after today have a partition in every table that is kept by days: 2 when all is
   * well, below 0 when today has none; not a number when that is not known.
   */
  public void daysAhead(double days) {
    daysAhead = days;
  }

  /** An upkeep of the partitions, which was this reaper's to do, ended. */
  public void upkeepEnded(Pass end) {
    upkeeps.increment(end);
  }

  /** A pass ended after so many nanoseconds. */
  public void passEnded(Pass pass, long nanos) {
    passes.increment(pass);
    duration.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Lapses were recorded, each once. */
  public void lapsesRecorded(int leases) {
    lapses.increment(leases);
  }

  /** Rows of idle names were deleted. */
  public void namesForgotten(int rows) {
    names.increment(rows);
  }

  /** A step of partition upkeep was taken. */
  public void partition(Partition done) {
    partitions.increment(done);
  }

  /** How long ago the longest lapsed lease of the last pass had lapsed; 0 when none was found. */
  public void lagMs(long ms) {
    lagMs.set(ms);
  }

  /** Holds that had lapsed were taken back, and so many of their identifiers are dead now. */
  public void holdsReclaimed(int all, int ofThemDead) {
    holds.increment(all);
    dead.increment(ofThemDead);
  }

  /** Identifiers of deleted pools were deleted. */
  public void identifiersCleared(int rows) {
    cleared.increment(rows);
  }

  /** How long ago the longest lapsed hold of the last pass had lapsed; 0 when none was found. */
  public void holdLagMs(long ms) {
    holdLagMs.set(ms);
  }
}
