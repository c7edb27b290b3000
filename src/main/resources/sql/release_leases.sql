-- Releases a batch of leases: one row per release, `released` or why not; the last token again,
-- already released, is `released` and writes nothing. Locks and clock as in renew_leases.sql. The
-- token is in the predicate, so that a late release cannot end a later lease. The row keeps the
-- token, and the name until somebody claims it: nothing indexed is written, the update stays HOT.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[],
                       $8::uuid[], $9::bytea[], $10::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, owner, canonical_name, token, event_id, name_hash,
         memory_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, s.memory_id AS found_id, s.last_token, s.lease_id, s.canonical_name AS leased_name
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true),
locked AS MATERIALIZED (
  SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.name_key, l.owner_principal,
    l.owner_client_id
  FROM leases l
  WHERE l.memory_id = ANY (ARRAY(SELECT memory_id FROM known WHERE last_token = token))
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, pg_current_wal_lsn() AS primary_only, count(*) FROM locked),
judged AS MATERIALIZED (
  SELECT k.*,
    CASE
      WHEN k.found_id IS NULL THEN 'memory-not-found'
      WHEN k.last_token > k.token THEN 'stale-fencing-token'
      WHEN k.lease_id IS NULL OR k.leased_name <> k.canonical_name THEN 'lease-not-found'
      WHEN k.last_token < k.token THEN 'stale-fencing-token'
      WHEN l.memory_id IS NULL THEN 'again'
      WHEN l.owner_principal <> k.principal OR l.owner_client_id <> k.owner THEN 'owner-mismatch'
      WHEN l.ended_as = 1 THEN 'released'
      WHEN l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= c.now THEN 'lease-lapsed'
      ELSE 'released-now' END AS verdict
  FROM clock c CROSS JOIN known k
  LEFT JOIN locked l ON l.memory_id = k.memory_id AND l.last_token = k.token),
ended AS MATERIALIZED (
  SELECT DISTINCT ON (memory_id) j.*, c.now FROM judged j CROSS JOIN clock c
  WHERE verdict = 'released-now' ORDER BY memory_id, ord),
released AS (
  UPDATE leases l SET ended_as = 1, expires_at = (SELECT now FROM clock)
  WHERE l.memory_id = ANY (ARRAY(SELECT memory_id FROM ended))),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, token, $7::int, 'LEASE_RELEASED', principal, name_hash,
    memory_hash
  FROM ended)
SELECT ord::int, CASE verdict WHEN 'released-now' THEN 'released' ELSE verdict END AS verdict,
  last_token AS current_token
FROM judged
