-- Every tenant, the oldest first, how many of its tokens are neither revoked nor expired, and which
-- terms it has of its own; each column as it is shown.
SELECT n.tenant_id,
  to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at,
  coalesce(to_char(n.suspended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '-')
    AS suspended_at,
  (SELECT count(*) FROM api_tokens t
   WHERE t.tenant_id = n.tenant_id AND t.revoked_at IS NULL
     AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())) AS tokens,
  coalesce(nullif(concat_ws(',', 'leases=' || n.lease_quota, 'memories=' || n.memory_quota,
    'pools=' || n.pool_quota, 'identifiers=' || n.identifier_quota), ''), '-') AS quotas,
  coalesce(nullif(concat_ws(',', 'requests-per-second=' || n.requests_per_second,
    'burst=' || n.burst, 'tenant-requests-per-second=' || n.tenant_requests_per_second,
    'tenant-burst=' || n.tenant_burst), ''), '-') AS limits,
  n.name
FROM tenants n ORDER BY n.created_at, n.tenant_id
