-- 200,000 memories of one tenant (psql variable `tenant`), as registering them one by one leaves
-- them; their ids are those that claims.lua counts through.
INSERT INTO memory_instances (memory_id, tenant_id, created_at)
SELECT ('018f0000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, :'tenant', clock_timestamp()
FROM generate_series(1, 200000) i;
INSERT INTO leases (memory_id, tenant_id) SELECT memory_id, tenant_id FROM memory_instances;
INSERT INTO memory_heads (memory_id) SELECT memory_id FROM memory_instances;
VACUUM ANALYZE;
