-- The fenced write of a batch of memory heads: one row per commit, `committed`, `replay` (the key's
-- earlier commit), `same` (the head is this very commit already), or why not.
--
-- Check and write are one statement: the lease row and the head are locked together (SKIP LOCKED,
-- memory order) while token, time and revision are judged, so a stale owner cannot slip between
-- (Invariant 9). A head changes only under its lease's lock. $8 and $9 are the span of the keys,
-- null where none has one.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::bigint[],
                       $7::uuid[], $10::bytea[], $11::uuid[], $12::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, token, digest, expected, key, fingerprint, event_id,
         memory_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, r.fingerprint AS recorded, r.revision AS recorded_revision, r.effective_at,
    s.memory_id AS found_id, s.last_token
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_records r
    WHERE r.tenant_id = a.tenant_id AND r.operation = 4 AND r.key = a.key
      AND r.key >= $8::uuid AND r.key <= $9::uuid LIMIT 1) r ON true
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.name_key FROM leases l
  WHERE l.memory_id = ANY (ARRAY(
    SELECT memory_id FROM known WHERE last_token = token AND recorded IS NULL))
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
heads AS MATERIALIZED (
  SELECT h.* FROM memory_heads h
  WHERE h.memory_id = ANY (ARRAY(SELECT memory_id FROM locked))
  ORDER BY h.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM heads),
judged AS MATERIALIZED (
  SELECT k.*, c.now, h.revision, h.committed_at,
    CASE
      WHEN k.recorded <> k.fingerprint THEN 'key-reused'
      WHEN k.recorded IS NOT NULL THEN 'replay'
      WHEN k.found_id IS NULL THEN 'memory-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN l.memory_id IS NULL OR h.memory_id IS NULL THEN 'again'
      WHEN l.ended_as = 3 THEN 'stale-fencing-token'
      WHEN l.ended_as = 1 THEN 'lease-released'
      WHEN l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= c.now THEN 'lease-lapsed'
      WHEN h.token = k.token AND h.content_digest = k.digest
        AND h.revision = coalesce(k.expected + 1, h.revision) THEN 'same'
      WHEN k.expected <> h.revision THEN 'revision-conflict'
      WHEN row_number() OVER (PARTITION BY k.memory_id ORDER BY k.ord)
        + row_number() OVER (PARTITION BY k.tenant_id, coalesce(k.key, k.memory_id)
                             ORDER BY k.ord) > 2 THEN 'again'
      ELSE 'committed' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.memory_id = k.memory_id AND l.last_token = k.token
  LEFT JOIN heads h ON h.memory_id = l.memory_id),
noted AS (
  INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id, token,
    effective_at, revision)
  SELECT tenant_id, 4, key, fingerprint, memory_id, token, now, revision + 1 FROM judged
  WHERE verdict = 'committed' AND key IS NOT NULL ORDER BY key, tenant_id
  ON CONFLICT DO NOTHING RETURNING tenant_id, key),
made AS MATERIALIZED (
  SELECT * FROM judged
  WHERE verdict = 'committed'
    AND (key IS NULL OR (tenant_id, key) IN (SELECT tenant_id, key FROM noted))),
written AS (
  INSERT INTO memory_heads (memory_id, revision, content_digest, token, committed_at)
  SELECT memory_id, revision + 1, digest, token, now FROM made
  ON CONFLICT (memory_id) DO UPDATE SET revision = excluded.revision,
    content_digest = excluded.content_digest, token = excluded.token,
    committed_at = excluded.committed_at),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_memory_hash)
  SELECT event_id, tenant_id, now, token, $13::int, 'MEMORY_COMMITTED', principal, memory_hash
  FROM made)
SELECT j.ord::int,
  CASE WHEN j.verdict = 'committed' AND m.ord IS NULL THEN 'again' ELSE j.verdict END AS verdict,
  CASE j.verdict WHEN 'replay' THEN j.recorded_revision WHEN 'committed' THEN j.revision + 1
    ELSE j.revision END AS revision,
  CASE j.verdict WHEN 'replay' THEN j.effective_at WHEN 'committed' THEN j.now
    ELSE j.committed_at END AS committed_at,
  j.last_token AS current_token
FROM judged j LEFT JOIN made m ON m.ord = j.ord
