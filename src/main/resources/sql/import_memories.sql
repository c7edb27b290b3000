-- Imports the given memories that were not imported before; ? is the id of the audit key. A memory
-- keeps an id of its own that is free, or its tenant's already; of several that want one, the
-- oldest has it. What is not there yet is made as register_memories does.
WITH fresh AS (
  SELECT DISTINCT ON (tenant_id, legacy_id) m.*
  FROM given_memories m LEFT JOIN imported_memories i USING (tenant_id, legacy_id)
  WHERE i.legacy_id IS NULL
  ORDER BY tenant_id, legacy_id, m.line),
weighed AS (
  SELECT f.*, t.memory_id IS NOT NULL AS found,
    f.own_id IS NOT NULL AND i.memory_id IS NULL
      AND (t.memory_id IS NULL OR t.tenant_id = f.tenant_id) AS eligible
  FROM fresh f
  LEFT JOIN memory_instances t ON t.memory_id = f.own_id
  LEFT JOIN imported_memories i ON i.memory_id = f.own_id),
judged AS (
  SELECT w.*,
    w.eligible AND row_number() OVER (
      PARTITION BY w.own_id, w.eligible
      ORDER BY w.created_at, w.legacy_id, w.tenant_id) = 1 AS keeps
  FROM weighed w),
chosen AS MATERIALIZED (
  SELECT tenant_id, legacy_id, created_at, event_id, keeps AND found AS found,
    CASE WHEN keeps THEN own_id ELSE minted_id END AS memory_id,
    CASE WHEN keeps THEN own_hash ELSE minted_hash END AS memory_hash
  FROM judged ORDER BY memory_id),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now),
identified AS (
  INSERT INTO memory_instances (memory_id, tenant_id, created_at)
  SELECT memory_id, tenant_id, now FROM chosen, clock WHERE NOT found),
leasable AS (
  INSERT INTO leases (memory_id, tenant_id)
  SELECT memory_id, tenant_id FROM chosen WHERE NOT found),
headed AS (
  INSERT INTO memory_heads (memory_id) SELECT memory_id FROM chosen WHERE NOT found),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_memory_hash)
  SELECT event_id, tenant_id, now, ?::int, 'MEMORY_REGISTERED', 'import-legacy', memory_hash
  FROM chosen, clock WHERE NOT found)
INSERT INTO imported_memories (tenant_id, legacy_id, created_at, memory_id)
SELECT tenant_id, legacy_id, created_at, memory_id FROM chosen
