-- Makes the tenant ? of the name ?, and the event ? of it; no row when either is taken.
WITH made AS (
  INSERT INTO tenants (tenant_id, name, created_at) VALUES (?, ?, clock_timestamp())
  ON CONFLICT DO NOTHING RETURNING tenant_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
  SELECT ?::uuid, m.tenant_id, clock_timestamp(), 0, 'TENANT_CREATED', 'operator' FROM made m)
SELECT tenant_id FROM made
