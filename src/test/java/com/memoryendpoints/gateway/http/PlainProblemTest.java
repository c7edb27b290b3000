package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A document that is put together is the one that would have been written. */
class PlainProblemTest {
  private static final String INSTANCE = "urn:uuid:01a22c51-6b90-70ba-b26c-ae98947991ff";

  @ParameterizedTest
  @EnumSource(Problem.class)
  void everyProblemHasTheSameDocumentEitherWay(Problem problem) {
    Refusal refusal = problem.because("why");
    boolean retryable = Problems.retryable(problem);
    if (retryable) {
      refusal.retryAfterMs(12_345);
    }
    assertThat(PlainProblem.is(refusal)).isTrue();
    assertThat(PlainProblem.of(problem).document(INSTANCE, retryable ? 12_345L : null))
        .isEqualTo(Json.bytes(Problems.document(refusal, INSTANCE, null)));
    assertThat(PlainProblem.is(refusal.with("quota", "leases"))).isFalse();
  }
}
