-- Issues the token with the SHA-256 ? for the principal ? and the scopes ?, for ? days (null: for
-- ever), to the tenant ?, and the event ? of it; no row when there is no such tenant.
WITH made AS (
  INSERT INTO api_tokens (sha256, tenant_id, principal, scopes, created_at, expires_at)
  SELECT ?::bytea, n.tenant_id, ?::text, ?::text[], clock_timestamp(),
    clock_timestamp() + ?::int * interval '1 day'
  FROM tenants n WHERE n.tenant_id = ? RETURNING tenant_id, expires_at),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
  SELECT ?::uuid, m.tenant_id, clock_timestamp(), 0, 'TOKEN_ISSUED', 'operator' FROM made m)
SELECT expires_at FROM made
