package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Terms;
import java.time.Duration;
import java.util.Set;

/**
 * What a JWT says whose signature, issuer and audience are right.
 *
 * @param fromMs when it begins to be good, the leeway included; milliseconds since 1970
 * @param untilMs when it ends to be good, the leeway included
 */
record JwtClaims(Caller caller, Set<Scope> scopes, long fromMs, long untilMs) {
  private static final Duration LIFE = Duration.ofMillis(Limits.TOKEN_KNOWN_MS_MAX);

  /** Keeps its own copy. */
  JwtClaims {
    scopes = Set.copyOf(scopes);
  }

  /**
   * What is to be believed of it: never beyond its end, and that it is early not beyond its begin.
   */
  Found found(TenantState tenant) {
    long nowMs = tenant.nowMs();
    if (nowMs >= untilMs) {
      return new Found(null, "expired", Terms.NONE, LIFE);
    } else if (nowMs < fromMs) {
      return new Found(null, "early", Terms.NONE, LIFE).atMost(Duration.ofMillis(fromMs - nowMs));
    } else if (!tenant.verdict().equals(TenantState.GOOD)) {
      return new Found(null, tenant.verdict(), Terms.NONE, LIFE);
    }
    Found found = new Found(new Grant(caller, scopes), "granted", tenant.terms(), LIFE);
    return found.atMost(Duration.ofMillis(untilMs - nowMs));
  }
}
