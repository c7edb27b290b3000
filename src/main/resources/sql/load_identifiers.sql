-- Loads identifiers into a pool, all or none: one row, `loaded` with how many were new and how many
-- the pool had already, or were twice among them.
--
-- $1 the tenant, $2 the pool, $3 the principal, $4 ids and $5 identifiers in the order of the
-- queue, $6 the event's id, $7 the audit key's id, $8 the pool's hash. The pool's row is held, so
-- that nobody deletes the pool meanwhile (`again` while somebody does); its settings may change.
-- Rows go in in the order of the identifiers, byte for byte: two loads of the same wait for each
-- other, but never both.
WITH known AS MATERIALIZED (
  SELECT p.pool_id FROM pools p WHERE p.tenant_id = $1::uuid AND p.pool = $2::text),
held AS MATERIALIZED (
  SELECT p.pool_id FROM pools p WHERE p.tenant_id = $1::uuid AND p.pool = $2::text
  FOR KEY SHARE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM held),
loaded AS (
  INSERT INTO identifiers (identifier_id, pool_id, identifier, available_at)
  SELECT a.identifier_id, h.pool_id, a.identifier, c.now
  FROM held h CROSS JOIN clock c CROSS JOIN (
    SELECT DISTINCT ON (identifier COLLATE "C") identifier_id, identifier
    FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS a(identifier_id, identifier, ord)
    ORDER BY identifier COLLATE "C", ord) a
  ORDER BY a.identifier COLLATE "C"
  ON CONFLICT (pool_id, identifier) DO NOTHING
  RETURNING pool_id),
news AS MATERIALIZED (
  SELECT pool_id, count(*) AS inserted FROM loaded GROUP BY pool_id),
counted AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, inserted, 0, 0, 0 FROM news),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_name_hash)
  SELECT $6::uuid, $1::uuid, now, $7::int, 'IDENTIFIERS_LOADED', $3::text, $8::bytea
  FROM news CROSS JOIN clock)
SELECT 1 AS ord,
  CASE
    WHEN (SELECT pool_id FROM known) IS NULL THEN 'pool-not-found'
    WHEN (SELECT pool_id FROM held) IS NULL THEN 'again'
    ELSE 'loaded' END AS verdict,
  coalesce((SELECT inserted FROM news), 0)::int AS inserted,
  (cardinality($5::text[]) - coalesce((SELECT inserted FROM news), 0))::int AS duplicates
FROM clock
