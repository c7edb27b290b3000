-- The founding document's own tables, word for word where they matter for speed, and as many
-- memories as the gateway has: what its six-step transaction runs on.
CREATE TABLE memory_instances (
  memory_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  parent_memory_id uuid REFERENCES memory_instances (memory_id),
  branched_at_token bigint,
  created_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX idx_memory_tenant ON memory_instances (tenant_id);
CREATE TABLE agent_names (
  canonical_name text PRIMARY KEY,
  display_name text NOT NULL,
  tenant_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE active_leases (
  lease_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL,
  canonical_name text NOT NULL UNIQUE REFERENCES agent_names (canonical_name),
  memory_id uuid NOT NULL UNIQUE REFERENCES memory_instances (memory_id),
  fencing_token bigint NOT NULL DEFAULT 1,
  expires_at timestamptz NOT NULL,
  owner_client_id text NOT NULL,
  idempotency_key varchar(255));
CREATE INDEX idx_active_leases_expiry ON active_leases (expires_at);
CREATE TABLE idempotency_records (
  idempotency_key varchar(255) PRIMARY KEY,
  tenant_id uuid NOT NULL,
  request_fingerprint text NOT NULL,
  status text NOT NULL CHECK (status IN ('PROCESSING', 'COMPLETED', 'FAILED')),
  response_code int,
  response_body jsonb,
  expires_at timestamptz NOT NULL);
CREATE INDEX idx_idemp_expiry ON idempotency_records (expires_at);
INSERT INTO memory_instances (memory_id, tenant_id)
SELECT ('018f0000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
  '00000000-0000-4000-8000-000000000001'
FROM generate_series(1, 200000) i;
