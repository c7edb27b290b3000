package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.INSUFFICIENT_SCOPE;

import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import java.util.Set;

/** What a token says: who calls, and what for. */
public record Grant(Caller caller, Set<Scope> scopes) {
  /** Keeps its own copy. */
  public Grant {
    scopes = Set.copyOf(scopes);
  }

  /**
   * Refuses a call that needs another scope (RFC 6750 section 3.1).
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal INSUFFICIENT_SCOPE
   */
  public void require(Scope scope) {
    if (!scopes.contains(scope)) {
      throw INSUFFICIENT_SCOPE
          .because("the token lacks " + scope.wire())
          .with("error", "insufficient_scope")
          .with("scope", scope.wire());
    }
  }
}
