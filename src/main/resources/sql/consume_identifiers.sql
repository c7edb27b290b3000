-- Consumes a batch of held identifiers for ever: one row per request, `consumed` with the time, or
-- why not; the same token again is `consumed` with the same time.
--
-- The fenced commit (Law 6.2): check, change of state and ledger row are one statement. What the
-- snapshot already shows for good is answered without a lock: tokens only rise, what is consumed
-- stays so, and a hold that ended without a new token never lives again, whatever the state that it
-- was put back to. The rest is locked in id order, SKIP LOCKED (`again` for a row that was busy),
-- and judged as locked, by the clock read after the last lock: a lapsed hold is a wall, even if
-- nobody came (Law 5).
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::text[],
                       $8::uuid[], $9::bytea[]) WITH ORDINALITY
    AS a(identifier_id, tenant_id, pool, principal, token, reference, event_id, pool_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, p.pool_id, s.identifier_id AS found_id, s.last_token, s.state, c.consumed_at
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM pools p WHERE p.tenant_id = a.tenant_id AND p.pool = a.pool LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT * FROM identifiers s
    WHERE s.identifier_id = a.identifier_id AND s.pool_id = p.pool_id LIMIT 1) s ON true
  LEFT JOIN LATERAL (
    SELECT * FROM consumed_identifiers c
    WHERE s.state = 2 AND c.identifier_id = s.identifier_id LIMIT 1) c ON true),
locked AS MATERIALIZED (
  SELECT i.identifier_id, i.last_token, i.state, i.leased_until, i.owner_client_id
  FROM identifiers i
  WHERE i.identifier_id = ANY (ARRAY(
    SELECT found_id FROM known WHERE last_token = token AND state = 1))
  ORDER BY i.identifier_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*, c.now, l.owner_client_id,
    CASE
      WHEN k.pool_id IS NULL THEN 'pool-not-found'
      WHEN k.found_id IS NULL THEN 'identifier-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN k.state = 2 THEN 'consumed'
      WHEN k.state <> 1 THEN 'hold-lapsed'
      WHEN l.identifier_id IS NULL THEN 'again'
      WHEN l.leased_until <= c.now THEN 'hold-lapsed'
      ELSE 'consumed-now' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.identifier_id = k.found_id AND l.last_token = k.token AND l.state = 1),
ended AS MATERIALIZED (
  SELECT DISTINCT ON (identifier_id) * FROM judged
  WHERE verdict = 'consumed-now' ORDER BY identifier_id, ord),
consumed AS (
  UPDATE identifiers i SET state = 2
  WHERE i.identifier_id = ANY (ARRAY(SELECT identifier_id FROM ended))),
noted AS (
  INSERT INTO consumed_identifiers (identifier_id, pool_id, tenant_id, consumed_at, fencing_token,
    principal, owner_client_id, reference)
  SELECT identifier_id, pool_id, tenant_id, now, token, principal, owner_client_id, reference
  FROM ended),
counted AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, 0, -count(*), count(*), 0 FROM ended GROUP BY pool_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash)
  SELECT (array_agg(event_id ORDER BY ord))[1], tenant_id, now, max(token), $7::int,
    'IDENTIFIERS_CONSUMED', principal, (array_agg(pool_hash))[1]
  FROM ended GROUP BY pool_id, tenant_id, principal, now)
SELECT ord::int, CASE verdict WHEN 'consumed-now' THEN 'consumed' ELSE verdict END AS verdict,
  CASE verdict WHEN 'consumed-now' THEN now ELSE consumed_at END AS consumed_at,
  last_token AS current_token
FROM judged
