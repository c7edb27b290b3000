-- Seed 1's own tables, as far as a lease needs them.
CREATE TABLE memory_instances (
  memory_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL,
  parent_memory_id UUID REFERENCES memory_instances(memory_id),
  branched_at_token BIGINT,
  created_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);
CREATE TABLE agent_names (
  canonical_name TEXT PRIMARY KEY,
  display_name TEXT NOT NULL,
  tenant_id UUID NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);
CREATE TABLE active_leases (
  lease_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id UUID NOT NULL,
  canonical_name TEXT NOT NULL UNIQUE REFERENCES agent_names(canonical_name),
  memory_id UUID NOT NULL UNIQUE REFERENCES memory_instances(memory_id),
  fencing_token BIGINT NOT NULL DEFAULT 1,
  expires_at TIMESTAMPTZ NOT NULL,
  owner_client_id TEXT NOT NULL,
  idempotency_key VARCHAR(255)
);
CREATE INDEX idx_active_leases_expiry ON active_leases(expires_at);
CREATE TABLE idempotency_records (
  idempotency_key VARCHAR(255) PRIMARY KEY,
  tenant_id UUID NOT NULL,
  request_fingerprint TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PROCESSING', 'COMPLETED', 'FAILED')),
  response_code INT,
  response_body JSONB,
  expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_idemp_expiry ON idempotency_records(expires_at);
