-- The tenant's own leases by their ids: one row per id, `found` or `lease-not-found`; another
-- tenant's lease and one that a later claim has overwritten answer like one that never was. The
-- lease's memory has the same tail as its id.
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
CROSS JOIN unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS a(lease_id, tenant_id, ord)
LEFT JOIN LATERAL (
  SELECT l.* FROM memory_instances m JOIN leases l ON l.memory_id = m.memory_id
  WHERE m.tenant_id = a.tenant_id AND uuid_tail(m.memory_id) = uuid_tail(a.lease_id)
    AND l.lease_id = a.lease_id LIMIT 1) l ON true
