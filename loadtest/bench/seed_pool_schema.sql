-- The second founding document's own pool, with 2,000,000 identifiers, and the ledger that its
-- fenced commit writes to, where every expected token is there already.
CREATE TABLE resource_pool (
  id            BIGSERIAL PRIMARY KEY,
  identifier    VARCHAR(255) UNIQUE NOT NULL,
  status        VARCHAR(20) DEFAULT 'UNUSED',
  leased_until  TIMESTAMP WITH TIME ZONE,
  lease_token   BIGINT DEFAULT 0,
  updated_at    TIMESTAMP WITH TIME ZONE DEFAULT NOW()
);
INSERT INTO resource_pool (identifier) SELECT 'N-' || i FROM generate_series(1, 2000000) i;
CREATE INDEX idx_resource_unused ON resource_pool(id) WHERE status = 'UNUSED';
CREATE TABLE business_ledger (
  resource_id          BIGINT PRIMARY KEY,
  expected_lease_token BIGINT,
  status               VARCHAR(20) DEFAULT 'OPEN'
);
INSERT INTO business_ledger SELECT id, 1 FROM resource_pool;
VACUUM ANALYZE;
