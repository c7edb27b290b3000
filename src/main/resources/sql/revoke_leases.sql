-- Ends a batch of live leases by their tenant's administrator: one row per revocation, `revoked`
-- with the raised token, or why not. The token that the caller has read is in the predicate,
-- so that a revocation cannot hit a later lease; the raised one makes the holder stale at once
-- (Invariant 9). The name's token is raised with the memory's, since it must not go back either;
-- so the name is locked first, in the order of claims. Clock as in renew_leases.sql. $6 is the
-- gateway's epoch base.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $8::uuid[],
                       $9::bytea[], $10::bytea[]) WITH ORDINALITY
    AS a(memory_id, tenant_id, principal, token, reason, event_id, name_hash, memory_hash, ord)),
known AS MATERIALIZED (
  SELECT a.*, s.memory_id AS found_id, s.last_token, s.name_key
  FROM asked a
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true),
named AS MATERIALIZED (
  SELECT n.name_key, n.canonical_name, n.display_name, n.last_token AS name_token
  FROM agent_names n
  WHERE n.name_key = ANY (ARRAY(SELECT name_key FROM known WHERE last_token = token))
  ORDER BY n.name_key FOR NO KEY UPDATE SKIP LOCKED),
locked AS MATERIALIZED (
  SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.name_key FROM leases l
  WHERE l.memory_id = ANY (ARRAY(
    SELECT memory_id FROM known JOIN named USING (name_key) WHERE last_token = token))
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, count(*) FROM locked),
least_token AS MATERIALIZED (
  SELECT now, fencing_floor($6::int, now) AS floor FROM clock),
judged AS MATERIALIZED (
  SELECT k.*, c.now, n.canonical_name, n.display_name,
    greatest(k.last_token, n.name_token, c.floor) + 1 AS raised,
    CASE
      WHEN k.found_id IS NULL THEN 'lease-not-found'
      WHEN k.last_token <> k.token THEN 'stale-fencing-token'
      WHEN k.name_key IS NULL THEN 'lease-not-found'
      WHEN l.memory_id IS NULL OR n.name_key IS NULL THEN 'again'
      WHEN l.ended_as <> 0 OR l.expires_at <= c.now THEN 'lease-not-found'
      WHEN row_number() OVER (PARTITION BY k.memory_id ORDER BY k.ord) > 1 THEN 'again'
      ELSE 'revoked' END AS verdict
  FROM least_token c CROSS JOIN known k
  LEFT JOIN named n ON n.name_key = k.name_key
  LEFT JOIN locked l ON l.memory_id = k.memory_id
    AND l.last_token = k.token AND l.name_key = k.name_key),
names_raised AS (
  INSERT INTO agent_names (name_key, canonical_name, display_name, last_token)
  SELECT name_key, canonical_name, display_name, raised FROM judged WHERE verdict = 'revoked'
  ON CONFLICT (name_key) DO UPDATE SET last_token = excluded.last_token),
revoked AS (
  INSERT INTO leases (memory_id, tenant_id, last_token, ended_as, expires_at, revoke_reason)
  SELECT memory_id, tenant_id, raised, 3, now, reason FROM judged WHERE verdict = 'revoked'
  ON CONFLICT (memory_id) DO UPDATE SET last_token = excluded.last_token, lease_id = NULL,
    ended_as = excluded.ended_as, expires_at = excluded.expires_at,
    revoke_reason = excluded.revoke_reason),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, raised, $7::int, 'LEASE_REVOKED', principal, name_hash,
    memory_hash
  FROM judged WHERE verdict = 'revoked')
SELECT ord::int, verdict, raised AS token, last_token AS current_token FROM judged
