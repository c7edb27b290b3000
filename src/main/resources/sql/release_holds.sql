-- Gives a batch of held identifiers back before their time, which is no attempt: one row per
-- request, `released` with the moment from which each can be claimed, or why not; the same token
-- again, already released, is `released` with the same moment and writes nothing.
--
-- Judged as in consume_identifiers.sql, written as in renew_leases.sql and for the reasons told
-- there. The identifier goes to the tail of the queue; $6 is the delay in seconds. The token stays.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::int[],
                       $8::uuid[], $9::bytea[]) WITH ORDINALITY
    AS a(identifier_id, tenant_id, pool, principal, token, delay_seconds, event_id, pool_hash,
         ord)),
known AS MATERIALIZED (
  SELECT a.*, p.pool_id, s.identifier_id AS found_id, s.last_token, s.state, s.released,
    s.available_at
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM pools p WHERE p.tenant_id = a.tenant_id AND p.pool = a.pool LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT * FROM identifiers s
    WHERE s.identifier_id = a.identifier_id AND s.pool_id = p.pool_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT i.identifier_id, i.last_token, i.state, i.leased_until, i.identifier
  FROM identifiers i
  WHERE i.identifier_id = ANY (ARRAY(
    SELECT found_id FROM known WHERE last_token = token AND state = 1))
  ORDER BY i.identifier_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*, c.now, l.identifier,
    CASE
      WHEN k.pool_id IS NULL THEN 'pool-not-found'
      WHEN k.found_id IS NULL THEN 'identifier-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN k.state = 2 THEN 'identifier-consumed'
      WHEN k.state = 0 AND k.released THEN 'released'
      WHEN k.state <> 1 THEN 'hold-lapsed'
      WHEN l.identifier_id IS NULL THEN 'again'
      WHEN l.leased_until <= c.now THEN 'hold-lapsed'
      ELSE 'released-now' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.identifier_id = k.found_id AND l.last_token = k.token AND l.state = 1),
ended AS MATERIALIZED (
  SELECT DISTINCT ON (identifier_id) identifier_id, pool_id, tenant_id, principal, identifier,
    token, now, event_id, pool_hash, ord, now + delay_seconds * interval '1 second' AS available_at
  FROM judged WHERE verdict = 'released-now' ORDER BY identifier_id, ord),
released AS (
  INSERT INTO identifiers (identifier_id, pool_id, identifier, available_at)
  SELECT identifier_id, pool_id, identifier, available_at FROM ended
  ON CONFLICT (identifier_id) DO UPDATE SET state = 0, released = true,
    available_at = excluded.available_at),
counted AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, count(*), -count(*), 0, 0 FROM ended GROUP BY pool_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash)
  SELECT (array_agg(event_id ORDER BY ord))[1], tenant_id, now, max(token), $7::int,
    'HOLDS_RELEASED', principal, (array_agg(pool_hash))[1]
  FROM ended GROUP BY pool_id, tenant_id, principal, now)
SELECT j.ord::int, CASE j.verdict WHEN 'released-now' THEN 'released' ELSE j.verdict END AS verdict,
  coalesce(e.available_at, j.available_at) AS available_at, j.last_token AS current_token
FROM judged j LEFT JOIN ended e ON e.identifier_id = j.identifier_id AND j.verdict = 'released-now'
