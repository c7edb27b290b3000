package com.memoryendpoints.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {
  @ParameterizedTest
  @EnumSource
  void everyProblemSaysWhatIsWrongAndWhatToDo(Problem problem) {
    assertThat(problem.status()).isBetween(400, 599);
    assertThat(problem.title()).matches("[A-Z].*\\.");
    assertThat(problem.advice()).matches("[A-Z].*\\.").isNotEqualTo(problem.title());
    assertThat(problem.slug()).matches("[a-z]+(-[a-z]+)*");
    assertThat(problem.code()).isEqualTo(problem.name());
  }

  @Test
  void noTwoProblemsHaveOneTitle() {
    assertThat(Stream.of(Problem.values()).map(Problem::title)).doesNotHaveDuplicates();
  }

  @Test
  void theOrderIsThatOfPrecedence() {
    List<Problem> told =
        List.of(
            Problem.MALFORMED_REQUEST,
            Problem.NO_SUCH_ROUTE,
            Problem.UNAUTHENTICATED,
            Problem.INSUFFICIENT_SCOPE,
            Problem.IDEMPOTENCY_KEY_MISSING,
            Problem.BODY_TOO_LARGE,
            Problem.MALFORMED_BODY,
            Problem.INVALID_REQUEST,
            Problem.INVALID_NAME,
            Problem.IDEMPOTENCY_KEY_REUSED,
            Problem.REQUEST_IN_PROGRESS,
            Problem.MEMORY_NOT_FOUND,
            Problem.NAME_HELD,
            Problem.STALE_FENCING_TOKEN,
            Problem.OWNER_MISMATCH,
            Problem.LEASE_LAPSED,
            Problem.OVERLOADED,
            Problem.INTERNAL);
    assertThat(told).isSorted();
  }

  @Test
  void aRefusalCarriesNoStackAndKeepsItsReasonToItself() {
    Refusal refusal = Problem.NAME_HELD.because("the row says so").with("confusable", true);
    assertThat(refusal.getStackTrace()).isEmpty();
    assertThat(refusal.members()).containsOnlyKeys("confusable");
    assertThat(Problem.NAME_HELD.<String>refuse("why").cause()).hasMessage("why");
  }

  @Test
  void aRetryMakesSenseAfterAMillisecondAtLeast() {
    assertThat(Problem.BUSY.because("row").retryAfterMs(-5).members())
        .containsEntry("retry_after_ms", 1L);
  }
}
