package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The document of a problem that says nothing of the single case but which it was and when to come
 * again, as {@link Problems#document} writes it: cut at these two places once, and put together for
 * each. A refusal of what is too much must cost less than what is refused.
 */
final class PlainProblem {
  private static final String INSTANCE = "@instance";
  private static final long RETRY_AFTER_MS = 9_876_543_210L;

  private static final Map<Problem, PlainProblem> ALL = new EnumMap<>(Problem.class);

  static {
    Arrays.stream(Problem.values()).forEach(each -> ALL.put(each, new PlainProblem(each)));
  }

  private final String head;
  private final String middle;
  private final String tail;

  private PlainProblem(Problem problem) {
    Refusal refusal = problem.because("the form of its document");
    if (Problems.retryable(problem)) {
      refusal.retryAfterMs(RETRY_AFTER_MS);
    }
    Buffer bytes = Json.bytes(Problems.document(refusal, INSTANCE, null));
    String document = bytes.toString(StandardCharsets.UTF_8);
    int instance = document.indexOf(INSTANCE);
    String behind = document.substring(instance + INSTANCE.length());
    String retry = Long.toString(RETRY_AFTER_MS);
    int cut = behind.indexOf(retry);
    this.head = document.substring(0, instance);
    this.middle = cut < 0 ? behind : behind.substring(0, cut);
    this.tail = cut < 0 ? "" : behind.substring(cut + retry.length());
  }

  /** Whether there is nothing to say of a refusal but when to come again. */
  static boolean is(Refusal refusal) {
    int members = refusal.members().size();
    return members == 0
        || (members == 1
            && Problems.retryable(refusal.problem())
            && refusal.members().containsKey(Problems.RETRY_AFTER_MS));
  }

  /** The form of this problem. */
  static PlainProblem of(Problem problem) {
    return Objects.requireNonNull(ALL.get(problem));
  }

  /**
   * The document of one occurrence.
   *
   * @param retryAfterMs null exactly where a retry never makes sense
   */
  Buffer document(String instance, @Nullable Long retryAfterMs) {
    return Buffer.buffer(
        retryAfterMs == null
            ? head + instance + middle
            : head + instance + middle + retryAfterMs.longValue() + tail);
  }
}
