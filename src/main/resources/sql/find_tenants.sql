-- Whether the tokens of tenants can be good, by the tenants' ids: one row per id, `good`, `unknown
-- tenant's` or `suspended`, its terms in the order of Term, and what time it is, in milliseconds
-- since 1970.
--
-- Isolation: one snapshot tells; a suspension that commits later is seen by the next look-up.
SELECT a.ord::int,
  CASE WHEN n.tenant_id IS NULL THEN 'unknown tenant''s'
    WHEN n.suspended_at IS NOT NULL THEN 'suspended'
    ELSE 'good' END AS verdict,
  ARRAY[n.lease_quota, n.memory_quota, n.pool_quota, n.identifier_quota, n.requests_per_second,
    n.burst, n.tenant_requests_per_second, n.tenant_burst] AS terms,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
FROM (SELECT pg_current_wal_lsn() AS primary_only OFFSET 0) primary_only
CROSS JOIN unnest($1::uuid[]) WITH ORDINALITY AS a(tenant_id, ord)
LEFT JOIN LATERAL (
  SELECT * FROM tenants n WHERE n.tenant_id = a.tenant_id LIMIT 1) n ON true
