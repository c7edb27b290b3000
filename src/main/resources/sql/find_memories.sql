-- The tenant's own memories by their ids, with last token, lease and head: one row per id, `found`
-- or `memory-not-found`; another tenant's memory answers like one that does not exist.
SELECT a.ord::int,
  CASE WHEN m.memory_id IS NULL THEN 'memory-not-found' ELSE 'found' END AS verdict,
  m.memory_id, m.parent_memory_id, m.branched_at_token, m.created_at, l.last_token AS token,
  l.lease_id, l.canonical_name, l.granted_at, l.expires_at, l.ttl_seconds, l.owner_client_id,
  CASE WHEN l.ended_as = 1 THEN 'released'
    WHEN l.ended_as = 0 AND l.name_key IS NOT NULL AND l.expires_at > clock.now THEN 'held'
    ELSE 'lapsed' END AS state,
  greatest(0, ceil(extract(epoch FROM l.expires_at - clock.now) * 1000))::bigint
    AS ttl_remaining_ms,
  h.revision, h.content_digest, h.committed_at
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS a(memory_id, tenant_id, ord)
LEFT JOIN LATERAL (
  SELECT * FROM memory_instances m
  WHERE m.memory_id = a.memory_id AND m.tenant_id = a.tenant_id LIMIT 1) m ON true
LEFT JOIN LATERAL (SELECT * FROM leases l WHERE l.memory_id = m.memory_id LIMIT 1) l ON true
LEFT JOIN LATERAL (SELECT * FROM memory_heads h WHERE h.memory_id = m.memory_id LIMIT 1) h ON true
