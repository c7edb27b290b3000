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
named AS MATERIALIZED (
  SELECT a.ord, n.name_key, n.last_token
  FROM asked a JOIN leases l ON l.memory_id = a.memory_id
    AND l.tenant_id = a.tenant_id AND l.last_token = a.token
  JOIN agent_names n ON n.name_key = l.name_key
  ORDER BY n.name_key FOR NO KEY UPDATE OF n SKIP LOCKED),
locked AS MATERIALIZED (
  SELECT a.ord, l.expires_at, l.ended_as, n.name_key, n.last_token AS name_token
  FROM named n JOIN asked a ON a.ord = n.ord
  JOIN leases l ON l.memory_id = a.memory_id
    AND l.tenant_id = a.tenant_id AND l.last_token = a.token AND l.name_key = n.name_key
  ORDER BY l.memory_id FOR NO KEY UPDATE OF l SKIP LOCKED),
clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now, count(*) FROM locked),
least_token AS MATERIALIZED (
  SELECT now, fencing_floor($6::int, now) AS floor FROM clock),
judged AS MATERIALIZED (
  SELECT a.*, s.last_token, c.now, k.name_key,
    greatest(s.last_token, k.name_token, c.floor) + 1 AS raised,
    CASE
      WHEN s.memory_id IS NULL THEN 'lease-not-found'
      WHEN s.last_token <> a.token THEN 'stale-fencing-token'
      WHEN s.name_key IS NULL THEN 'lease-not-found'
      WHEN k.ord IS NULL THEN 'again'
      WHEN k.ended_as <> 0 OR k.expires_at <= c.now THEN 'lease-not-found'
      WHEN row_number() OVER (PARTITION BY a.memory_id ORDER BY a.ord) > 1 THEN 'again'
      ELSE 'revoked' END AS verdict
  FROM least_token c CROSS JOIN asked a
  LEFT JOIN LATERAL (
    SELECT * FROM leases s
    WHERE s.memory_id = a.memory_id AND s.tenant_id = a.tenant_id LIMIT 1) s ON true
  LEFT JOIN locked k ON k.ord = a.ord),
revoked AS (
  UPDATE leases l SET last_token = j.raised, lease_id = NULL, ended_as = 3, expires_at = j.now,
    revoke_reason = j.reason
  FROM judged j WHERE l.memory_id = j.memory_id AND j.verdict = 'revoked'),
names_raised AS (
  UPDATE agent_names n SET last_token = j.raised
  FROM judged j WHERE n.name_key = j.name_key AND j.verdict = 'revoked'),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, raised, $7::int, 'LEASE_REVOKED', principal, name_hash,
    memory_hash
  FROM judged WHERE verdict = 'revoked')
SELECT ord::int, verdict, raised AS token, last_token AS current_token FROM judged
