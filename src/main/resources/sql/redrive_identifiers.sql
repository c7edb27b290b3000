-- Puts DEAD identifiers of a pool back to UNUSED, at the tail of the queue, with no attempts
-- counted and the token kept: one row, `redriven` with how many, at most $5.
--
-- $1 the tenant, $2 the pool, $3 the principal, $4 which identifiers (null: any that are DEAD),
-- $6 the event's id, $7 the audit key's id, $8 the pool's hash. The pool's row is held as in
-- load_identifiers.sql: with an identifier that can be claimed a pool is not empty.
WITH known AS MATERIALIZED (
  SELECT p.pool_id FROM pools p WHERE p.tenant_id = $1::uuid AND p.pool = $2::text),
held AS MATERIALIZED (
  SELECT p.pool_id FROM pools p WHERE p.tenant_id = $1::uuid AND p.pool = $2::text
  FOR KEY SHARE SKIP LOCKED),
chosen AS MATERIALIZED (
  SELECT i.identifier_id FROM identifiers i
  WHERE i.pool_id = (SELECT pool_id FROM held) AND i.state = 3 AND $4::uuid[] IS NOT NULL
    AND i.identifier_id = ANY ($4::uuid[])
  ORDER BY i.identifier_id LIMIT $5::int FOR NO KEY UPDATE SKIP LOCKED),
first AS MATERIALIZED (
  SELECT i.identifier_id FROM identifiers i
  WHERE i.pool_id = (SELECT pool_id FROM held) AND i.state = 3 AND $4::uuid[] IS NULL
  ORDER BY i.identifier_id LIMIT $5::int FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*)
  FROM (SELECT * FROM chosen UNION ALL SELECT * FROM first) locked),
redriven AS (
  UPDATE identifiers i SET state = 0, attempts = 0, released = false,
    available_at = (SELECT now FROM clock)
  WHERE i.identifier_id = ANY (ARRAY(
    SELECT identifier_id FROM chosen UNION ALL SELECT identifier_id FROM first))
  RETURNING i.pool_id),
news AS MATERIALIZED (
  SELECT pool_id, count(*) AS redriven FROM redriven GROUP BY pool_id),
counted AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, redriven, 0, 0, -redriven FROM news),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_name_hash)
  SELECT $6::uuid, $1::uuid, now, $7::int, 'IDENTIFIERS_REDRIVEN', $3::text, $8::bytea
  FROM news CROSS JOIN clock)
SELECT 1 AS ord,
  CASE
    WHEN (SELECT pool_id FROM known) IS NULL THEN 'pool-not-found'
    WHEN (SELECT pool_id FROM held) IS NULL THEN 'again'
    ELSE 'redriven' END AS verdict,
  coalesce((SELECT redriven FROM news), 0)::int AS redriven
FROM clock
