-- The tenant's own pools by their names: one row per name, `found` or `pool-not-found`. $3 is how
-- many holds are looked at, those that lapse first, for the one that was claimed first.
SELECT a.ord::int,
  CASE WHEN p.pool_id IS NULL THEN 'pool-not-found' ELSE 'found' END AS verdict,
  p.pool, p.created_at, p.default_ttl_seconds, p.max_attempts, p.reclaim_grace_ms,
  c.unused, c.pending, c.consumed, c.dead, h.oldest_hold_at
FROM (SELECT pg_current_wal_lsn() AS primary_only OFFSET 0) primary_only
CROSS JOIN unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS a(tenant_id, pool, ord)
LEFT JOIN LATERAL (
  SELECT * FROM pools p WHERE p.tenant_id = a.tenant_id AND p.pool = a.pool LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT coalesce(sum(c.unused), 0)::bigint AS unused,
    coalesce(sum(c.pending), 0)::bigint AS pending,
    coalesce(sum(c.consumed), 0)::bigint AS consumed,
    coalesce(sum(c.dead), 0)::bigint AS dead
  FROM pool_counts c WHERE c.pool_id = p.pool_id) c ON true
LEFT JOIN LATERAL (
  SELECT min(h.claimed_at) AS oldest_hold_at FROM (
    SELECT i.claimed_at FROM identifiers i WHERE i.pool_id = p.pool_id AND i.state = 1
    ORDER BY i.leased_until LIMIT $3::int) h) h ON true
