-- Renews a batch of leases: one row per renewal, `renewed` or why not.
--
-- What the snapshot already shows for good (no such memory, another token) is refused without a
-- lock. The rest is locked in memory order, SKIP LOCKED (`again` for a row that was busy), and
-- judged as locked, by the clock read after the last lock: a renewal that waited is never granted
-- into the past, and a lapsed lease stays lapsed even if nobody came. One whose lapse was recorded,
-- or whose name is gone, lapsed for good, even if the clock steps back. Nothing indexed is written,
-- so the update stays HOT. $8 says whether renewals are audited; if not, $10 to $12 are empty.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[],
                       $7::int[], $10::uuid[], $11::bytea[], $12::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, owner, canonical_name, token, ttl_seconds, event_id,
         name_hash, memory_hash, ord)),
locked AS MATERIALIZED (
  SELECT a.ord, l.expires_at, l.ended_as, l.name_key, l.ttl_seconds, l.owner_principal,
    l.owner_client_id
  FROM asked a JOIN leases l ON l.memory_id = a.memory_id
    AND l.tenant_id = a.tenant_id AND l.last_token = a.token
  ORDER BY l.memory_id FOR NO KEY UPDATE OF l SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT a.*, s.last_token, coalesce(a.ttl_seconds, k.ttl_seconds) AS ttl, k.expires_at AS was,
    least(greatest(k.expires_at,
                   c.now + coalesce(a.ttl_seconds, k.ttl_seconds) * interval '1 second'),
          c.now + interval '300 seconds') AS until,
    CASE
      WHEN s.memory_id IS NULL THEN 'memory-not-found'
      WHEN s.last_token > a.token THEN 'stale-fencing-token'
      WHEN s.lease_id IS NULL OR s.canonical_name <> a.canonical_name THEN 'lease-not-found'
      WHEN s.last_token < a.token THEN 'stale-fencing-token'
      WHEN k.ord IS NULL THEN 'again'
      WHEN k.owner_principal <> a.principal OR k.owner_client_id <> a.owner THEN 'owner-mismatch'
      WHEN k.ended_as = 1 THEN 'lease-released'
      WHEN k.ended_as <> 0 OR k.name_key IS NULL OR k.expires_at <= c.now THEN 'lease-lapsed'
      ELSE 'renewed' END AS verdict
  FROM clock c CROSS JOIN asked a
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true
  LEFT JOIN locked k ON k.ord = a.ord),
ends AS MATERIALIZED (
  -- Two renewals of one lease in one batch both tell the end that holds.
  SELECT memory_id, max(until) AS until, bool_or(until <> was) AS moved FROM judged
  WHERE verdict = 'renewed' GROUP BY memory_id),
renewed AS (
  UPDATE leases l SET expires_at = e.until
  FROM ends e WHERE l.memory_id = e.memory_id AND e.moved),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, token, $9::int, 'LEASE_RENEWED', principal, name_hash,
    memory_hash
  FROM judged CROSS JOIN clock WHERE $8::boolean AND verdict = 'renewed')
SELECT j.ord::int, j.verdict, e.until AS expires_at, j.ttl AS ttl_seconds,
  j.last_token AS current_token
FROM judged j LEFT JOIN ends e ON e.memory_id = j.memory_id
