-- So many live leases (psql variable `count`) of one principal of one tenant (`principal`,
-- `tenant`), as claims leave them, for an hour: names held1, held2 and so on,
-- whose keys have l for 1 and o for 0.
CREATE TEMP TABLE held AS
SELECT 'held' || i AS name, translate('held' || i, '10', 'lo') AS name_key, 1 AS token,
  now() AS granted_at,
  ('018f0000-0000-7000-a000-' || lpad(to_hex(i), 12, '0'))::uuid AS memory_id
FROM generate_series(1, :count) i;
INSERT INTO memory_instances (memory_id, tenant_id, created_at)
SELECT memory_id, :'tenant', granted_at FROM held;
INSERT INTO memory_heads (memory_id) SELECT memory_id FROM held;
INSERT INTO leases (memory_id, tenant_id, lease_id, granted_key, last_token, granted_at, expires_at,
  ttl_seconds, ended_as, name_key, canonical_name, owner_principal, owner_client_id)
SELECT memory_id, :'tenant', uuidv7(), uuidv7(), token, granted_at, granted_at + interval '1 hour',
  30, 0, name_key, name, :'principal', 'worker-node-alpha-99' FROM held;
INSERT INTO agent_names (name_key, canonical_name, display_name, last_token, last_tenant_id,
  last_memory_id, last_granted_at)
SELECT name_key, name, name, token, :'tenant', memory_id, granted_at FROM held;
VACUUM ANALYZE;
