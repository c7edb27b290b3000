-- Which leases of one range of blocks lapsed without anybody having come, or last longer than any
-- lease may, because the clock was set back (store.md, must 4).
--
-- $1 the first block; $2 the block to stop before; $3 grace in milliseconds: how long ago a lease
-- must have lapsed; $4 the longest lease in seconds; $5 rows at most.
-- A row is a lease and what was seen of it, lapsed_ms how long ago it lapsed (negative: not yet),
-- place where it stands, "(block,item)": with $5 rows the range is not finished from the last one's
-- block on.
--
-- Isolation: an unlocked read, and a hint only. record_lapsed_leases judges again, under the lock.
-- A TID range scan, because an index on expires_at would end HOT updates for every renewal. What
-- the rows are compared with is computed once, in subselects.
SELECT memory_id, tenant_id, canonical_name, last_token, expires_at,
  (extract(epoch FROM now() - expires_at) * 1000)::bigint AS lapsed_ms,
  ctid::text AS place
FROM leases
WHERE ctid >= ('(' || $1::bigint || ',0)')::tid AND ctid < ('(' || $2::bigint || ',0)')::tid
  AND ended_as = 0
  AND (expires_at <= (SELECT now() - $3::int * interval '1 millisecond')
    OR expires_at > (SELECT now() + $4::int * interval '1 second'))
LIMIT $5::int
