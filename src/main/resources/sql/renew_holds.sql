-- Renews a batch of holds: one row per request, `renewed` with the new end, or why not. Never
-- shortens, never resurrects, keeps the token.
--
-- Judged as in consume_identifiers.sql, written as in renew_leases.sql and for the reasons told
-- there. $7 says whether renewals are audited; if not, $9 and $10 are empty.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::int[],
                       $9::uuid[], $10::bytea[]) WITH ORDINALITY
    AS a(identifier_id, tenant_id, pool, principal, token, ttl_seconds, event_id, pool_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, p.pool_id, s.identifier_id AS found_id, s.last_token, s.state
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM pools p WHERE p.tenant_id = a.tenant_id AND p.pool = a.pool LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT * FROM identifiers s
    WHERE s.identifier_id = a.identifier_id AND s.pool_id = p.pool_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT i.identifier_id, i.last_token, i.state, i.leased_until, i.ttl_seconds, i.identifier,
    i.available_at
  FROM identifiers i
  WHERE i.identifier_id = ANY (ARRAY(
    SELECT found_id FROM known WHERE last_token = token AND state = 1))
  ORDER BY i.identifier_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*, l.identifier, l.available_at, l.leased_until AS was, c.now,
    least(greatest(l.leased_until,
                   c.now + coalesce(k.ttl_seconds, l.ttl_seconds) * interval '1 second'),
          c.now + interval '300 seconds') AS until,
    CASE
      WHEN k.pool_id IS NULL THEN 'pool-not-found'
      WHEN k.found_id IS NULL THEN 'identifier-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN k.state = 2 THEN 'identifier-consumed'
      WHEN k.state <> 1 THEN 'hold-lapsed'
      WHEN l.identifier_id IS NULL THEN 'again'
      WHEN l.leased_until <= c.now THEN 'hold-lapsed'
      ELSE 'renewed' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.identifier_id = k.found_id AND l.last_token = k.token AND l.state = 1),
ends AS MATERIALIZED (
  -- Two renewals of one hold in one batch both tell the end that holds.
  SELECT identifier_id, pool_id, identifier, available_at, max(until) AS until,
    bool_or(until <> was) AS moved
  FROM judged WHERE verdict = 'renewed' GROUP BY identifier_id, pool_id, identifier, available_at),
renewed AS (
  INSERT INTO identifiers (identifier_id, pool_id, identifier, available_at, leased_until)
  SELECT identifier_id, pool_id, identifier, available_at, until FROM ends WHERE moved
  ON CONFLICT (identifier_id) DO UPDATE SET leased_until = excluded.leased_until),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash)
  SELECT (array_agg(event_id ORDER BY ord))[1], tenant_id, now, max(token), $8::int,
    'HOLDS_RENEWED', principal, (array_agg(pool_hash))[1]
  FROM judged WHERE $7::boolean AND verdict = 'renewed'
  GROUP BY pool_id, tenant_id, principal, now)
SELECT j.ord::int, j.verdict, e.until AS leased_until, j.last_token AS current_token
FROM judged j LEFT JOIN ends e ON e.identifier_id = j.identifier_id
