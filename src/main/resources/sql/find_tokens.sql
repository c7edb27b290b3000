-- What issued tokens may do, by their SHA-256: one row per digest, `granted`, `unknown`, `revoked`,
-- `expired` or `suspended`. left_ms is how long one that expires is still good, terms are those of
-- its tenant in the order of Term. The first use of a day is noted, unless somebody else is at the
-- row: then the next one is.
--
-- Isolation: one snapshot tells; a revocation that commits later is seen by the next look-up.
WITH today AS MATERIALIZED (
  SELECT clock_timestamp() AS at, (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
unnoted AS MATERIALIZED (
  SELECT t.sha256 FROM api_tokens t
  WHERE t.sha256 = ANY ($1::bytea[]) AND t.revoked_at IS NULL
    AND (t.last_used_on IS NULL OR t.last_used_on < (SELECT day FROM today))
    AND (t.expires_at IS NULL OR t.expires_at > (SELECT at FROM today))
    AND (SELECT n.suspended_at IS NULL FROM tenants n WHERE n.tenant_id = t.tenant_id)
  ORDER BY t.sha256 FOR NO KEY UPDATE OF t SKIP LOCKED),
noted AS (
  UPDATE api_tokens t SET last_used_on = (SELECT day FROM today)
  WHERE t.sha256 = ANY (ARRAY(SELECT u.sha256 FROM unnoted u)))
SELECT a.ord::int,
  CASE WHEN t.sha256 IS NULL THEN 'unknown'
    WHEN t.revoked_at IS NOT NULL THEN 'revoked'
    WHEN t.expires_at <= today.at THEN 'expired'
    WHEN n.suspended_at IS NOT NULL THEN 'suspended'
    ELSE 'granted' END AS verdict,
  t.tenant_id, t.principal, t.scopes,
  (extract(epoch FROM t.expires_at - today.at) * 1000)::bigint AS left_ms,
  ARRAY[n.lease_quota, n.memory_quota, n.pool_quota, n.identifier_quota, n.requests_per_second,
    n.burst, n.tenant_requests_per_second, n.tenant_burst] AS terms
FROM (SELECT pg_current_wal_lsn() AS primary_only OFFSET 0) primary_only
CROSS JOIN today
CROSS JOIN unnest($1::bytea[]) WITH ORDINALITY AS a(sha256, ord)
LEFT JOIN LATERAL (
  SELECT * FROM api_tokens t WHERE t.sha256 = a.sha256 LIMIT 1) t ON true
LEFT JOIN LATERAL (
  SELECT * FROM tenants n WHERE n.tenant_id = t.tenant_id LIMIT 1) n ON true
