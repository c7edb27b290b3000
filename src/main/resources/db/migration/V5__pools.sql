-- Pools of identifiers: UNUSED -> PENDING -> CONSUMED, and back to UNUSED (or to DEAD) when a
-- holder is silent. An identifier is borrowed for a strict time by a token that never goes back
-- (Law 5), and finished by a fenced commit here, at the system of record (Law 6.2).

-- A pool and its settings. Looked up by tenant and name in every statement, so that another
-- tenant's pool is one that does not exist; everything below hangs on pool_id, which a pool that is
-- deleted and made again does not share with the former one.
CREATE TABLE pools (
  pool_id             uuid PRIMARY KEY,
  tenant_id           uuid NOT NULL,
  created_at          timestamptz NOT NULL,
  default_ttl_seconds int NOT NULL,
  reclaim_grace_ms    int NOT NULL,
  max_attempts        int,  -- null: no limit
  pool                text COLLATE "C" NOT NULL,
  UNIQUE (tenant_id, pool)
);

-- What somebody deleted and the reaper has yet to clear away, in small batches.
CREATE TABLE deleted_pools (
  pool_id    uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);

-- One row per identifier, from its load to the end of its pool. Its place in the queue is
-- (available_at, identifier_id): ids of one load are in the order of the load, and who returns
-- gets a new place at the tail, where a claimer that starts behind its last one still finds it.
--
-- Every change of state enters or leaves a partial index, so no update but one is HOT; the
-- fillfactor gives the claim's version room on the page that it reads and writes anyway. Autovacuum
-- comes after 2 % and never rests, because dead versions of a queue stand before its living ones.
CREATE TABLE identifiers (
  identifier_id   uuid PRIMARY KEY,
  pool_id         uuid NOT NULL,
  last_token      bigint NOT NULL DEFAULT 0,  -- the highest issued, never reset (Law 5.1)
  available_at    timestamptz NOT NULL,
  leased_until    timestamptz,                -- of the last hold
  claimed_at      timestamptz,
  attempts        int NOT NULL DEFAULT 0,     -- holds that lapsed since the load or a redrive
  ttl_seconds     int,
  state           smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
                                              -- 0 UNUSED, 1 PENDING, 2 CONSUMED, 3 DEAD
  released        boolean NOT NULL DEFAULT false,  -- whether the last hold was given back in time
  identifier      text COLLATE "C" NOT NULL,
  owner_principal text COLLATE "C",
  owner_client_id text COLLATE "C",
  UNIQUE (pool_id, identifier)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- The queue. CONSUMED rows are in none of these, so a claim costs the same beside any number.
CREATE INDEX identifiers_unused ON identifiers (pool_id, available_at, identifier_id)
  WHERE state = 0;
-- Who lapses next: the reaper, the claim of an empty pool, Retry-After.
CREATE INDEX identifiers_pending ON identifiers (pool_id, leased_until) WHERE state = 1;
CREATE INDEX identifiers_dead ON identifiers (pool_id, identifier_id) WHERE state = 3;

-- What was consumed, by which token, for what: written by the statement that consumes. The key is
-- the second wall: nothing is consumed twice.
CREATE TABLE consumed_identifiers (
  identifier_id   uuid PRIMARY KEY,
  pool_id         uuid NOT NULL,
  tenant_id       uuid NOT NULL,
  consumed_at     timestamptz NOT NULL,
  fencing_token   bigint NOT NULL,
  principal       text COLLATE "C" NOT NULL,
  owner_client_id text COLLATE "C" NOT NULL,
  reference       text COLLATE "C"
);

-- How many identifiers of a pool are in which state, as the sum of its rows. Every statement adds a
-- row for what it changed, in its own transaction: no counter row for claimers to wait at, and no
-- counting of millions. The reaper puts rows together.
CREATE TABLE pool_counts (
  pool_id  uuid NOT NULL,
  unused   bigint NOT NULL,
  pending  bigint NOT NULL,
  consumed bigint NOT NULL,
  dead     bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX pool_counts_by_pool ON pool_counts (pool_id);

-- Claims by the key that asked for them (store.md, must 8), with the holds that they were given, so
-- that a replay takes nothing more. Partitioned and purged as idempotency_records is.
CREATE TABLE pool_claims (
  pool_id        uuid NOT NULL,
  key            uuid NOT NULL,
  granted_at     timestamptz NOT NULL,
  ttl_seconds    int NOT NULL,
  ttl_given      boolean NOT NULL,  -- or else the pool's default
  fingerprint    bytea NOT NULL,
  identifier_ids uuid[] NOT NULL,
  tokens         bigint[] NOT NULL,
  attempts       int[] NOT NULL,
  PRIMARY KEY (pool_id, key)
) PARTITION BY RANGE (key);

-- An event of a pool names the pool, not a memory.
ALTER TABLE audit_events ALTER redacted_memory_hash DROP NOT NULL;

-- Deletes a tenant's pool: 'deleted', 'pool-not-found', 'pool-not-empty' (something is UNUSED or
-- PENDING, and it was not to be drained), or 'again' while somebody loads, redrives or deletes.
-- What it held cannot be reached from then on, and is cleared away by the reaper. A function,
-- because whether it is empty has to be looked at after its row is locked, in a snapshot of that
-- moment.
CREATE FUNCTION delete_pool_v1(
  p_tenant uuid, p_principal text, p_pool text, p_drain boolean, p_audit_key_id int, p_event uuid,
  p_pool_hash bytea)
RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_pool_id uuid;
BEGIN
  PERFORM current_timeline();
  SELECT p.pool_id INTO v_pool_id FROM pools p WHERE p.tenant_id = p_tenant AND p.pool = p_pool;
  IF NOT FOUND THEN
    RETURN 'pool-not-found';
  END IF;
  PERFORM FROM pools p WHERE p.pool_id = v_pool_id FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 'again';
  END IF;
  IF NOT p_drain AND (
    EXISTS (SELECT FROM identifiers i WHERE i.pool_id = v_pool_id AND i.state = 0)
    OR EXISTS (SELECT FROM identifiers i WHERE i.pool_id = v_pool_id AND i.state = 1)) THEN
    RETURN 'pool-not-empty';
  END IF;
  DELETE FROM pools p WHERE p.pool_id = v_pool_id;
  INSERT INTO deleted_pools (pool_id, deleted_at) VALUES (v_pool_id, clock_timestamp());
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor,
    redacted_name_hash)
  VALUES (p_event, p_tenant, clock_timestamp(), p_audit_key_id, 'POOL_DELETED', p_principal,
    p_pool_hash);
  RETURN 'deleted';
END $$;

-- As before, and ahead of the tokens of identifiers too.
CREATE OR REPLACE FUNCTION anchor_fencing_epoch() RETURNS int LANGUAGE sql VOLATILE AS $$
  UPDATE fencing_epoch e
  SET system_identifier = here.system_identifier, timeline = here.timeline,
      epoch = 64 + greatest(e.epoch, (SELECT max(last_token) >> 40 FROM leases),
                            (SELECT max(last_token) >> 40 FROM agent_names),
                            (SELECT max(last_token) >> 40 FROM identifiers))
  FROM (SELECT system_identifier, current_timeline() AS timeline FROM pg_control_system()) here
  WHERE e.system_identifier <> here.system_identifier OR here.timeline < e.timeline
  RETURNING e.epoch
$$;
