package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The runs of one statement. Shared by every event loop. */
public final class StatementMeter {
  /** Why a statement, or a member of its batch, was sent once more. */
  public enum Again {
    /** The row was busy, or an equal request stood before this one. */
    BUSY_ROW,
    /** The database rolled everything back: 40001, 40P01, 23505. */
    ROLLED_BACK,
    /** The connection was lost, or the statement cancelled, and a second run does no harm. */
    LOST,
    /** The prepared plan no longer fitted the schema. */
    STALE_PLAN,
    /** A batch failed as a whole and was sent member by member. */
    ONE_BY_ONE
  }

  private static final double[] BATCH_BUCKETS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024};

  private final Timer latency;
  private final DistributionSummary rows;
  private final Counter failures;
  private final CountedBy<Again> again;

  StatementMeter(MeterRegistry registry, String statement) {
    latency = Meters.latency("db.statement").tag("statement", statement).register(registry);
    rows =
        DistributionSummary.builder("db.batch.rows")
            .tag("statement", statement)
            .serviceLevelObjectives(BATCH_BUCKETS)
            .register(registry);
    failures = registry.counter("db.statement.failures", "statement", statement);
    again =
        new CountedBy<>(
            Again.class,
            why -> registry.counter("db.statement.retries", "statement", statement, "reason", why));
  }

  /**
   * Records one run that the database answered.
   *
   * @param batchRows requests in the batch, from 1
   * @param nanos from sending to the last row
   */
  public void answered(int batchRows, long nanos) {
    latency.record(nanos, TimeUnit.NANOSECONDS);
    rows.record(batchRows);
  }

  /** Records one run that failed, whatever is done about it. */
  public void failed() {
    failures.increment();
  }

  /** Records that a request, or a whole batch, is sent once more. */
  public void again(Again reason) {
    again.increment(reason);
  }
}
