-- What the files of an import give, for one transaction. canonical_name and name_key are null, and
-- reason is not, where the rules refuse the display name. minted_name is what the agent is called
-- if it cannot keep its name; own_id is the legacy id of a memory that is a UUIDv7 already, and
-- minted_id what the memory is called if it cannot keep that.
CREATE TEMP TABLE given_agents (
  line           bigint NOT NULL,
  tenant_id      uuid NOT NULL,
  legacy_id      text COLLATE "C" NOT NULL,
  created_at     timestamptz NOT NULL,
  display_name   text NOT NULL,
  altered        boolean NOT NULL,     -- whether it had what text cannot hold
  canonical_name text COLLATE "C",
  name_key       text COLLATE "C",
  reason         text COLLATE "C",
  minted_name    text COLLATE "C" NOT NULL,
  minted_key     text COLLATE "C" NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE given_memories (
  line        bigint NOT NULL,
  tenant_id   uuid NOT NULL,
  legacy_id   text COLLATE "C" NOT NULL,
  created_at  timestamptz NOT NULL,
  own_id      uuid,
  own_hash    bytea,
  minted_id   uuid NOT NULL,
  minted_hash bytea NOT NULL,
  event_id    uuid NOT NULL
) ON COMMIT DROP
