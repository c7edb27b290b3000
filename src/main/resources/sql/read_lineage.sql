-- A memory ($1) of a tenant ($2) and everything that it was branched from, the root first; no
-- row where the tenant has no such memory. A branch is made within one tenant: so is the chain.
WITH RECURSIVE chain AS (
  SELECT m.*, 0 AS up FROM memory_instances m
  WHERE m.memory_id = $1::uuid AND m.tenant_id = $2::uuid
    AND (SELECT pg_current_wal_lsn()) IS NOT NULL
  UNION ALL
  SELECT p.*, c.up + 1 FROM chain c JOIN memory_instances p ON p.memory_id = c.parent_memory_id)
SELECT memory_id, parent_memory_id, branched_at_token, created_at FROM chain ORDER BY up DESC
