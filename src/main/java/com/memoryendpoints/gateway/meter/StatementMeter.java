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

  /** Why a request was refused before it was sent. */
  public enum Shed {
    /** As many waited as may. */
    FULL,
    /** The oldest of its tenant has waited for long. */
    SLOW,
    /** It waited for as long as it may. */
    WAITED_TOO_LONG
  }

  private static final double[] BATCH_BUCKETS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024};

  private final Timer latency;
  private final DistributionSummary rows;
  private final Counter failures;
  private final CountedBy<Again> again;
  private final CountedBy<Shed> shed;

  StatementMeter(MeterRegistry registry, String statement) {
    latency =
        Meters.latency("db.statement", "Statements, from sending to the last row")
            .tag("statement", statement)
            .register(registry);
    rows =
        DistributionSummary.builder("db.batch.rows")
            .description("Requests that a statement served")
            .tag("statement", statement)
            .serviceLevelObjectives(BATCH_BUCKETS)
            .register(registry);
    failures =
        Meters.counter(
            registry,
            "db.statement.failures",
            "Statements that failed, whatever was done about it",
            "statement",
            statement);
    again =
        new CountedBy<>(
            Again.class,
            why ->
                counter(registry, "db.statement.retries", "Requests sent again", statement, why));
    shed =
        new CountedBy<>(
            Shed.class,
            why ->
                counter(registry, "db.requests.shed", "Requests refused unsent", statement, why));
  }

  private static Counter counter(
      MeterRegistry registry, String name, String what, String statement, String reason) {
    return Meters.counter(registry, name, what, "statement", statement, "reason", reason);
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

  /** Records that a request was refused instead of sent, because there are too many. */
  public void shed(Shed reason) {
    shed.increment(reason);
  }

  /** Records that a request, or a whole batch, is sent once more. */
  public void again(Again reason) {
    again.increment(reason);
  }
}
