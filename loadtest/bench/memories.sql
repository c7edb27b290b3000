-- Memories of one tenant (psql variable `tenant`), as registering them one by one leaves them:
-- 200,000 that claims.lua counts through, 200,000 for claim_statement.sql.
INSERT INTO memory_instances (memory_id, tenant_id, created_at)
SELECT ('018f0000-0000-7000-' || series || lpad(to_hex(i), 12, '0'))::uuid, :'tenant',
  clock_timestamp()
FROM unnest(ARRAY['8000-', '9000-']) series, generate_series(1, 200000) i;
INSERT INTO leases (memory_id, tenant_id) SELECT memory_id, tenant_id FROM memory_instances;
INSERT INTO memory_heads (memory_id) SELECT memory_id FROM memory_instances;
VACUUM ANALYZE;
