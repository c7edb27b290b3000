-- The tenant's own leases by their names: one row per name, `found` where the last grant of the
-- name ($2 its key, $3 its canonical form) was to a memory of this tenant that has not been leased
-- under another name since. Rows as in find_leases.sql.
SELECT a.ord::int,
  CASE WHEN l.memory_id IS NULL THEN 'lease-not-found' ELSE 'found' END AS verdict,
  l.lease_id, l.canonical_name, l.memory_id, l.last_token AS token, l.granted_at, l.expires_at,
  l.ttl_seconds, l.owner_client_id,
  CASE WHEN l.ended_as = 1 THEN 'released'
    WHEN l.ended_as = 0 AND l.name_key IS NOT NULL AND l.expires_at > clock.now THEN 'held'
    ELSE 'lapsed' END AS state,
  greatest(0, ceil(extract(epoch FROM l.expires_at - clock.now) * 1000))::bigint
    AS ttl_remaining_ms
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY
  AS a(tenant_id, name_key, canonical_name, ord)
LEFT JOIN LATERAL (
  SELECT l.* FROM agent_names n JOIN leases l ON l.memory_id = n.last_memory_id
  WHERE n.name_key = a.name_key AND l.tenant_id = a.tenant_id AND l.lease_id IS NOT NULL
    AND l.canonical_name = a.canonical_name LIMIT 1) l ON true
