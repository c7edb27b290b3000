package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.TestDatabase;
import java.util.UUID;

/** Leases as a claim would have left them, written straight into the tables. */
final class LeaseRows {
  private LeaseRows() {}

  /**
   * Open leases number 1 to {@code count}: memory {@link #memory}, name {@code key<n>}, canonical
   * name {@code canon<n>}, token n.
   *
   * @param expiresAt an SQL expression
   */
  static void insert(TestDatabase database, int count, String expiresAt) {
    database.run(
        """
        WITH n AS (SELECT n, ('0190a5b4-c3d2-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
                   FROM generate_series(1, %d) n),
        t AS (SELECT '0190a5b4-c3d2-7e8f-9a0b-1c2d3e4f5a6b'::uuid AS id),
        m AS (INSERT INTO memory_instances (memory_id, tenant_id, created_at)
              SELECT n.id, t.id, clock_timestamp() FROM n, t),
        a AS (INSERT INTO agent_names (name_key, canonical_name, display_name, last_token,
                last_granted_at)
              SELECT 'key' || n, 'canon' || n, 'Canon' || n, n, clock_timestamp() FROM n)
        INSERT INTO leases (memory_id, tenant_id, last_token, name_key, canonical_name, lease_id,
          owner_principal, owner_client_id, granted_key, granted_at, expires_at, ttl_seconds,
          ended_as)
        SELECT n.id, t.id, n, 'key' || n, 'canon' || n, gen_random_uuid(), 'p', 'o', n.id,
          clock_timestamp() - interval '2 minutes', %s, 30, 0
        FROM n, t ORDER BY n
        """
            .formatted(count, expiresAt));
  }

  /** The memory of lease number n. */
  static UUID memory(int n) {
    return new UUID(0x0190a5b4c3d27000L, 0x8000_0000_0000_0000L + n);
  }

  /** Changes lease number n by an SQL assignment. */
  static void change(TestDatabase database, int n, String assignment) {
    database.run("UPDATE leases SET " + assignment + " WHERE memory_id = '" + memory(n) + "'");
  }
}
