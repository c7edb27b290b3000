package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.TestDatabase;
import java.util.UUID;

/** Pools and PENDING identifiers as a claim leaves them, past the gateway. */
final class HoldRows {
  static final UUID TENANT = UUID.fromString("0190a5b4-c3d2-7e8f-9a0b-1c2d3e4f5a6b");

  private HoldRows() {}

  /** The id of the n-th pool. */
  static UUID pool(int n) {
    return UUID.fromString(String.format("018f0000-0000-7000-9000-%012x", n));
  }

  /** A pool {@code pool<n>}. */
  static void insertPool(TestDatabase database, int n, int graceMs, String maxAttempts) {
    database.run(
        "INSERT INTO pools VALUES ('%s', '%s', clock_timestamp(), 30, %d, %s, 'pool%d')"
            .formatted(pool(n), TENANT, graceMs, maxAttempts, n));
  }

  /** So many holds of a pool, which have tokens from 1 on and end when an SQL expression says. */
  static void insert(TestDatabase database, int pool, int count, String leasedUntil) {
    database.run(
        """
        INSERT INTO identifiers (identifier_id, pool_id, identifier, state, last_token,
          available_at, leased_until, claimed_at, ttl_seconds, owner_principal, owner_client_id)
        SELECT gen_random_uuid(), '%s', 'id' || n, 1, n, clock_timestamp() - interval '1 hour',
          %s, clock_timestamp() - interval '1 hour', 30, 'alice', 'worker'
        FROM generate_series(1, %d) n
        """
            .formatted(pool(pool), leasedUntil, count));
  }

  /** How many identifiers are in a state. */
  static long count(TestDatabase database, int state) {
    return (long) database.value("SELECT count(*) FROM identifiers WHERE state = " + state);
  }
}
