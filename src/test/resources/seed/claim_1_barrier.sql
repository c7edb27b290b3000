-- Key, tenant, fingerprint. No row: the key is in use.
INSERT INTO idempotency_records (idempotency_key, tenant_id, request_fingerprint, status,
  expires_at)
VALUES (?, ?, ?, 'PROCESSING', NOW() + INTERVAL '24 hours')
ON CONFLICT (idempotency_key) DO NOTHING
