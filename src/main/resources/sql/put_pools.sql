-- Makes pools, or replaces the settings of those that are there: one row per request, `created` or
-- `changed`. A batch names no pool twice. Waits for somebody who makes the same pool.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::int[],
                       $7::int[], $9::uuid[], $10::bytea[]) WITH ORDINALITY
    AS a(pool_id, tenant_id, principal, pool, default_ttl_seconds, max_attempts, reclaim_grace_ms,
         event_id, pool_hash, ord)),
put AS (
  INSERT INTO pools (pool_id, tenant_id, created_at, default_ttl_seconds, reclaim_grace_ms,
    max_attempts, pool)
  SELECT pool_id, tenant_id, clock_timestamp(), default_ttl_seconds, reclaim_grace_ms,
    max_attempts, pool
  FROM asked WHERE pg_current_wal_lsn() IS NOT NULL ORDER BY tenant_id, pool
  ON CONFLICT (tenant_id, pool) DO UPDATE SET default_ttl_seconds = excluded.default_ttl_seconds,
    reclaim_grace_ms = excluded.reclaim_grace_ms, max_attempts = excluded.max_attempts
  RETURNING pool_id, tenant_id, pool),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_name_hash)
  SELECT a.event_id, a.tenant_id, clock_timestamp(), $8::int,
    CASE WHEN p.pool_id = a.pool_id THEN 'POOL_CREATED' ELSE 'POOL_CHANGED' END, a.principal,
    a.pool_hash
  FROM asked a JOIN put p ON p.tenant_id = a.tenant_id AND p.pool = a.pool)
SELECT a.ord::int, CASE WHEN p.pool_id = a.pool_id THEN 'created' ELSE 'changed' END AS verdict
FROM asked a JOIN put p ON p.tenant_id = a.tenant_id AND p.pool = a.pool
