-- How much tenants have of what has a quota: one row per request, `counted`.
--
-- $1 the tenants; $2 of what: live leases, memories, pools, identifiers in whatever state;
-- $3 where counting may stop; $4 the memory to begin behind, for leases; $5 memories to look at.
-- next is the memory to go on behind, null at the end: only leases are counted in parts, because no
-- index tells the live ones (it would end HOT updates for every renewal).
--
-- Isolation: a snapshot. Whoever is granted something meanwhile is added by the gateway itself.
SELECT a.ord::int, 'counted' AS verdict,
  (leases.used + memories.used + pools.used + identifiers.used)::bigint AS used, following.next
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[]) WITH ORDINALITY
  AS a(tenant_id, resource, most, after, ord)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE l.live) AS used FROM (
    SELECT m.memory_id FROM memory_instances m
    WHERE a.resource = 'leases' AND m.tenant_id = a.tenant_id AND m.memory_id > a.after
    ORDER BY m.memory_id LIMIT $5::int) looked
  CROSS JOIN LATERAL (
    SELECT l.ended_as = 0 AND l.name_key IS NOT NULL AND l.expires_at > clock.now AS live
    FROM leases l WHERE l.memory_id = looked.memory_id LIMIT 1) l) leases
CROSS JOIN LATERAL (
  SELECT count(*) AS used FROM (
    SELECT FROM memory_instances m
    WHERE a.resource = 'memories' AND m.tenant_id = a.tenant_id LIMIT a.most) m) memories
CROSS JOIN LATERAL (
  SELECT count(*) AS used FROM (
    SELECT FROM pools p
    WHERE a.resource = 'pools' AND p.tenant_id = a.tenant_id LIMIT a.most) p) pools
CROSS JOIN LATERAL (
  SELECT coalesce(sum(c.unused + c.pending + c.consumed + c.dead), 0) AS used
  FROM pools p CROSS JOIN LATERAL (
    SELECT * FROM pool_counts c WHERE c.pool_id = p.pool_id OFFSET 0) c
  WHERE a.resource = 'identifiers' AND p.tenant_id = a.tenant_id) identifiers
LEFT JOIN LATERAL (
  SELECT m.memory_id AS next FROM memory_instances m
  WHERE a.resource = 'leases' AND m.tenant_id = a.tenant_id AND m.memory_id > a.after
  ORDER BY m.memory_id OFFSET $5::int - 1 LIMIT 1) following ON true
