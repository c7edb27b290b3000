-- Deletes pools: one row per request, `deleted` or why not; see delete_pool_v1 in V5__pools.sql.
SELECT a.ord::int,
  delete_pool_v1(a.tenant_id, a.principal, a.pool, a.drain, $5::int, a.event_id, a.pool_hash)
    AS verdict
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $6::uuid[], $7::bytea[])
  WITH ORDINALITY AS a(tenant_id, principal, pool, drain, event_id, pool_hash, ord)
