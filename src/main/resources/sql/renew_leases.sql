-- Renews a batch of leases: one row per renewal, `renewed` or why not.
--
-- What the snapshot already shows for good (no such memory, another token) is refused without a
-- lock. The rest is locked in memory order, SKIP LOCKED (`again` for a row that was busy), and
-- judged as locked, by the clock read after the last lock: a renewal that waited is never granted
-- into the past, and a lapsed lease stays lapsed even if nobody came. One whose lapse was recorded,
-- or whose name is gone, lapsed for good, even if the clock steps back. Nothing indexed is written,
-- so the update stays HOT. $8 says whether renewals are audited; if not, $10 to $12 are empty.
--
-- A lock names one table and its keys, a write of different values is an upsert: of a row that
-- changed between the snapshot and the lock PostgreSQL judges the newest version, and 18.0 and 18.1
-- lose rows when a join is part of that, of an UPDATE ... FROM too.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[],
                       $7::int[], $10::uuid[], $11::bytea[], $12::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, owner, canonical_name, token, ttl_seconds, event_id,
         name_hash, memory_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, s.memory_id AS found_id, s.last_token, s.lease_id, s.canonical_name AS leased_name
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.name_key, l.ttl_seconds,
    l.owner_principal, l.owner_client_id
  FROM leases l
  WHERE l.memory_id = ANY (ARRAY(SELECT memory_id FROM known WHERE last_token = token))
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*, coalesce(k.ttl_seconds, l.ttl_seconds) AS ttl, l.expires_at AS was,
    least(greatest(l.expires_at,
                   c.now + coalesce(k.ttl_seconds, l.ttl_seconds) * interval '1 second'),
          c.now + interval '300 seconds') AS until,
    CASE
      WHEN k.found_id IS NULL THEN 'memory-not-found'
      WHEN k.last_token > k.token THEN 'stale-fencing-token'
      WHEN k.lease_id IS NULL OR k.leased_name <> k.canonical_name THEN 'lease-not-found'
      WHEN k.last_token < k.token THEN 'stale-fencing-token'
      WHEN l.memory_id IS NULL THEN 'again'
      WHEN l.owner_principal <> k.principal OR l.owner_client_id <> k.owner THEN 'owner-mismatch'
      WHEN l.ended_as = 1 THEN 'lease-released'
      WHEN l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= c.now THEN 'lease-lapsed'
      ELSE 'renewed' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.memory_id = k.memory_id AND l.last_token = k.token),
ends AS MATERIALIZED (
  -- Two renewals of one lease in one batch both tell the end that holds.
  SELECT memory_id, tenant_id, max(until) AS until, bool_or(until <> was) AS moved FROM judged
  WHERE verdict = 'renewed' GROUP BY memory_id, tenant_id),
renewed AS (
  INSERT INTO leases (memory_id, tenant_id, expires_at)
  SELECT memory_id, tenant_id, until FROM ends WHERE moved
  ON CONFLICT (memory_id) DO UPDATE SET expires_at = excluded.expires_at),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, token, $9::int, 'LEASE_RENEWED', principal, name_hash,
    memory_hash
  FROM judged CROSS JOIN clock WHERE $8::boolean AND verdict = 'renewed')
SELECT j.ord::int, j.verdict, e.until AS expires_at, j.ttl AS ttl_seconds,
  j.last_token AS current_token
FROM judged j LEFT JOIN ends e ON e.memory_id = j.memory_id
