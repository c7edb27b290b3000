-- Takes back holds of a pool that lapsed: UNUSED again at the tail of the queue, one more attempt
-- counted, the token kept; or DEAD, after as many attempts as the pool allows. Shortens those that
-- last longer than any may (store.md, must 4).
--
-- $1 the pool; $2 rows at most of either kind; $3 the longest hold in seconds; $4 and $5 ids of the
-- events of those reclaimed and of those dead; $6 the audit key's id; $7 the pool's hash.
-- One row: how many were reclaimed, how many of them are dead, and how many were shortened.
--
-- Isolation: the oldest first, SKIP LOCKED, so it waits for nobody and gets behind any number of
-- rows that somebody holds. PostgreSQL judges the newest version of a locked row by the same
-- conditions, so one that was renewed, released, consumed or claimed since has left; the clock that
-- is read after the locks judges once more. A hold that is milliseconds from being consumed has the
-- pool's grace (Law 5.1).
WITH pool AS MATERIALIZED (
  SELECT p.* FROM pools p WHERE p.pool_id = $1::uuid),
locked AS MATERIALIZED (
  SELECT i.identifier_id, i.leased_until, i.attempts, i.last_token FROM identifiers i
  WHERE i.pool_id = $1::uuid AND i.state = 1 AND i.leased_until <= (
    SELECT now() - p.reclaim_grace_ms * interval '1 millisecond' FROM pool p)
  ORDER BY i.leased_until LIMIT $2::int FOR NO KEY UPDATE SKIP LOCKED),
long AS MATERIALIZED (
  SELECT i.identifier_id, i.leased_until FROM identifiers i
  WHERE i.pool_id = $1::uuid AND i.state = 1 AND i.leased_until > (
    SELECT now() + $3::int * interval '1 second')
  ORDER BY i.leased_until DESC LIMIT $2::int FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, count(*)
  FROM (SELECT identifier_id FROM locked UNION ALL SELECT identifier_id FROM long) l),
lapsed AS MATERIALIZED (
  SELECT l.*, c.now, p.pool_id, p.tenant_id,
    coalesce(l.attempts + 1 >= p.max_attempts, false) AS dead
  FROM locked l CROSS JOIN clock c CROSS JOIN pool p
  WHERE l.leased_until <= c.now - p.reclaim_grace_ms * interval '1 millisecond'),
reclaimed AS (
  UPDATE identifiers i SET state = 0, attempts = i.attempts + 1,
    available_at = (SELECT now FROM clock)
  WHERE i.identifier_id = ANY (ARRAY(SELECT identifier_id FROM lapsed WHERE NOT dead))),
died AS (
  UPDATE identifiers i SET state = 3, attempts = i.attempts + 1
  WHERE i.identifier_id = ANY (ARRAY(SELECT identifier_id FROM lapsed WHERE dead))),
shortened AS (
  UPDATE identifiers i SET leased_until = (SELECT now FROM clock) + $3::int * interval '1 second'
  WHERE i.identifier_id = ANY (ARRAY(
    SELECT l.identifier_id FROM long l CROSS JOIN clock c
    WHERE l.leased_until > c.now + $3::int * interval '1 second'))
  RETURNING i.identifier_id),
sums AS MATERIALIZED (
  SELECT pool_id, tenant_id, now, count(*) AS lapsed, count(*) FILTER (WHERE dead) AS dead,
    max(last_token) AS token, max(last_token) FILTER (WHERE dead) AS dead_token
  FROM lapsed GROUP BY pool_id, tenant_id, now),
counted AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, lapsed - dead, -lapsed, 0, dead FROM sums),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash)
  SELECT e.id, s.tenant_id, s.now, e.token, $6::int, e.type, 'reaper', $7::bytea
  FROM sums s CROSS JOIN LATERAL (
    SELECT $4::uuid, s.token, 'HOLDS_RECLAIMED'
    UNION ALL SELECT $5::uuid, s.dead_token, 'IDENTIFIERS_DEAD' WHERE s.dead > 0)
    e(id, token, type))
SELECT coalesce((SELECT lapsed FROM sums), 0)::int AS reclaimed,
  coalesce((SELECT dead FROM sums), 0)::int AS dead,
  (SELECT count(*) FROM shortened)::int AS shortened
