-- Records that leases lapsed, each once: it ends as lapsed and becomes an audit event. Shortens a
-- lease that lasts longer than any may (store.md, must 4).
--
-- $1 memories, $2 their last tokens as seen, $3 their ends as seen, $4 and $5 hashes of name and
-- memory, $6 event ids: arrays that run in parallel; $7 the audit key's id; $8 grace in
-- milliseconds; $9 the longest lease in seconds.
-- One row: how many were recorded, and how many shortened.
--
-- Isolation: locks in id order like everybody, SKIP LOCKED, so it waits for nobody and nobody for
-- long for it; a skipped lease is found again. Under the lock the newest row is judged by a clock
-- read after the locks: a lease that was renewed, claimed, released, revoked or recorded since it
-- was seen has another token, another end or is not open, and is left alone - however late this
-- statement comes. The name stays attached until it is claimed elsewhere: the update stays HOT.
WITH locked AS MATERIALIZED (
  SELECT l.memory_id, l.tenant_id, l.last_token, l.expires_at FROM leases l
  WHERE l.memory_id = ANY ($1::uuid[]) AND l.ended_as = 0
  ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, count(*) FROM locked),
unchanged AS MATERIALIZED (
  SELECT l.*, s.name_hash, s.memory_hash, s.event_id, c.now
  FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::bytea[], $5::bytea[], $6::uuid[])
    AS s(memory_id, last_token, expires_at, name_hash, memory_hash, event_id)
  JOIN locked l ON l.memory_id = s.memory_id
    AND l.last_token = s.last_token AND l.expires_at = s.expires_at
  CROSS JOIN clock c),
lapsed AS MATERIALIZED (
  SELECT * FROM unchanged
  WHERE expires_at <= now - $8::int * interval '1 millisecond'),
ended AS (
  UPDATE leases l SET ended_as = 2
  WHERE l.memory_id = ANY (ARRAY(SELECT memory_id FROM lapsed))
  RETURNING l.memory_id),
shortened AS (
  UPDATE leases l SET expires_at = (SELECT now FROM clock) + $9::int * interval '1 second'
  WHERE l.memory_id = ANY (ARRAY(
    SELECT memory_id FROM unchanged WHERE expires_at > now + $9::int * interval '1 second'))
  RETURNING l.memory_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, last_token, $7::int, 'LEASE_LAPSED', 'reaper',
    name_hash, memory_hash
  FROM lapsed)
SELECT (SELECT count(*) FROM ended)::int     AS recorded,
       (SELECT count(*) FROM shortened)::int AS shortened
