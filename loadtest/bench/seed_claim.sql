-- The founding document's atomic claim, steps 1 to 4 in one transaction, prepared.
\set i random(1, 200000)
\set a random(1, 2000000000)
\set b random(1, 2000000000)
BEGIN;
INSERT INTO idempotency_records
  (idempotency_key, tenant_id, request_fingerprint, status, expires_at)
VALUES (:client_id::text || '-' || :a::text || '-' || :b::text,
  '00000000-0000-4000-8000-000000000001', 'c2f9b1', 'PROCESSING', now() + interval '24 hours')
ON CONFLICT (idempotency_key) DO NOTHING;
INSERT INTO agent_names (canonical_name, display_name, tenant_id)
VALUES ('agent' || :i::text, 'Agent ' || :i::text, '00000000-0000-4000-8000-000000000001')
ON CONFLICT DO NOTHING;
INSERT INTO active_leases (tenant_id, canonical_name, memory_id, fencing_token, expires_at,
  owner_client_id, idempotency_key)
VALUES ('00000000-0000-4000-8000-000000000001', 'agent' || :i::text,
  ('018f0000-0000-7000-8000-' || lpad(to_hex(:i::int), 12, '0'))::uuid, 1,
  now() + interval '30 seconds', 'worker-node-alpha-99',
  :client_id::text || '-' || :a::text || '-' || :b::text)
ON CONFLICT (canonical_name) DO UPDATE SET owner_client_id = EXCLUDED.owner_client_id,
  memory_id = EXCLUDED.memory_id, fencing_token = active_leases.fencing_token + 1,
  expires_at = EXCLUDED.expires_at, idempotency_key = EXCLUDED.idempotency_key
WHERE active_leases.expires_at < now()
  OR active_leases.owner_client_id = EXCLUDED.owner_client_id
RETURNING fencing_token, expires_at;
UPDATE idempotency_records SET status = 'COMPLETED', response_code = 201,
  response_body = '{"lease_id":"018f3b3b-1a2b-7c34-9e02-1a2b3c4d5e6f","fencing_token":42}'
WHERE idempotency_key = :client_id::text || '-' || :a::text || '-' || :b::text;
COMMIT;
