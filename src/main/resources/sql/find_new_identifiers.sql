-- How many identifiers a load would add to its pool: one row, `found`; none where there is no such
-- pool.
--
-- $1 the tenant, $2 the pool, $3 the identifiers.
--
-- Isolation: an unlocked read, and a hint only, as in find_new_claims.sql.
SELECT 1 AS ord, 'found' AS verdict, (
    SELECT count(*) FROM (
      SELECT DISTINCT a.identifier COLLATE "C" AS identifier
      FROM unnest($3::text[]) AS a(identifier)) a
    LEFT JOIN LATERAL (
      SELECT i.identifier FROM identifiers i
      WHERE i.pool_id = p.pool_id AND i.identifier = a.identifier LIMIT 1) i ON true
    WHERE p.pool_id IS NOT NULL AND i.identifier IS NULL)::int AS news
FROM (SELECT pg_current_wal_lsn() AS primary_only OFFSET 0) clock
LEFT JOIN LATERAL (
  SELECT p.pool_id FROM pools p
  WHERE p.tenant_id = $1::uuid AND p.pool = $2::text LIMIT 1) p ON true
