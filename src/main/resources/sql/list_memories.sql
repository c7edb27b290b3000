-- One page of a tenant's memories ($1) in id order after $2, at most $3 of them; rows as in
-- find_memories.sql. The question for the primary is asked once, before any row: an empty page of a
-- standby would be an answer too.
WITH page AS MATERIALIZED (
  SELECT m.* FROM memory_instances m
  WHERE m.tenant_id = $1::uuid AND m.memory_id > $2::uuid
    AND (SELECT pg_current_wal_lsn()) IS NOT NULL
  ORDER BY m.memory_id LIMIT $3::int)
SELECT m.memory_id, m.parent_memory_id, m.branched_at_token, m.created_at, l.last_token AS token,
  l.lease_id, l.canonical_name, l.granted_at, l.expires_at, l.ttl_seconds, l.owner_client_id,
  CASE WHEN l.ended_as = 1 THEN 'released'
    WHEN l.ended_as = 0 AND l.name_key IS NOT NULL AND l.expires_at > clock.now THEN 'held'
    ELSE 'lapsed' END AS state,
  greatest(0, ceil(extract(epoch FROM l.expires_at - clock.now) * 1000))::bigint
    AS ttl_remaining_ms,
  h.revision, h.content_digest, h.committed_at
FROM (SELECT clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN page m
CROSS JOIN LATERAL (SELECT * FROM leases l WHERE l.memory_id = m.memory_id LIMIT 1) l
CROSS JOIN LATERAL (SELECT * FROM memory_heads h WHERE h.memory_id = m.memory_id LIMIT 1) h
ORDER BY m.memory_id
