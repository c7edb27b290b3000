package com.memoryendpoints.gateway.quota;

import com.memoryendpoints.gateway.tenant.Term;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Every {@link Estimate} of one gateway: as many as there are quotas in use. */
public final class Estimates {
  /** Of what, and whose. */
  record Key(UUID tenantId, Term resource) {}

  private final ConcurrentMap<Key, Estimate> all = new ConcurrentHashMap<>();

  /** Nothing has been counted. */
  public Estimates() {}

  Estimate of(Key key) {
    return all.computeIfAbsent(key, unseen -> new Estimate());
  }
}
