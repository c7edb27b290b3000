-- Tenants, and the tokens that speak for them. What the configuration names - tenants and tokens of
-- the first hour - need not be here.

CREATE TABLE tenants (
  tenant_id    uuid PRIMARY KEY,
  created_at   timestamptz NOT NULL,
  suspended_at timestamptz,  -- none of its tokens is good while this is set
  name         text COLLATE "C" NOT NULL UNIQUE CHECK (name <> '')
);

-- A token is known by its SHA-256 alone: 256 random bits need neither salt nor a slow hash, and
-- nobody who reads this can call.
CREATE TABLE api_tokens (
  sha256       bytea PRIMARY KEY CHECK (length(sha256) = 32),
  tenant_id    uuid NOT NULL REFERENCES tenants,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,  -- null: never
  revoked_at   timestamptz,
  last_used_on date,         -- in UTC; coarse, so that a use is a write once a day
  scopes       text[] NOT NULL
    CHECK (cardinality(scopes) > 0
      AND scopes <@ ARRAY['leases', 'memories', 'pools', 'audit', 'admin']),
  principal    text COLLATE "C" NOT NULL CHECK (principal <> '')
);
CREATE INDEX api_tokens_by_tenant ON api_tokens (tenant_id);
