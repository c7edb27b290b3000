-- Identifiers of the tenant's own pools by their ids: one row per request, `found` or why not;
-- another pool's identifier answers like one that never was. owner_client_id, claimed_at and
-- leased_until are of the last hold.
SELECT a.ord::int,
  CASE WHEN p.pool_id IS NULL THEN 'pool-not-found'
    WHEN i.identifier_id IS NULL THEN 'identifier-not-found'
    ELSE 'found' END AS verdict,
  i.identifier, i.state::int, i.last_token AS token, i.attempts, i.available_at, i.claimed_at,
  i.leased_until, i.owner_client_id, c.consumed_at, c.reference
FROM (SELECT pg_current_wal_lsn() AS primary_only OFFSET 0) primary_only
CROSS JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY
  AS a(identifier_id, tenant_id, pool, ord)
LEFT JOIN LATERAL (
  SELECT * FROM pools p WHERE p.tenant_id = a.tenant_id AND p.pool = a.pool LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT * FROM identifiers i
  WHERE i.identifier_id = a.identifier_id AND i.pool_id = p.pool_id LIMIT 1) i ON true
LEFT JOIN LATERAL (
  SELECT * FROM consumed_identifiers c
  WHERE i.state = 2 AND c.identifier_id = i.identifier_id LIMIT 1) c ON true
