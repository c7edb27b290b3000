-- Sets terms of a tenant: ? which, ? their values, both in the order of Term (null: none), ? the
-- tenant, with the event ? of it; no row when there is none. What changes nothing is no event.
--
-- Isolation: who changes one tenant at once waits at its row, and sees what the other has done.
WITH given AS (
  SELECT ?::boolean[] AS which, ?::bigint[] AS value, ?::uuid AS tenant_id, ?::uuid AS event_id),
found AS MATERIALIZED (
  SELECT n.* FROM tenants n
  WHERE n.tenant_id = (SELECT g.tenant_id FROM given g) FOR NO KEY UPDATE),
changed AS (
  UPDATE tenants n SET
    lease_quota = CASE WHEN which[1] THEN value[1] ELSE lease_quota END,
    memory_quota = CASE WHEN which[2] THEN value[2] ELSE memory_quota END,
    pool_quota = CASE WHEN which[3] THEN value[3] ELSE pool_quota END,
    identifier_quota = CASE WHEN which[4] THEN value[4] ELSE identifier_quota END,
    requests_per_second = CASE WHEN which[5] THEN value[5] ELSE requests_per_second END,
    burst = CASE WHEN which[6] THEN value[6] ELSE burst END,
    tenant_requests_per_second =
      CASE WHEN which[7] THEN value[7] ELSE tenant_requests_per_second END,
    tenant_burst = CASE WHEN which[8] THEN value[8] ELSE tenant_burst END
  FROM given g WHERE n.tenant_id = g.tenant_id AND n.tenant_id IN (SELECT tenant_id FROM found)
  RETURNING n.*),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
  SELECT g.event_id, c.tenant_id, clock_timestamp(), 0, 'TENANT_TERMS_CHANGED', 'operator'
  FROM changed c CROSS JOIN found f CROSS JOIN given g
  WHERE c IS DISTINCT FROM f)
SELECT tenant_id FROM found
