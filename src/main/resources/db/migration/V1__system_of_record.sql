-- The system of record: who may be owned, who owns it, what was asked, what happened.
--
-- Ids are UUIDv7 made by the gateway, times are the database's, text keys compare byte for byte.
-- Identity rows are never changed, rows that carry a fencing token are never deleted while somebody
-- could still present it (store.md, must 2).

-- The least UUIDv7 of an instant: days of keys are ranges of keys.
CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Identity and lineage (Invariants 3 and 4): written once.
CREATE TABLE memory_instances (
  memory_id         uuid PRIMARY KEY,
  tenant_id         uuid NOT NULL,
  parent_memory_id  uuid REFERENCES memory_instances,
  branched_at_token bigint,
  created_at        timestamptz NOT NULL,
  CHECK ((parent_memory_id IS NULL) = (branched_at_token IS NULL))
);
CREATE UNIQUE INDEX memory_instances_by_tenant ON memory_instances (tenant_id, memory_id);

-- The last 40 bits of an id. A lease id ends like the id of its memory, so a lease is found by its
-- id without an index that every claim would have to change.
CREATE FUNCTION uuid_tail(id uuid) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substr(uuid_send(id), 12)
$$;
CREATE INDEX memory_instances_by_tail ON memory_instances (tenant_id, uuid_tail(memory_id));

-- One row per memory, made with it: the last grant and the last token. A name is attached while
-- name_key is set, also beyond the lease's end, until it is claimed elsewhere or the memory is
-- claimed under another: the same pair again, a renewal, a release, a lapse write no indexed column
-- and stay HOT.
CREATE TABLE leases (
  memory_id       uuid PRIMARY KEY REFERENCES memory_instances,
  tenant_id       uuid NOT NULL,
  lease_id        uuid,
  granted_key     uuid,                       -- the idempotency key that was granted
  last_token      bigint NOT NULL DEFAULT 0,  -- the highest issued, 0 when none was
  granted_at      timestamptz,
  expires_at      timestamptz NOT NULL DEFAULT 'epoch',
  ttl_seconds     int,
  -- null: never granted, 0: open, 1: released, 2: lapse recorded, 3: revoked
  ended_as        smallint,
  name_key        text COLLATE "C",
  canonical_name  text COLLATE "C",
  owner_principal text COLLATE "C",
  owner_client_id text COLLATE "C",
  revoke_reason   text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- The second wall of Invariant 1; the first is the claim itself (store.md, must 1).
CREATE UNIQUE INDEX leases_by_name_key ON leases (name_key) WHERE name_key IS NOT NULL;

-- The last token per name key, kept beyond every lease of the name.
CREATE TABLE agent_names (
  name_key        text COLLATE "C" PRIMARY KEY,
  canonical_name  text COLLATE "C" NOT NULL,
  display_name    text NOT NULL,
  last_token      bigint NOT NULL DEFAULT 0,
  last_tenant_id  uuid,
  last_memory_id  uuid,
  last_granted_at timestamptz
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What the last fenced commit of a memory left (Invariant 9); revision 0 before the first.
CREATE TABLE memory_heads (
  memory_id      uuid PRIMARY KEY REFERENCES memory_instances,
  revision       bigint NOT NULL DEFAULT 0,
  content_digest text COLLATE "C",
  token          bigint,
  committed_at   timestamptz
) WITH (fillfactor = 70);

-- Effects by the key that asked for them; never a refusal (store.md, must 8). Partitioned by the
-- key's own day and purged by dropping days; never a default partition: a dropped day's key would
-- run again. Days are made by afterMigrate.sql and by the reaper, for both tables.
CREATE TABLE idempotency_records (
  tenant_id      uuid NOT NULL,
  operation      smallint NOT NULL,  -- 1 claim, 2 branch, 3 register, 4 commit
  key            uuid NOT NULL,
  fingerprint    bytea NOT NULL,
  memory_id      uuid NOT NULL,
  lease_id       uuid,
  token          bigint,
  effective_at   timestamptz NOT NULL,
  ttl_seconds    int,
  revision       bigint,
  canonical_name text COLLATE "C",
  PRIMARY KEY (tenant_id, operation, key)
) PARTITION BY RANGE (key);

-- What happened, redacted; written by the statement that makes it happen. xid orders readers: an id
-- made before the commit would let a reader pass by an event that commits later.
CREATE TABLE audit_events (
  event_id             uuid NOT NULL,
  tenant_id            uuid NOT NULL,
  xid                  xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at           timestamptz NOT NULL,
  fencing_token        bigint,
  key_id               int NOT NULL,
  event_type           text COLLATE "C" NOT NULL,
  actor                text NOT NULL,
  redacted_name_hash   bytea,
  redacted_memory_hash bytea NOT NULL
) PARTITION BY RANGE (created_at);
CREATE INDEX audit_events_in_commit_order ON audit_events (tenant_id, xid, event_id);

-- Where the fencing epoch is anchored (store.md, must 3): a grant's epoch is the configured base,
-- plus this one, plus the timelines passed since.
CREATE TABLE fencing_epoch (
  one               boolean PRIMARY KEY DEFAULT true CHECK (one),
  system_identifier bigint NOT NULL,
  timeline          int NOT NULL,
  epoch             int NOT NULL,
  CONSTRAINT fencing_epochs_are_used_up CHECK (epoch BETWEEN 0 AND 8191)
);

-- The timeline as of now, right at once after a promotion; 55000 on a standby.
CREATE FUNCTION current_timeline() RETURNS int LANGUAGE sql VOLATILE AS $$
  SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
$$;

INSERT INTO fencing_epoch (system_identifier, timeline, epoch)
SELECT system_identifier, current_timeline(), 0 FROM pg_control_system();

-- Accepts this cluster as the one to grant in, 64 epochs ahead of everything in this copy, because
-- the cluster that it was copied from may have been promoted since. The new epoch, or nothing when
-- the anchor is right as it is.
CREATE FUNCTION anchor_fencing_epoch() RETURNS int LANGUAGE sql VOLATILE AS $$
  UPDATE fencing_epoch e
  SET system_identifier = here.system_identifier, timeline = here.timeline,
      epoch = 64 + greatest(e.epoch, (SELECT max(last_token) >> 40 FROM leases),
                            (SELECT max(last_token) >> 40 FROM agent_names))
  FROM (SELECT system_identifier, current_timeline() AS timeline FROM pg_control_system()) here
  WHERE e.system_identifier <> here.system_identifier OR here.timeline < e.timeline
  RETURNING e.epoch
$$;

-- The least token that may be issued at an instant: epoch above, seconds since 2025 below, 256
-- tokens a second; below 2^53. FE001 when the anchor is not this history's, FE002 when the epochs
-- are used up.
CREATE FUNCTION fencing_floor(epoch_base int, at timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  timeline int := current_timeline();
  anchor   fencing_epoch;
  epoch    int;
BEGIN
  SELECT * INTO anchor FROM fencing_epoch;
  IF anchor.timeline IS NULL OR timeline < anchor.timeline THEN
    RAISE 'the fencing epoch is anchored in another history' USING ERRCODE = 'FE001';
  END IF;
  epoch := epoch_base + anchor.epoch + timeline - anchor.timeline;
  IF epoch >= 8192 THEN
    RAISE 'the fencing epochs are used up' USING ERRCODE = 'FE002';
  END IF;
  RETURN (epoch::bigint << 40) + ((extract(epoch FROM at)::bigint - 1735689600) << 8);
END $$;
