package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.sqlclient.Row;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** What the refusing verdicts of the statements mean: a verdict is a problem's slug. */
public final class Verdicts {
  private static final Map<String, Problem> BY_SLUG =
      Arrays.stream(Problem.values()).collect(Collectors.toUnmodifiableMap(Problem::slug, p -> p));

  private final Meters meters;

  /** Counts by these meters what a verdict says about a token or a key. */
  public Verdicts(Meters meters) {
    this.meters = meters;
  }

  /** Does nothing when the verdict is the good one; otherwise throws the refusal that it names. */
  public void require(String good, Row row) {
    if (!row.getString("verdict").equals(good)) {
      throw refusal(row);
    }
  }

  /** The refusal that a row's verdict names; a stale token comes with the current one. */
  public Refusal refusal(Row row) {
    String verdict = row.getString("verdict");
    if (verdict.equals("key-reused")) {
      meters.keyUsed(Meters.Key.REUSED);
      return Problem.IDEMPOTENCY_KEY_REUSED.because(verdict);
    }
    Problem problem = BY_SLUG.get(verdict);
    if (problem == null) {
      throw new IllegalStateException("a statement answered with the verdict " + verdict);
    }
    return problem == Problem.STALE_FENCING_TOKEN ? stale(row) : problem.because(verdict);
  }

  /** A token that is not the current one; the current one, if any was ever issued, goes with it. */
  public Refusal stale(Row row) {
    meters.fencingRejected();
    Refusal refusal = Problem.STALE_FENCING_TOKEN.because("another token is current");
    Long current = row.getLong("current_token");
    return current == null || current == 0 ? refusal : refusal.with("current_token", current);
  }
}
