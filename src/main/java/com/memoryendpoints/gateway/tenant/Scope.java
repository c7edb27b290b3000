package com.memoryendpoints.gateway.tenant;

import java.util.Locale;
import java.util.Optional;

/** What a token may be used for. */
public enum Scope {
  LEASES,
  MEMORIES,
  POOLS,
  AUDIT,
  ADMIN;

  /** The scope as configuration and RFC 6750 answers spell it: lower case. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The scope spelled so, or nothing. */
  public static Optional<Scope> of(String wire) {
    for (Scope scope : values()) {
      if (scope.wire().equals(wire)) {
        return Optional.of(scope);
      }
    }
    return Optional.empty();
  }
}
