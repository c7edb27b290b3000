-- Suspends (? is true) or resumes the tenant ?, with the event ? of it; no row when there is none.
-- Once more changes nothing, and is no event.
--
-- Isolation: who changes one tenant at once waits at its row, and sees what the other has done.
WITH asked AS (
  SELECT ?::boolean AS suspended, ?::uuid AS tenant_id, ?::uuid AS event_id),
found AS MATERIALIZED (
  SELECT n.tenant_id, n.suspended_at FROM tenants n
  WHERE n.tenant_id = (SELECT a.tenant_id FROM asked a) FOR NO KEY UPDATE),
changed AS (
  UPDATE tenants n
  SET suspended_at = CASE WHEN a.suspended THEN clock_timestamp() END
  FROM asked a
  WHERE n.tenant_id = a.tenant_id
    AND (SELECT (f.suspended_at IS NULL) = a.suspended FROM found f)
  RETURNING n.tenant_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
  SELECT a.event_id, c.tenant_id, clock_timestamp(), 0,
    CASE WHEN a.suspended THEN 'TENANT_SUSPENDED' ELSE 'TENANT_RESUMED' END, 'operator'
  FROM changed c CROSS JOIN asked a)
SELECT tenant_id FROM found
