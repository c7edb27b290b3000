package com.memoryendpoints.gateway.problem;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One occurrence of a {@link Problem}: expected, cheap (no stack trace), and two-faced. The client
 * sees the problem's public text and the members given {@link #with}; the log sees the internal
 * reason.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Problem problem;
  // Values are what JSON can hold: String, Integer, Long, Boolean, Instant, List, Map.
  private final transient Map<String, Object> members = new LinkedHashMap<>();
  private boolean replayed;

  Refusal(Problem problem, String internalReason) {
    super(internalReason, null, false, false);
    this.problem = problem;
  }

  /** Which problem this is an occurrence of. */
  public Problem problem() {
    return problem;
  }

  /**
   * Adds a public member to the problem document (RFC 9457 section 3.2).
   *
   * @param value a String, Integer, Long, Boolean, {@link java.time.Instant}, List or Map of these,
   *     or a record that has a form on the wire; must be the caller's own to see
   */
  public Refusal with(String member, Object value) {
    members.put(member, value);
    return this;
  }

  /**
   * Says when a retry makes sense: becomes {@code Retry-After} (whole seconds, rounded up, at least
   * 1) and {@code retry_after_ms}.
   */
  public Refusal retryAfterMs(long retryAfterMs) {
    return with("retry_after_ms", Math.max(1, retryAfterMs));
  }

  /** Marks this as what has become of an earlier use of the key: {@code Idempotent-Replayed}. */
  public Refusal asReplay() {
    replayed = true;
    return this;
  }

  /** Whether an earlier use of the key had an effect, and this is what has become of it. */
  public boolean replayed() {
    return replayed;
  }

  /** The public members beside those that every problem has, in the order they were added. */
  public Map<String, Object> members() {
    return Collections.unmodifiableMap(members);
  }
}
