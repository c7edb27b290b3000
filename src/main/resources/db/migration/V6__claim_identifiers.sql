-- The claim of identifiers: many callers' claims of many pools, each with a count of its own, in
-- one call, one round trip and one commit. A function for the reasons told in V2__claim_leases.sql.

-- An identifier under our lock, as it was when it was locked.
CREATE TYPE picked_identifier AS (
  pool_id       uuid,
  identifier_id uuid,
  identifier    text,
  last_token    bigint,
  attempts      int,
  available_at  timestamptz,
  lapsed        boolean  -- it was PENDING, not UNUSED
);

-- Locks up to p_count UNUSED identifiers whose place in the queue is behind one and not behind
-- another, in the order of the queue; null is its head, and its end.
--
-- A statement of one table, so that PostgreSQL judges the newest version of a row by the same
-- conditions, and SKIP LOCKED, so that nobody waits. The inner LIMIT is a constant: the planner
-- takes a parameter for a tenth of the table, and sorts two million rows. The settings are for the
-- same: the queue is read in its order by its index, or not at all.
CREATE FUNCTION pick_unused_v1(
  p_pool_id uuid, p_after_at timestamptz, p_after_id uuid, p_until_at timestamptz, p_until_id uuid,
  p_count int)
RETURNS SETOF picked_identifier
LANGUAGE plpgsql VOLATILE ROWS 100 SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  v_now      timestamptz := clock_timestamp();
  v_after_at timestamptz := coalesce(p_after_at, '-infinity');
  v_after_id uuid := coalesce(p_after_id, '00000000-0000-0000-0000-000000000000');
  v_until_at timestamptz := coalesce(p_until_at, v_now);
  v_until_id uuid := coalesce(p_until_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
BEGIN
  RETURN QUERY SELECT * FROM (
    SELECT i.pool_id, i.identifier_id, i.identifier, i.last_token, i.attempts, i.available_at, false
    FROM identifiers i
    WHERE i.pool_id = p_pool_id AND i.state = 0 AND i.available_at <= v_now
      AND (i.available_at, i.identifier_id) > (v_after_at, v_after_id)
      AND (i.available_at, i.identifier_id) <= (v_until_at, v_until_id)
    ORDER BY i.available_at, i.identifier_id LIMIT 2000 FOR NO KEY UPDATE SKIP LOCKED) s
  LIMIT p_count;
END $$;

-- The same for holds that lapsed longer ago than the pool's grace, the oldest first, but for those
-- with which it is enough: they are the reaper's.
CREATE FUNCTION pick_lapsed_v1(p_pool pools, p_count int) RETURNS SETOF picked_identifier
LANGUAGE plpgsql VOLATILE ROWS 100 SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  v_until timestamptz :=
    clock_timestamp() - p_pool.reclaim_grace_ms * interval '1 millisecond';
BEGIN
  RETURN QUERY SELECT * FROM (
    SELECT i.pool_id, i.identifier_id, i.identifier, i.last_token, i.attempts + 1, i.available_at,
      true
    FROM identifiers i
    WHERE i.pool_id = p_pool.pool_id AND i.state = 1 AND i.leased_until <= v_until
      AND (p_pool.max_attempts IS NULL OR i.attempts + 1 < p_pool.max_attempts)
    ORDER BY i.leased_until LIMIT 2000 FOR NO KEY UPDATE SKIP LOCKED) s
  LIMIT p_count;
END $$;

-- Arrays run in parallel; a claim is called by its place in them. One row comes back per claim:
--   granted         its holds, fewer than its count where fewer are free
--   replay          the same holds, as they were when the key was first used
--   key-reused      the key's record is of another request
--   pool-not-found  also another tenant's
--   pool-exhausted  nothing is free; next_at: when a hold can lapse, or a released one comes back
--   again           an equal key stands before it, or has just been used elsewhere
--
-- Where a claim begins to look is for its caller to say: p_after is the place of the last
-- identifier that this caller took from the pool (null: the head). Before it stand the dead entries
-- of what was taken; while somebody holds an old snapshot nobody can remove them, and to walk them
-- again for every claim is the classic collapse of a queue. Nobody is stranded there: who returns
-- gets a place at the tail. For what else may stand there - a load that committed late, a claim
-- rolled back - the caller begins at the head now and then, and says by p_rescan whether to when it
-- runs short. head_ms tells what looking there has cost, after_at and after_id where to go on.
--
-- Why it is safe. An identifier is picked under its lock and judged by its newest version; the
-- clock is read after the last lock. No record of our own, no grant. The write is an upsert: it
-- finds each row by its key, whatever the planner thinks, and no other. Holds that lapsed are taken
-- over when a pool is short, so that nobody depends on the reaper.
CREATE FUNCTION claim_identifiers_v1(
  p_epoch_base int, p_audit_key_id int, p_first_key uuid, p_last_key uuid,
  p_keys uuid[], p_fingerprints bytea[], p_tenants uuid[], p_principals text[], p_owners text[],
  p_pools text[], p_counts int[], p_ttls int[], p_after_ats timestamptz[], p_after_ids uuid[],
  p_rescan boolean[], p_events uuid[], p_reclaim_events uuid[], p_pool_hashes bytea[])
RETURNS TABLE (
  ord int, verdict text, leased_until timestamptz, identifier_ids uuid[], identifiers text[],
  tokens bigint[], attempts int[], next_at timestamptz, after_at timestamptz, after_id uuid,
  head_ms int)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_open    int[];               -- claims that the unlocked read did not answer
  v_pool_of uuid[];              -- ... and the pool of each
  v_ttls    int[];               -- by claim
  v_ttl     int;
  v_pool_id uuid;
  v_pool    pools;               -- the pool at hand
  v_slots   int[];               -- ... its claims, each as often as it wants an identifier
  v_found   picked_identifier[]; -- ... and who fills these slots
  v_last    picked_identifier;
  v_asked   timestamptz;
  v_picked  picked_identifier[]; -- the found of all pools
  v_claims  int[];               -- ... and whose each is
  v_tried   int[];               -- all of whose slots were to be filled
  v_granted int[];
  v_now     timestamptz;
  v_floor   bigint;
  -- What is told of each pool.
  t_pools uuid[]; t_nexts timestamptz[]; t_after_ats timestamptz[]; t_after_ids uuid[];
  t_head_ms int[];
BEGIN
  -- A standby must fail here (55000), before anything is answered from its stale rows.
  PERFORM current_timeline();

  -- 1. Read without locks: what needs no identifier is answered.
  FOR ord, verdict, leased_until, identifier_ids, identifiers, tokens, attempts, v_pool_id,
      v_ttl IN
    SELECT c.ord,
      CASE
        WHEN p.pool_id IS NULL THEN 'pool-not-found'
        WHEN r.key IS NULL THEN NULL
        WHEN r.fingerprint <> c.fingerprint THEN 'key-reused'
        WHEN c.ttl = r.ttl_seconds THEN 'replay'
        WHEN c.ttl IS NULL AND (NOT r.ttl_given OR r.ttl_seconds = p.default_ttl_seconds)
          THEN 'replay'
        ELSE 'key-reused' END,
      r.granted_at + r.ttl_seconds * interval '1 second',
      r.identifier_ids, t.texts, r.tokens, r.attempts, p.pool_id,
      coalesce(c.ttl, p.default_ttl_seconds)
    FROM unnest(p_keys, p_fingerprints, p_tenants, p_pools, p_ttls) WITH ORDINALITY
      AS c(key, fingerprint, tenant_id, pool, ttl, ord)
    LEFT JOIN LATERAL (
      SELECT * FROM pools p WHERE p.tenant_id = c.tenant_id AND p.pool = c.pool LIMIT 1) p ON true
    LEFT JOIN LATERAL (
      SELECT * FROM pool_claims r
      WHERE r.pool_id = p.pool_id AND r.key = c.key
        AND r.key >= p_first_key AND r.key <= p_last_key LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT array_agg((
        SELECT i.identifier FROM identifiers i WHERE i.identifier_id = u.id LIMIT 1) ORDER BY u.n)
        AS texts
      FROM unnest(r.identifier_ids) WITH ORDINALITY u(id, n)) t ON r.key IS NOT NULL
  LOOP
    IF verdict IS NULL THEN
      v_open := v_open || ord;
      v_pool_of := v_pool_of || v_pool_id;
      v_ttls[ord] := v_ttl;
    ELSE
      RETURN NEXT;
    END IF;
  END LOOP;
  IF v_open IS NULL THEN
    RETURN;
  END IF;

  -- 2. Pool by pool, pick for all of its claims together, one for each key.
  FOR v_pool_id, v_slots IN
    SELECT q.pool_id, array_agg(q.o ORDER BY q.o) FROM (
      SELECT o, pool_id, row_number() OVER (PARTITION BY pool_id, p_keys[o] ORDER BY o) AS place
      FROM unnest(v_open, v_pool_of) q(o, pool_id)) q
    CROSS JOIN generate_series(1, p_counts[q.o])
    WHERE q.place = 1 GROUP BY q.pool_id
  LOOP
    SELECT * INTO v_pool FROM pools p WHERE p.pool_id = v_pool_id;
    CONTINUE WHEN NOT FOUND;
    after_at := p_after_ats[v_slots[1]];
    after_id := p_after_ids[v_slots[1]];
    head_ms := NULL;
    next_at := NULL;

    v_asked := clock_timestamp();
    v_found := ARRAY(SELECT k FROM
      pick_unused_v1(v_pool_id, after_at, after_id, NULL, NULL, cardinality(v_slots)) k);
    v_last := v_found[cardinality(v_found)];
    IF after_at IS NULL THEN
      head_ms := extract(epoch FROM clock_timestamp() - v_asked) * 1000;
    ELSIF p_rescan[v_slots[1]] AND cardinality(v_found) < cardinality(v_slots) THEN
      v_asked := clock_timestamp();
      v_found := v_found || ARRAY(SELECT k FROM
        pick_unused_v1(v_pool_id, NULL, NULL, after_at, after_id,
          cardinality(v_slots) - cardinality(v_found)) k);
      head_ms := extract(epoch FROM clock_timestamp() - v_asked) * 1000;
    END IF;
    IF cardinality(v_found) < cardinality(v_slots) THEN
      v_found := v_found || ARRAY(SELECT k FROM
        pick_lapsed_v1(v_pool, cardinality(v_slots) - cardinality(v_found)) k);
    END IF;
    IF cardinality(v_found) = 0 THEN
      next_at := least(
        (SELECT i.leased_until + v_pool.reclaim_grace_ms * interval '1 millisecond'
         FROM identifiers i WHERE i.pool_id = v_pool_id AND i.state = 1
         ORDER BY i.leased_until LIMIT 1),
        (SELECT i.available_at
         FROM identifiers i WHERE i.pool_id = v_pool_id AND i.state = 0 AND i.available_at > v_asked
         ORDER BY i.available_at LIMIT 1));
    END IF;

    v_tried := v_tried || v_slots;
    v_picked := v_picked || v_found;
    v_claims := v_claims || v_slots[:cardinality(v_found)];
    t_pools := t_pools || v_pool_id;
    t_nexts := t_nexts || next_at;
    t_after_ats := t_after_ats || coalesce(v_last.available_at, after_at);
    t_after_ids := t_after_ids || coalesce(v_last.identifier_id, after_id);
    t_head_ms := t_head_ms || head_ms;
  END LOOP;

  -- 3. The clock, and the records: without one of our own a claim is granted nothing.
  v_now := clock_timestamp();
  v_floor := fencing_floor(p_epoch_base, v_now);
  WITH given AS MATERIALIZED (
    SELECT k.claim, k.pool_id, array_agg(k.identifier_id ORDER BY k.n) AS ids,
      array_agg(greatest(k.last_token, v_floor) + 1 ORDER BY k.n) AS tokens,
      array_agg(k.attempts + 1 ORDER BY k.n) AS attempts
    FROM ROWS FROM (unnest(v_picked), unnest(v_claims)) WITH ORDINALITY
      AS k(pool_id, identifier_id, identifier, last_token, attempts, available_at, lapsed, claim, n)
    GROUP BY k.claim, k.pool_id),
  recorded AS (
    INSERT INTO pool_claims (pool_id, key, granted_at, ttl_seconds, ttl_given, fingerprint,
      identifier_ids, tokens, attempts)
    SELECT g.pool_id, p_keys[g.claim], v_now, v_ttls[g.claim], p_ttls[g.claim] IS NOT NULL,
      p_fingerprints[g.claim], g.ids, g.tokens, g.attempts
    FROM given g ORDER BY p_keys[g.claim], g.pool_id
    ON CONFLICT DO NOTHING RETURNING pool_id, key)
  SELECT array_agg(claim) INTO v_granted FROM given
  WHERE (pool_id, p_keys[claim]) IN (SELECT pool_id, key FROM recorded);

  -- 4. Write, and answer.
  RETURN QUERY
  WITH granted AS MATERIALIZED (
    SELECT k.*, greatest(k.last_token, v_floor) + 1 AS token,
      v_now + v_ttls[k.claim] * interval '1 second' AS leased_until
    FROM ROWS FROM (unnest(v_picked), unnest(v_claims)) WITH ORDINALITY
      AS k(pool_id, identifier_id, identifier, last_token, attempts, available_at, lapsed, claim, n)
    WHERE k.claim = ANY (v_granted)),
  held AS (
    INSERT INTO identifiers (identifier_id, pool_id, identifier, state, last_token, available_at,
      leased_until, claimed_at, attempts, ttl_seconds, released, owner_principal, owner_client_id)
    SELECT identifier_id, pool_id, identifier, 1, token, available_at, leased_until, v_now,
      attempts, v_ttls[claim], false, p_principals[claim], p_owners[claim]
    FROM granted
    ON CONFLICT (identifier_id) DO UPDATE SET state = 1, last_token = excluded.last_token,
      leased_until = excluded.leased_until, claimed_at = excluded.claimed_at,
      attempts = excluded.attempts, ttl_seconds = excluded.ttl_seconds, released = false,
      owner_principal = excluded.owner_principal, owner_client_id = excluded.owner_client_id),
  counted AS (
    INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
    SELECT pool_id, -count(*), count(*), 0, 0 FROM granted WHERE NOT lapsed GROUP BY pool_id),
  claims AS MATERIALIZED (
    SELECT claim, min(leased_until) AS leased_until, count(*) FILTER (WHERE lapsed) AS lapsed,
      array_agg(identifier_id ORDER BY n) AS ids, array_agg(identifier ORDER BY n) AS texts,
      array_agg(token ORDER BY n) AS tokens, array_agg(attempts + 1 ORDER BY n) AS attempts,
      max(token) AS token
    FROM granted GROUP BY claim),
  audited AS (
    INSERT INTO audit_events (event_id, tenant_id, created_at, fencing_token, key_id, event_type,
      actor, redacted_name_hash)
    SELECT e.id, p_tenants[c.claim], v_now, c.token, p_audit_key_id, e.type, p_principals[c.claim],
      p_pool_hashes[c.claim]
    FROM claims c CROSS JOIN LATERAL (
      SELECT p_reclaim_events[c.claim], 'HOLDS_RECLAIMED' WHERE c.lapsed > 0
      UNION ALL SELECT p_events[c.claim], 'IDENTIFIERS_CLAIMED') e(id, type))
  SELECT q.o,
    CASE
      WHEN c.claim IS NOT NULL THEN 'granted'
      WHEN q.o = ANY (v_tried) AND NOT q.o = ANY (coalesce(v_claims, '{}')) THEN 'pool-exhausted'
      ELSE 'again' END,
    c.leased_until, c.ids, c.texts, c.tokens, c.attempts, t.next_at, t.after_at, t.after_id,
    t.head_ms
  FROM unnest(v_open, v_pool_of) q(o, pool_id)
  LEFT JOIN claims c ON c.claim = q.o
  LEFT JOIN unnest(t_pools, t_nexts, t_after_ats, t_after_ids, t_head_ms)
    AS t(pool_id, next_at, after_at, after_id, head_ms) ON t.pool_id = q.pool_id;
END $$;
