-- Which pools have holds that lapsed longer ago than the pool's grace, or that last longer than any
-- may, because the clock was set back (store.md, must 4).
--
-- $1 the pool to begin behind; $2 how many pools to look at; $3 the longest hold in seconds.
-- A row is a pool, lapsed_ms how long ago its oldest such hold lapsed (0: none, but one is too
-- long). The last column, the same in every row, is the pool to go on behind, null at the end; a
-- look that finds nothing is one row with a null pool_id.
--
-- Isolation: an unlocked read, and a hint only. reclaim_holds judges again, under the lock. Two
-- probes of an index a pool, compared with now(), because clock_timestamp() is no index condition.
WITH looked AS MATERIALIZED (
  SELECT p.* FROM pools p WHERE p.pool_id > $1::uuid ORDER BY p.pool_id LIMIT $2::int),
found AS MATERIALIZED (
  SELECT l.pool_id, l.tenant_id, l.pool,
    (SELECT i.leased_until FROM identifiers i WHERE i.pool_id = l.pool_id AND i.state = 1
       AND i.leased_until <= now() - l.reclaim_grace_ms * interval '1 millisecond'
     ORDER BY i.leased_until LIMIT 1) AS lapsed,
    (SELECT i.leased_until FROM identifiers i WHERE i.pool_id = l.pool_id AND i.state = 1
       AND i.leased_until > now() + $3::int * interval '1 second'
     ORDER BY i.leased_until DESC LIMIT 1) AS long
  FROM looked l)
SELECT f.pool_id, f.tenant_id, f.pool,
  coalesce((extract(epoch FROM now() - f.lapsed) * 1000)::bigint, 0) AS lapsed_ms, t.next
FROM (
  SELECT CASE WHEN count(*) = $2::int THEN (array_agg(pool_id ORDER BY pool_id DESC))[1] END AS next
  FROM looked) t
LEFT JOIN found f ON f.lapsed IS NOT NULL OR f.long IS NOT NULL
