-- Issues the token with the SHA-256 ? for the principal ? and the scopes ?, for ? days (null: for
-- ever), to the tenant ?; no row when there is no such tenant.
INSERT INTO api_tokens (sha256, tenant_id, principal, scopes, created_at, expires_at)
SELECT ?::bytea, n.tenant_id, ?::text, ?::text[], clock_timestamp(),
  clock_timestamp() + ?::int * interval '1 day'
FROM tenants n WHERE n.tenant_id = ? RETURNING expires_at
