-- Tenant, name, memory, owner, key. The seed's upsert; it also says when it was done.
INSERT INTO active_leases (tenant_id, canonical_name, memory_id, fencing_token, expires_at,
  owner_client_id, idempotency_key)
VALUES (?, ?, ?, 1, NOW() + INTERVAL '30 seconds', ?, ?)
ON CONFLICT (canonical_name) DO UPDATE SET
  owner_client_id = EXCLUDED.owner_client_id,
  memory_id = EXCLUDED.memory_id,
  fencing_token = active_leases.fencing_token + 1,
  expires_at = EXCLUDED.expires_at,
  idempotency_key = EXCLUDED.idempotency_key
WHERE active_leases.expires_at < NOW()
   OR active_leases.owner_client_id = EXCLUDED.owner_client_id
RETURNING fencing_token, expires_at, clock_timestamp() AS granted_at
