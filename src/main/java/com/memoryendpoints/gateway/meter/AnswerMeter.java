package com.memoryendpoints.gateway.meter;

import com.memoryendpoints.gateway.problem.Problem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * What callers are answered, by code: a call, and beside it each item of a batch, whose own answer
 * is 200 whatever became of them. Every code is there from the start, so that the first answer of a
 * kind is a rise too.
 */
public final class AnswerMeter {
  private final Counter fine;
  private final Map<Problem, Counter> refused = new EnumMap<>(Problem.class);

  AnswerMeter(MeterRegistry registry) {
    fine = answers(registry, "none");
    for (Problem problem : Problem.values()) {
      refused.put(problem, answers(registry, problem.code()));
    }
  }

  private static Counter answers(MeterRegistry registry, String code) {
    return Meters.counter(
        registry, "http.server.answers", "Answers to calls and to items of batches", "code", code);
  }

  /** An answer that is not a problem. */
  public void fine() {
    fine.increment();
  }

  /** An answer that is a problem. */
  public void refused(Problem problem) {
    Objects.requireNonNull(refused.get(problem)).increment();
  }
}
