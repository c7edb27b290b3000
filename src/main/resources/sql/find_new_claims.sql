-- Whether claims would make a live lease more: one row per claim, `new`, or `none` when it is
-- answered with what is there - a replay, a refusal, the owner's own live lease again.
--
-- $1 and $2 the span of the keys; then per claim its tenant, key, name key, canonical
-- name, memory, and whether the name is of the minted form.
--
-- Isolation: an unlocked read, and a hint only, as the first step of the claim itself. A lease that
-- lapses in between may be granted beyond a quota, which is soft.
SELECT c.ord::int,
  CASE
    WHEN r.key IS NOT NULL OR m.memory_id IS NULL OR m.live OR n.live THEN 'none'
    WHEN c.minted AND (
      SELECT i.legacy_id FROM imported_agents i
      WHERE i.name_key = c.name_key AND i.canonical_name = c.canonical_name
        AND i.tenant_id = c.tenant_id AND i.outcome > 1 LIMIT 1) IS NULL THEN 'none'
    ELSE 'new' END AS verdict
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::boolean[])
  WITH ORDINALITY AS c(tenant_id, key, name_key, canonical_name, memory_id, minted, ord)
LEFT JOIN LATERAL (
  SELECT r.key FROM idempotency_records r
  WHERE r.tenant_id = c.tenant_id AND r.operation = 1 AND r.key = c.key
    AND r.key >= $1::uuid AND r.key <= $2::uuid LIMIT 1) r ON true
LEFT JOIN LATERAL (
  SELECT m.memory_id, ended_as = 0 AND name_key IS NOT NULL AND expires_at > clock.now AS live
  FROM leases m WHERE m.memory_id = c.memory_id AND m.tenant_id = c.tenant_id LIMIT 1) m ON true
LEFT JOIN LATERAL (
  SELECT ended_as = 0 AND expires_at > clock.now AS live
  FROM leases n WHERE n.name_key = c.name_key AND n.memory_id <> c.memory_id LIMIT 1) n ON true
