package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.UNAUTHENTICATED;

import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the database says of a digest.
 *
 * @param grant null for a token that is not good
 * @param verdict why, for the log
 * @param terms of the tenant; of no meaning without a grant
 * @param life for how long this may be believed; not negative
 */
record Found(@Nullable Grant grant, String verdict, Terms terms, Duration life) {

  /** The same, believed for at most so long from now. */
  Found atMost(Duration limit) {
    return life.compareTo(limit) <= 0 ? this : new Found(grant, verdict, terms, limit);
  }

  /** The same after so long a time. */
  Found after(Duration time) {
    Duration left = life.minus(time);
    return new Found(grant, verdict, terms, left.isNegative() ? Duration.ZERO : left);
  }

  /** The grant, or the refusal of a token that is not good. */
  Future<Grant> answer() {
    return grant != null ? Future.succeededFuture(grant) : Future.failedFuture(invalid(verdict));
  }

  /** The refusal of a bearer token (RFC 6750 section 3.1): in public all are the same. */
  static Refusal invalid(String verdict) {
    return UNAUTHENTICATED.because(verdict + " token").with("error", "invalid_token");
  }
}
