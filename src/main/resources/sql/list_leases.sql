-- One page of a tenant's leases ($1) in memory order after $2, at most $3 of them, narrowed to one
-- owner ($4, or null). A page looks at no more than $5 memories, so that a narrow filter over many
-- memories stays short: it may come back with few rows or none and still say where the next one
-- starts. Rows as in find_leases.sql; the last column, the same in every row, is null on the last
-- page. A page without leases is one row with a null lease_id.
WITH looked AS MATERIALIZED (
  SELECT m.memory_id FROM memory_instances m
  WHERE m.tenant_id = $1::uuid AND m.memory_id > $2::uuid
  ORDER BY m.memory_id LIMIT $5::int),
found AS MATERIALIZED (
  SELECT l.* FROM looked
  CROSS JOIN LATERAL (
    SELECT * FROM leases l WHERE l.memory_id = looked.memory_id LIMIT 1) l
  WHERE l.lease_id IS NOT NULL AND ($4::text IS NULL OR l.owner_client_id = $4::text)
  -- One more than wanted tells whether there is a next page.
  ORDER BY looked.memory_id LIMIT $3::int + 1),
page AS MATERIALIZED (SELECT * FROM found ORDER BY memory_id LIMIT $3::int),
tail AS MATERIALIZED (
  SELECT CASE
    WHEN (SELECT count(*) FROM found) > $3::int
      THEN (SELECT memory_id FROM page ORDER BY memory_id DESC LIMIT 1)
    WHEN (SELECT count(*) FROM looked) = $5::int
      THEN (SELECT memory_id FROM looked ORDER BY memory_id DESC LIMIT 1) END AS next)
SELECT l.lease_id, l.canonical_name, l.memory_id, l.last_token AS token, l.granted_at, l.expires_at,
  l.ttl_seconds, l.owner_client_id,
  CASE WHEN l.ended_as = 1 THEN 'released'
    WHEN l.ended_as = 0 AND l.name_key IS NOT NULL AND l.expires_at > clock.now THEN 'held'
    ELSE 'lapsed' END AS state,
  greatest(0, ceil(extract(epoch FROM l.expires_at - clock.now) * 1000))::bigint
    AS ttl_remaining_ms,
  tail.next
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN tail
LEFT JOIN page l ON true
ORDER BY l.memory_id
