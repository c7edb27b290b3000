package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What came of calls, waited for. */
final class Answers {
  /** What {@link #outcomes} calls an answer that is not a refusal. */
  static final String GRANTED = "GRANTED";

  private Answers() {}

  /** The answer that must come. */
  static <T> T answer(Future<T> call) {
    return TestPod.await(call);
  }

  /** The refusal that must come. */
  static Refusal refusal(Future<?> call) {
    Throwable failure = catchThrowable(() -> TestPod.await(call));
    assertThat(failure).isInstanceOf(Refusal.class);
    return (Refusal) failure;
  }

  /** What the call must be refused for. */
  static Problem problem(Future<?> call) {
    return refusal(call).problem();
  }

  /** All answers, which must come. */
  static <T, R> List<R> each(List<Future<T>> calls, Function<T, R> shape) {
    return calls.stream().map(Answers::answer).map(shape).toList();
  }

  /** How often each outcome came: {@link #GRANTED}, or the name of a problem. */
  static Map<String, Long> outcomes(Collection<? extends Future<?>> calls) {
    return calls.stream()
        .map(Answers::outcome)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  /** The answers of those that were not refused. */
  static <T> List<T> successes(Collection<Future<T>> calls) {
    return calls.stream()
        .filter(call -> outcome(call).equals(GRANTED))
        .map(Future::result)
        .toList();
  }

  private static String outcome(Future<?> call) {
    Throwable failure = catchThrowable(() -> TestPod.await(call));
    if (failure == null) {
      return GRANTED;
    }
    assertThat(failure).isInstanceOf(Refusal.class);
    return ((Refusal) failure).problem().name();
  }
}
