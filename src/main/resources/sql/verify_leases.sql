-- Whether each token is its memory's current one and the lease live: one row per question,
-- `current` or why not. Reads only, locks nothing; fails on a standby (55000) instead of answering
-- from its stale rows.
SELECT a.ord::int,
  CASE
    WHEN l.memory_id IS NULL THEN 'memory-not-found'
    WHEN l.last_token <> a.token OR l.ended_as = 3 THEN 'stale-fencing-token'
    WHEN l.ended_as = 1 THEN 'lease-released'
    WHEN l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= clock.now THEN 'lease-lapsed'
    ELSE 'current' END AS verdict,
  l.canonical_name, l.expires_at, l.last_token AS current_token,
  ceil(extract(epoch FROM l.expires_at - clock.now) * 1000)::bigint AS ttl_remaining_ms
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($1::uuid[], $2::uuid[], $3::bigint[]) WITH ORDINALITY
  AS a(memory_id, tenant_id, token, ord)
LEFT JOIN LATERAL (
  SELECT * FROM leases l
  WHERE l.memory_id = a.memory_id AND l.tenant_id = a.tenant_id LIMIT 1) l ON true
