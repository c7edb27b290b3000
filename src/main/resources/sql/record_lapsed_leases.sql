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
  SELECT l.memory_id, l.tenant_id, l.last_token, l.expires_at, s.name_hash, s.memory_hash,
    s.event_id
  FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::bytea[], $5::bytea[], $6::uuid[])
    AS s(memory_id, last_token, expires_at, name_hash, memory_hash, event_id)
  JOIN leases l ON l.memory_id = s.memory_id AND l.ended_as = 0
    AND l.last_token = s.last_token AND l.expires_at = s.expires_at
  ORDER BY l.memory_id FOR NO KEY UPDATE OF l SKIP LOCKED),
clock AS MATERIALIZED (
  -- The aggregate is done when the last lock is held; only then is its target evaluated.
  SELECT clock_timestamp() AS now, count(*) FROM locked),
lapsed AS MATERIALIZED (
  SELECT locked.*, clock.now FROM locked CROSS JOIN clock
  WHERE expires_at <= now - $8::int * interval '1 millisecond'),
ended AS (
  UPDATE leases l SET ended_as = 2
  FROM lapsed WHERE l.memory_id = lapsed.memory_id
  RETURNING l.memory_id),
shortened AS (
  UPDATE leases l SET expires_at = now + $9::int * interval '1 second'
  FROM locked CROSS JOIN clock
  WHERE l.memory_id = locked.memory_id
    AND locked.expires_at > now + $9::int * interval '1 second'
  RETURNING l.memory_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
    actor, redacted_name_hash, redacted_memory_hash)
  SELECT event_id, tenant_id, now, last_token, $7::int, 'LEASE_LAPSED', 'reaper',
    name_hash, memory_hash
  FROM lapsed)
SELECT (SELECT count(*) FROM ended)::int     AS recorded,
       (SELECT count(*) FROM shortened)::int AS shortened
