-- The claim once more: what it answers is what it answered (V11), for a tenth less. The records of
-- all grants are inserted as if no key could be taken meanwhile, which nearly always holds; only
-- when one was, they are inserted as ON CONFLICT does, which costs each row a second search and a
-- record in the WAL. The claims of V4_1 and V11 stay for gateways that have not been replaced yet.
--
-- The claim: many names and memories leased together, each pair atomically (Invariant 6), in one
-- call, one round trip and one commit. It cannot be one plain statement: a name must leave its
-- lapsed holder before it arrives elsewhere (uniqueness is checked row by row), and what stands
-- outside the locked rows must be read after the locks. Inside a VOLATILE function every statement
-- has a snapshot of its own (READ COMMITTED, pinned by the gateway's connections). The name carries
-- a version, because two jars share one database during a rolling upgrade.
--
-- Arrays run in parallel; a claim is called by its place in them. One row comes back per claim:
--   granted      lease_id, canonical_name, token, granted_at, expires_at; or
--   taken-over   where a lapsed lease, or the owner's own live one, made room
--   replay*      the same of the earlier grant: `replay` while it stands, else `replay-lapsed`,
--                `replay-released`, `replay-stale` (then current_token)
--   name-not-minted   the name has the minted form, and was not minted for the tenant
--   key-reused   the key's record has another fingerprint
--   memory-not-found, memory-held, name-held   the latter two with held_until, and holder and
--                holder_since where the holder is of the same tenant
--   again        decided next time: a row is busy, an equal claim has just been granted in this
--                call, or the same key has just been used elsewhere
--
-- Why it is safe. Every row that a grant depends on is locked when it is judged, in one order for
-- everybody: names by key, then memories by id, so nobody deadlocks. Locks are taken SKIP
-- LOCKED, so nobody waits; a skipped row is never taken for an absent one. A lock names one table
-- and its keys, for the reason told in renew_leases.sql, and so that a plan made for a small table
-- cannot read a large one whole. A name is attached only by who holds its row (while it has none:
-- its try-lock), so under that lock the memories that it is attached to can only lose it. The clock
-- is read after the locks. No idempotency record of our own, no grant. A lease is live while it is
-- open, has its name and its time has not come: one that ended once ended for good, even if the
-- clock steps back.

CREATE FUNCTION claim_leases_v4(
  p_epoch_base int, p_audit_key_id int, p_key_version text, p_first_key uuid, p_last_key uuid,
  p_keys uuid[], p_fingerprints bytea[], p_tenants uuid[], p_principals text[], p_owners text[],
  p_name_keys text[], p_canonical_names text[], p_display_names text[], p_memories uuid[],
  p_ttls int[], p_leases uuid[], p_events uuid[], p_name_hashes bytea[], p_memory_hashes bytea[],
  p_minted boolean[])
RETURNS SETOF claim_verdict
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_answered claim_verdict[];     -- what the unlocked read answered
  v_open     int[];               -- claims that it did not
  v_named    int[];               -- those whose name row we hold
  v_name_tok bigint[];            -- ... and the last token of that name
  v_unnamed  int[];               -- those whose name has no row, and we alone may make it
  v_granted  int[];
  v_tokens   bigint[];
  v_takeover boolean[];
  v_attached boolean;             -- whether a granted name is attached to another memory
  v_now      timestamptz;
  v_position xid8;                -- where the events stand in the audit trail
BEGIN
  -- A standby must fail here (55000), before anything is answered from its stale rows.
  PERFORM current_timeline();

  -- Reading the version holds off, until this claim has committed, whoever changes it: keys made by
  -- two versions never meet. FE003 when they are another version's.
  IF (SELECT v.version FROM name_key_version v WHERE v.one) IS DISTINCT FROM p_key_version THEN
    RAISE 'the name keys were made by another version' USING ERRCODE = 'FE003';
  END IF;

  -- 1. Read without locks. Most of a stampede ends here, having written nothing and waited for
  --    nobody; on a primary these refusals are true as of this snapshot.
  SELECT array_agg(s.ord) FILTER (WHERE s.verdict IS NULL),
    array_agg((s.ord, s.verdict, s.lease_id, s.canonical_name, s.token, s.granted_at,
      s.granted_at + s.ttl_seconds * interval '1 second',
      s.held_until, CASE WHEN s.ours THEN s.holder END, CASE WHEN s.ours THEN s.since END,
      s.confusable, s.current_token)::claim_verdict) FILTER (WHERE s.verdict IS NOT NULL)
    INTO v_open, v_answered
  FROM (
    SELECT c.ord::int AS ord,
      CASE
        WHEN c.minted AND (
          SELECT i.legacy_id FROM imported_agents i
          WHERE i.name_key = c.name_key AND i.canonical_name = c.canonical_name
            AND i.tenant_id = c.tenant_id AND i.outcome > 1 LIMIT 1) IS NULL THEN 'name-not-minted'
        WHEN r.key IS NOT NULL THEN CASE
          WHEN r.fingerprint <> c.fingerprint THEN 'key-reused'
          WHEN m.last_token <> r.token THEN 'replay-stale'
          WHEN m.ended_as = 1 THEN 'replay-released'
          WHEN NOT m.live THEN 'replay-lapsed'
          ELSE 'replay' END
        WHEN m.memory_id IS NULL THEN 'memory-not-found'
        WHEN m.live THEN CASE
          WHEN m.name_key = c.name_key AND m.canonical_name = c.canonical_name
            AND m.owner_principal = c.principal AND m.owner_client_id = c.owner
            AND m.granted_key < c.key THEN NULL
          ELSE 'memory-held' END
        WHEN n.live THEN 'name-held' END AS verdict,
      r.lease_id, r.canonical_name, r.token, r.effective_at AS granted_at, r.ttl_seconds,
      -- Who is in the way: the memory's lease, or else the name's.
      CASE WHEN m.live THEN m.expires_at WHEN n.live THEN n.expires_at END AS held_until,
      CASE WHEN m.live THEN m.tenant_id WHEN n.live THEN n.tenant_id END = c.tenant_id AS ours,
      CASE WHEN m.live THEN m.owner_client_id ELSE n.owner_client_id END AS holder,
      CASE WHEN m.live THEN m.granted_at ELSE n.granted_at END AS since,
      NOT m.live AND n.canonical_name <> c.canonical_name AS confusable,
      m.last_token AS current_token
    FROM (SELECT clock_timestamp() AS now OFFSET 0) clock
    CROSS JOIN unnest(p_keys, p_fingerprints, p_tenants, p_principals, p_owners, p_name_keys,
                      p_canonical_names, p_memories, p_minted) WITH ORDINALITY
      AS c(key, fingerprint, tenant_id, principal, owner, name_key, canonical_name, memory_id,
           minted, ord)
    LEFT JOIN LATERAL (
      SELECT * FROM idempotency_records r
      WHERE r.tenant_id = c.tenant_id AND r.operation = 1 AND r.key = c.key
        AND r.key >= p_first_key AND r.key <= p_last_key LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT *, ended_as = 0 AND name_key IS NOT NULL AND expires_at > clock.now AS live
      FROM leases m
      WHERE m.memory_id = c.memory_id AND m.tenant_id = c.tenant_id LIMIT 1) m ON true
    LEFT JOIN LATERAL (
      SELECT *, ended_as = 0 AND expires_at > clock.now AS live FROM leases n
      WHERE n.name_key = c.name_key AND n.memory_id <> c.memory_id LIMIT 1) n ON true
    OFFSET 0) s; -- so that nothing is worked out twice
  IF v_answered IS NOT NULL THEN
    RETURN QUERY SELECT * FROM unnest(v_answered);
  END IF;
  IF v_open IS NULL THEN
    RETURN;
  END IF;

  -- 2. Names, in key order. A name without a row is held by a try-lock instead, and its row made
  --    with the grant. Whether it still has none is looked at again under that lock, below.
  WITH locked AS MATERIALIZED (
    SELECT a.name_key, a.last_token FROM agent_names a
    WHERE a.name_key = ANY (ARRAY(SELECT p_name_keys[o] FROM unnest(v_open) o))
    ORDER BY a.name_key FOR NO KEY UPDATE SKIP LOCKED)
  SELECT array_agg(o), array_agg(l.last_token) INTO v_named, v_name_tok
  FROM unnest(v_open) o JOIN locked l ON l.name_key = p_name_keys[o];
  IF cardinality(v_named) IS DISTINCT FROM cardinality(v_open) THEN
    SELECT array_agg(o) INTO v_unnamed FROM unnest(v_open) o
    WHERE CASE -- in this order: a lock for names without a row only
      WHEN (SELECT a.name_key FROM agent_names a WHERE a.name_key = p_name_keys[o] LIMIT 1) IS NULL
      THEN pg_try_advisory_xact_lock(hashtextextended(p_name_keys[o] COLLATE "C", 1)) END;
  END IF;

  -- 3. Memories, in id order: the claimed ones and those that our names are attached to. Then the
  --    clock, then the judgement of the rows as locked.
  WITH held AS MATERIALIZED (
    SELECT * FROM unnest(v_named, v_name_tok) h(o, name_token)
    UNION ALL
    SELECT o, 0 FROM unnest(v_unnamed) o
    WHERE (SELECT a.name_key FROM agent_names a WHERE a.name_key = p_name_keys[o] LIMIT 1) IS NULL),
  attached AS MATERIALIZED (
    SELECT h.o, n.memory_id FROM (
      SELECT n.memory_id, n.name_key FROM leases n
      WHERE n.name_key = ANY (ARRAY(SELECT p_name_keys[o] FROM held))
      OFFSET 0) n
    JOIN held h ON p_name_keys[h.o] = n.name_key AND p_memories[h.o] <> n.memory_id),
  locked AS MATERIALIZED (
    SELECT l.memory_id, l.last_token, l.expires_at, l.ended_as, l.granted_key, l.name_key,
      l.canonical_name, l.owner_principal, l.owner_client_id
    FROM leases l
    WHERE l.memory_id = ANY (ARRAY(SELECT p_memories[o] FROM held
                                   UNION ALL SELECT memory_id FROM attached))
    ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
  clock AS MATERIALIZED (
    -- The aggregate is done when the last lock is held; only then is its target evaluated.
    SELECT clock_timestamp() AS now, count(*) FROM locked),
  least_token AS MATERIALIZED (
    SELECT now, fencing_floor(p_epoch_base, now) AS floor FROM clock),
  grantable AS MATERIALIZED (
    SELECT h.o, t.now, b.o IS NOT NULL AS attached,
      coalesce(l.ended_as = 0, false)
        OR coalesce(a.ended_as = 0 AND a.name_key = p_name_keys[h.o], false) AS takeover,
      greatest(l.last_token, h.name_token, t.floor) + 1 AS token
    FROM least_token t CROSS JOIN held h
    JOIN locked l ON l.memory_id = p_memories[h.o]
    LEFT JOIN attached b ON b.o = h.o
    LEFT JOIN locked a ON a.memory_id = b.memory_id
    WHERE (l.ended_as <> 0 OR l.name_key IS NULL OR l.expires_at <= t.now
        OR l.name_key = p_name_keys[h.o] AND l.canonical_name = p_canonical_names[h.o]
          AND l.owner_principal = p_principals[h.o] AND l.owner_client_id = p_owners[h.o]
          AND l.granted_key < p_keys[h.o])
      AND (b.o IS NULL OR a.ended_as <> 0 OR a.expires_at <= t.now
        OR a.memory_id IS NOT NULL AND a.name_key IS DISTINCT FROM p_name_keys[h.o])),
  granted AS (
    -- One per memory, name and key: no constraint sees two grants in one statement. The first that
    -- can be granted goes, so that a busy one holds up no equal; its equals go again, and find it.
    SELECT * FROM (
      SELECT g.*, row_number() OVER (PARTITION BY p_memories[o] ORDER BY o)
               + row_number() OVER (PARTITION BY p_name_keys[o] ORDER BY o)
               + row_number() OVER (PARTITION BY p_tenants[o], p_keys[o] ORDER BY o) AS places
      FROM grantable g) s
    WHERE places = 3)
  SELECT array_agg(o), array_agg(token), array_agg(takeover), bool_or(attached), min(now)
    INTO v_granted, v_tokens, v_takeover, v_attached, v_now
  FROM granted;

  IF v_granted IS NOT NULL THEN
    -- 4. The idempotency records, in key order. Who uses a key that another transaction is about to
    --    use waits for it here.
    BEGIN
      INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id, lease_id,
        token, effective_at, ttl_seconds, canonical_name)
      SELECT p_tenants[o], 1, p_keys[o], p_fingerprints[o], p_memories[o], p_leases[o],
        token, v_now, p_ttls[o], p_canonical_names[o]
      FROM unnest(v_granted, v_tokens) g(o, token) ORDER BY p_keys[o], p_tenants[o];
    EXCEPTION WHEN unique_violation THEN
      -- Undone, and again: whose key it was is not granted, the others are. What was undone stays
      -- behind as dead rows, in a table whose days are dropped whole.
      WITH recorded AS (
        INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id,
          lease_id, token, effective_at, ttl_seconds, canonical_name)
        SELECT p_tenants[o], 1, p_keys[o], p_fingerprints[o], p_memories[o], p_leases[o],
          token, v_now, p_ttls[o], p_canonical_names[o]
        FROM unnest(v_granted, v_tokens) g(o, token) ORDER BY p_keys[o], p_tenants[o]
        ON CONFLICT DO NOTHING
        RETURNING tenant_id, key)
      SELECT array_agg(o), array_agg(token), array_agg(takeover)
        INTO v_granted, v_tokens, v_takeover
      FROM unnest(v_granted, v_tokens, v_takeover) g(o, token, takeover)
      WHERE (p_tenants[o], p_keys[o]) IN (SELECT tenant_id, key FROM recorded);
    END;
  END IF;

  -- 5. A name leaves its lapsed holder before it arrives anywhere. The holder's row stays open: the
  --    reaper records the lapse for its own tenant.
  IF v_attached THEN
    UPDATE leases l SET name_key = NULL
    WHERE l.name_key = ANY (ARRAY(SELECT p_name_keys[o] FROM unnest(v_granted) o))
      AND (l.name_key, l.memory_id) NOT IN (
        SELECT p_name_keys[o], p_memories[o] FROM unnest(v_granted) o);
  END IF;

  -- The place of all events, as the column's default (V8) would work it out for each. Who writes
  -- nothing takes no transaction id.
  IF v_granted IS NOT NULL THEN
    v_position := ((audit_era() << 44) + pg_current_xact_id()::text::bigint)::text::xid8;
  END IF;

  -- 6. Write, and answer. The keys stand twice, so that no plan reads a table whole.
  RETURN QUERY
  WITH granted AS MATERIALIZED (
    SELECT g.o, g.token, g.takeover, p_tenants[g.o] AS tenant_id, p_memories[g.o] AS memory_id
    FROM unnest(v_granted, v_tokens, v_takeover) g(o, token, takeover)),
  leased AS (
    UPDATE leases l SET lease_id = p_leases[o], granted_key = p_keys[o], last_token = g.token,
      granted_at = v_now, expires_at = v_now + p_ttls[o] * interval '1 second',
      ttl_seconds = p_ttls[o], ended_as = 0, name_key = p_name_keys[o],
      canonical_name = p_canonical_names[o], owner_principal = p_principals[o],
      owner_client_id = p_owners[o], revoke_reason = NULL
    FROM granted g WHERE l.memory_id = g.memory_id AND l.memory_id = ANY (p_memories)),
  named AS (
    UPDATE agent_names a SET last_token = g.token, last_tenant_id = g.tenant_id,
      last_memory_id = g.memory_id, last_granted_at = v_now,
      canonical_name = p_canonical_names[o], display_name = p_display_names[o]
    FROM granted g WHERE a.name_key = p_name_keys[o] AND a.name_key = ANY (p_name_keys)),
  named_first AS (
    INSERT INTO agent_names (name_key, canonical_name, display_name, last_token, last_tenant_id,
      last_memory_id, last_granted_at)
    SELECT p_name_keys[o], p_canonical_names[o], p_display_names[o], token, tenant_id, memory_id,
      v_now
    FROM granted WHERE o = ANY (v_unnamed)),
  audited AS (
    INSERT INTO audit_events (event_id, tenant_id, xid, created_at, fencing_token, key_id,
      event_type, actor, redacted_name_hash, redacted_memory_hash)
    SELECT p_events[o], tenant_id, v_position, v_now, token, p_audit_key_id,
      CASE WHEN takeover THEN 'LEASE_TAKEN_OVER' ELSE 'LEASE_ACQUIRED' END,
      p_principals[o], p_name_hashes[o], p_memory_hashes[o]
    FROM granted)
  SELECT q.o,
    CASE WHEN g.o IS NULL THEN 'again' WHEN g.takeover THEN 'taken-over' ELSE 'granted' END,
    p_leases[q.o], p_canonical_names[q.o], g.token, v_now,
    v_now + p_ttls[q.o] * interval '1 second',
    NULL::timestamptz, NULL::text, NULL::timestamptz, NULL::boolean, NULL::bigint
  FROM unnest(v_open) q(o) LEFT JOIN granted g ON g.o = q.o;
END $$;
