-- One page of a tenant's pools ($1) in the order of their names, after $2, at most $3 of them; rows
-- as in find_pools.sql, of which $4 is the $3.
WITH page AS MATERIALIZED (
  SELECT p.* FROM pools p
  WHERE p.tenant_id = $1::uuid AND p.pool > $2::text COLLATE "C"
    AND (SELECT pg_current_wal_lsn()) IS NOT NULL
  ORDER BY p.pool LIMIT $3::int)
SELECT p.pool, p.created_at, p.default_ttl_seconds, p.max_attempts, p.reclaim_grace_ms,
  c.unused, c.pending, c.consumed, c.dead, h.oldest_hold_at
FROM page p
CROSS JOIN LATERAL (
  SELECT coalesce(sum(c.unused), 0)::bigint AS unused,
    coalesce(sum(c.pending), 0)::bigint AS pending,
    coalesce(sum(c.consumed), 0)::bigint AS consumed,
    coalesce(sum(c.dead), 0)::bigint AS dead
  FROM pool_counts c WHERE c.pool_id = p.pool_id) c
CROSS JOIN LATERAL (
  SELECT min(h.claimed_at) AS oldest_hold_at FROM (
    SELECT i.claimed_at FROM identifiers i WHERE i.pool_id = p.pool_id AND i.state = 1
    ORDER BY i.leased_until LIMIT $4::int) h) h
ORDER BY p.pool
