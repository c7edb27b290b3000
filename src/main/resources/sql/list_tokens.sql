-- Every token of the tenant ?, or of all (null), the oldest first, never the token itself; each
-- column as it is shown.
SELECT encode(t.sha256, 'hex') AS sha256, t.tenant_id,
  CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked'
    WHEN t.expires_at <= clock_timestamp() THEN 'expired'
    ELSE 'good' END AS state,
  to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at,
  coalesce(to_char(t.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '-')
    AS expires_at,
  coalesce(t.last_used_on::text, '-') AS last_used_on,
  array_to_string(t.scopes, ',') AS scopes, t.principal
FROM api_tokens t
WHERE t.tenant_id = coalesce(?::uuid, t.tenant_id) ORDER BY t.created_at, t.sha256
