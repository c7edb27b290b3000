-- Registers a batch of memories: one row per request, `registered`, `exists` (this tenant's
-- already), `replay`, or why not. A record goes before its memory (no record, no effect), rows
-- go in in key order and in id order, so that two registrations never deadlock. An id is inserted
-- under a try-lock, so that nobody waits for the uncommitted insert of somebody else (`again`), and
-- without ON CONFLICT: who took the lock just after another's commit, unseen by this snapshot,
-- rolls back whole (23505), is sent again, and finds the winner's row. $6 and $7 are the span of
-- the keys, null where none has one.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::bytea[], $8::uuid[],
                       $9::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, key, fingerprint, event_id, memory_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, r.fingerprint AS recorded, m.memory_id AS found_id, m.tenant_id AS found_tenant,
    m.parent_memory_id, m.branched_at_token, m.created_at
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_records r
    WHERE r.tenant_id = a.tenant_id AND r.operation = 3 AND r.key = a.key
      AND r.key >= $6::uuid AND r.key <= $7::uuid LIMIT 1) r ON true
  LEFT JOIN LATERAL (
    SELECT * FROM memory_instances m
    WHERE m.memory_id = coalesce(r.memory_id, a.memory_id) LIMIT 1) m ON true),
fresh AS MATERIALIZED (
  SELECT * FROM (
    SELECT k.*, clock_timestamp() AS now,
      row_number() OVER (PARTITION BY memory_id ORDER BY ord)
        + row_number() OVER (PARTITION BY tenant_id, coalesce(key, memory_id) ORDER BY ord)
        AS places
    FROM known k WHERE recorded IS NULL AND found_id IS NULL) f
  WHERE places = 2 AND pg_try_advisory_xact_lock(uuid_hash_extended(memory_id, 2))),
noted AS (
  INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id, effective_at)
  SELECT tenant_id, 3, key, fingerprint, memory_id, now FROM fresh
  WHERE key IS NOT NULL ORDER BY key, tenant_id
  ON CONFLICT DO NOTHING RETURNING tenant_id, key),
made AS MATERIALIZED (
  SELECT * FROM fresh
  WHERE pg_current_wal_lsn() IS NOT NULL
    AND (key IS NULL OR (tenant_id, key) IN (SELECT tenant_id, key FROM noted))
  ORDER BY memory_id),
identified AS (
  INSERT INTO memory_instances (memory_id, tenant_id, created_at)
  SELECT memory_id, tenant_id, now FROM made),
leasable AS (
  INSERT INTO leases (memory_id, tenant_id) SELECT memory_id, tenant_id FROM made),
headed AS (
  INSERT INTO memory_heads (memory_id) SELECT memory_id FROM made),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_memory_hash)
  SELECT event_id, tenant_id, now, $10::int, 'MEMORY_REGISTERED', principal, memory_hash FROM made)
SELECT k.ord::int,
  CASE
    WHEN k.recorded <> k.fingerprint THEN 'key-reused'
    WHEN k.recorded IS NOT NULL THEN 'replay'
    WHEN k.found_tenant <> k.tenant_id THEN 'memory-id-taken'
    WHEN k.found_id IS NOT NULL THEN 'exists'
    WHEN m.ord IS NOT NULL THEN 'registered'
    ELSE 'again' END AS verdict,
  coalesce(k.found_id, k.memory_id) AS memory_id, k.parent_memory_id, k.branched_at_token,
  coalesce(k.created_at, m.now) AS created_at
FROM known k LEFT JOIN made m ON m.ord = k.ord
