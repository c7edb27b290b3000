package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.lease.HistoryChecker.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ten connections do everything at once to a small world, and what they were told is held against
 * the promises of seed 1. {@code -Dhistory.seed=} repeats the choices, though not the races; {@code
 * -Dhistory.seconds=} goes on for longer. The checker is held to see what there is to see.
 */
class HistoryTest {
  private static final int SECONDS = Integer.getInteger("history.seconds", 10);
  private static final int BROKEN_SECONDS = 2;
  private static final int BROKEN_RUNS_MAX = 10;

  private final long seed = Long.getLong("history.seed", new Random().nextLong());

  @Test
  void noHistoryBreaksAPromise() {
    try (TestDatabase database = TestDatabase.on(TestServer.shared())) {
      Pauses.everywhere(database, 0.003);
      History history = HistoryRun.of(database, seed, SECONDS, false);
      List<HistoryChecker.Violation> violations = HistoryChecker.violations(history);
      tell("the gateway", history, violations);
      assertThat(violations).as("history.seed=%d", seed).isEmpty();
      assertThat(history.grants.size()).isGreaterThan(100);
    }
  }

  /** Each is the claim as it is, with one thing taken away. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FOR NO KEY UPDATE SKIP LOCKED               |                     | MEMORY_LEASED_TWICE
          greatest\\(l.last_token,                     | greatest(           | TOKEN_REPEATED
          SELECT clock_timestamp\\(\\) AS now, count    | SELECT now(), count | RENEWED_AFTER_END
          """)
  void theCheckerSeesABrokenClaim(String taken, String left, Fault expected) {
    sees(
        Set.of(expected),
        "the claim without " + taken,
        () -> {
          try (TestDatabase database = TestDatabase.on(TestServer.shared())) {
            Pauses.everywhere(database, 0.01);
            String broken = Pauses.claim(database).replaceAll(taken, left == null ? "" : left);
            assertThat(broken.equals(Pauses.claim(database))).as(taken).isFalse();
            database.run(broken);
            return HistoryRun.of(database, seed, BROKEN_SECONDS, true);
          }
        });
  }

  @Test
  void theCheckerSeesTheFaultsOfTheSeedsOwnStatements() {
    sees(
        Set.of(
            Fault.TOKEN_REPEATED,
            Fault.TOKEN_WENT_BACK,
            Fault.NAME_LEASED_TWICE,
            Fault.WRITTEN_AFTER_END),
        "seed 1",
        () -> {
          try (TestDatabase database = TestDatabase.emptyOn(TestServer.shared())) {
            return SeedRun.of(database, seed, BROKEN_SECONDS);
          }
        });
  }

  /** A race is not lost every time: another history, until all faults that are there have shown. */
  private void sees(Set<Fault> expected, String who, Supplier<History> run) {
    Set<Fault> seen = new HashSet<>();
    for (int i = 0; i < BROKEN_RUNS_MAX && !seen.containsAll(expected); i++) {
      History history = run.get();
      List<HistoryChecker.Violation> violations = HistoryChecker.violations(history);
      tell(who, history, violations);
      seen.addAll(HistoryChecker.count(violations).keySet());
    }
    assertThat(seen).as("history.seed=%d", seed).containsAll(expected);
  }

  private void tell(String who, History history, List<HistoryChecker.Violation> violations) {
    System.out.printf(
        "history.seed=%d, %s: %d grants, %d acts, %d endings, %d lapses, %d replays, %d audit"
            + " events, violations %s%n",
        seed,
        who,
        history.grants.size(),
        history.acts.size(),
        history.endings.size(),
        history.lapses.size(),
        history.replays.size(),
        history.audited.size(),
        HistoryChecker.count(violations));
  }
}
