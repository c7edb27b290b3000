package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the reaper of this process did. */
public final class ReaperMeter {
  /** How a pass ended. */
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
  private final CountedBy<Partition> partitions;
  private final Timer duration;
  private final Counter lapses;
  private final Counter names;
  private final AtomicLong lagMs = new AtomicLong();

  ReaperMeter(MeterRegistry registry) {
    passes = new CountedBy<>(Pass.class, pass -> registry.counter("reaper.passes", "result", pass));
    partitions =
        new CountedBy<>(
            Partition.class, done -> registry.counter("reaper.partitions", "action", done));
    duration = Meters.latency("reaper.pass").register(registry);
    lapses = registry.counter("reaper.lapses.recorded");
    names = registry.counter("reaper.names.forgotten");
    Gauge.builder("reaper.lag", lagMs, lag -> lag.get() / 1_000.0)
        .baseUnit("seconds")
        .register(registry);
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
}
