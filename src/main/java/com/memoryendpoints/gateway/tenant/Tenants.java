package com.memoryendpoints.gateway.tenant;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The terms of tenants as this gateway knows them, from the last look-up of a token of each. Shared
 * by its event loops without a lock; as large as the number of tenants with terms of their own.
 */
public final class Tenants {
  private record Known(Terms terms, long askedNanos) {}

  private final ConcurrentMap<UUID, Known> known = new ConcurrentHashMap<>();

  /** A tenant's terms; {@link Terms#NONE} for one that nothing is known of. */
  public Terms terms(UUID tenantId) {
    Known found = known.get(tenantId);
    return found == null ? Terms.NONE : found.terms;
  }

  /**
   * The database was asked for a tenant.
   *
   * @param askedNanos when, by a clock that only goes forward: the latest answer counts
   */
  public void learnt(UUID tenantId, Terms terms, long askedNanos) {
    if (terms.equals(Terms.NONE) && !known.containsKey(tenantId)) {
      return;
    }
    known.merge(
        tenantId,
        new Known(terms, askedNanos),
        (before, now) -> now.askedNanos - before.askedNanos < 0 ? before : now);
  }
}
