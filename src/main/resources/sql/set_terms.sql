-- Sets terms of a tenant: ? which, ? their values, both in the order of Term (null: none), ? the
-- tenant. No row when there is no such tenant.
UPDATE tenants SET
  lease_quota = CASE WHEN which[1] THEN value[1] ELSE lease_quota END,
  memory_quota = CASE WHEN which[2] THEN value[2] ELSE memory_quota END,
  pool_quota = CASE WHEN which[3] THEN value[3] ELSE pool_quota END,
  identifier_quota = CASE WHEN which[4] THEN value[4] ELSE identifier_quota END,
  requests_per_second = CASE WHEN which[5] THEN value[5] ELSE requests_per_second END,
  burst = CASE WHEN which[6] THEN value[6] ELSE burst END,
  tenant_requests_per_second =
    CASE WHEN which[7] THEN value[7] ELSE tenant_requests_per_second END,
  tenant_burst = CASE WHEN which[8] THEN value[8] ELSE tenant_burst END
FROM (SELECT ?::boolean[] AS which, ?::bigint[] AS value) given
WHERE tenant_id = ? RETURNING tenant_id
