-- Branches a batch of memories: one row per branch, `branched`, `replay`, or why not. The parent's
-- lease row is locked (SKIP LOCKED, memory order) while its token and time are judged, so that no
-- takeover comes between the check and the child (Invariant 4; store.md, must 7). $8 and $9 are the
-- span of the keys, null where none has one.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::uuid[],
                       $7::bytea[], $10::uuid[], $11::bytea[]) WITH ORDINALITY
    AS a(child_id, parent_id, tenant_id, principal, token, key, fingerprint, event_id, memory_hash,
         ord)),
known AS MATERIALIZED (
  SELECT a.*, r.fingerprint AS recorded, r.memory_id AS recorded_id, r.effective_at,
    s.memory_id AS found_id, s.last_token
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_records r
    WHERE r.tenant_id = a.tenant_id AND r.operation = 2 AND r.key = a.key
      AND r.key >= $8::uuid AND r.key <= $9::uuid LIMIT 1) r ON true
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.parent_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.name_key FROM leases l
  WHERE l.memory_id = ANY (ARRAY(
    SELECT parent_id FROM known WHERE last_token = token AND recorded IS NULL))
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*, c.now,
    CASE
      WHEN k.recorded <> k.fingerprint THEN 'key-reused'
      WHEN k.recorded IS NOT NULL THEN 'replay'
      WHEN k.found_id IS NULL THEN 'memory-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN l.memory_id IS NULL THEN 'again'
      WHEN l.ended_as = 3 THEN 'stale-fencing-token'
      WHEN l.ended_as = 1 THEN 'lease-released'
      WHEN l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= c.now THEN 'lease-lapsed'
      WHEN row_number() OVER (PARTITION BY k.tenant_id, coalesce(k.key, k.child_id)
                              ORDER BY k.ord) > 1 THEN 'again'
      ELSE 'branched' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.memory_id = k.parent_id AND l.last_token = k.token),
noted AS (
  INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id, token,
    effective_at)
  SELECT tenant_id, 2, key, fingerprint, child_id, token, now FROM judged
  WHERE verdict = 'branched' AND key IS NOT NULL ORDER BY key, tenant_id
  ON CONFLICT DO NOTHING RETURNING tenant_id, key),
made AS MATERIALIZED (
  SELECT * FROM judged
  WHERE verdict = 'branched'
    AND (key IS NULL OR (tenant_id, key) IN (SELECT tenant_id, key FROM noted))
  ORDER BY child_id),
identified AS (
  INSERT INTO memory_instances (memory_id, tenant_id, parent_memory_id, branched_at_token,
    created_at)
  SELECT child_id, tenant_id, parent_id, token, now FROM made),
leasable AS (
  INSERT INTO leases (memory_id, tenant_id) SELECT child_id, tenant_id FROM made),
headed AS (
  INSERT INTO memory_heads (memory_id) SELECT child_id FROM made),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_memory_hash)
  SELECT event_id, tenant_id, now, token, $12::int, 'MEMORY_BRANCHED', principal, memory_hash
  FROM made)
SELECT j.ord::int,
  CASE WHEN j.verdict = 'branched' AND m.ord IS NULL THEN 'again' ELSE j.verdict END AS verdict,
  coalesce(j.recorded_id, j.child_id) AS memory_id, coalesce(j.effective_at, j.now) AS created_at,
  j.last_token AS current_token
FROM judged j LEFT JOIN made m ON m.ord = j.ord
