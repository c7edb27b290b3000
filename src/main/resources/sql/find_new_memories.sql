-- Whether registrations and branches would make a memory more: one row per request, `new`, or
-- `none` when it is answered with what is there - a replay, a refusal, a memory that exists.
--
-- $1 and $2 the span of the keys, null where none has one; then per request its tenant, whether
-- it is a branch, its key, its memory or, of a branch, the parent, and the parent's token.
--
-- Isolation: an unlocked read, and a hint only, as in find_new_claims.sql.
SELECT a.ord::int,
  CASE
    WHEN r.key IS NOT NULL THEN 'none'
    WHEN NOT a.branch AND m.memory_id IS NULL THEN 'new'
    WHEN a.branch AND p.live THEN 'new'
    ELSE 'none' END AS verdict
FROM (SELECT pg_current_wal_lsn() AS primary_only, clock_timestamp() AS now OFFSET 0) clock
CROSS JOIN unnest($3::uuid[], $4::boolean[], $5::uuid[], $6::uuid[], $7::bigint[])
  WITH ORDINALITY AS a(tenant_id, branch, key, memory_id, token, ord)
LEFT JOIN LATERAL (
  SELECT r.key FROM idempotency_records r
  WHERE r.tenant_id = a.tenant_id AND r.operation = CASE WHEN a.branch THEN 2 ELSE 3 END
    AND r.key = a.key AND r.key >= $1::uuid AND r.key <= $2::uuid LIMIT 1) r ON true
LEFT JOIN LATERAL (
  SELECT m.memory_id FROM memory_instances m WHERE m.memory_id = a.memory_id LIMIT 1) m ON true
LEFT JOIN LATERAL (
  SELECT ended_as = 0 AND name_key IS NOT NULL AND expires_at > clock.now AS live
  FROM leases p
  WHERE p.memory_id = a.memory_id AND p.tenant_id = a.tenant_id AND p.last_token = a.token
  LIMIT 1) p ON true
