-- Name keys with a version, and names that were there before this gateway was.

-- Which rules every name key of this database was made by; the gateway writes its own where there
-- are no keys yet, and claims only where the two agree.
CREATE TABLE name_key_version (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one),
  version text COLLATE "C" NOT NULL
);

-- Until now a key was the canonical name itself.
INSERT INTO name_key_version (version) SELECT 'canonical names'
WHERE EXISTS (SELECT FROM agent_names) OR EXISTS (SELECT FROM leases WHERE name_key IS NOT NULL);

-- Names whose key this version makes differently, while `rekey` is at it: 1 of a lease, 2 of an
-- agent name, 3 of an imported agent. Written and emptied by one transaction.
CREATE UNLOGGED TABLE rekeyed_names (
  source  smallint NOT NULL,
  old_key text COLLATE "C" NOT NULL,
  new_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (source, old_key)
);

-- Agents of an earlier system, and the name that each may claim. Nothing is held here: a name is
-- held by a live lease alone. A renamed or minted name may be claimed by its tenant only.
CREATE TABLE imported_agents (
  tenant_id      uuid NOT NULL,
  legacy_id      text COLLATE "C" NOT NULL,
  created_at     timestamptz NOT NULL,  -- by the earlier system's clock
  outcome        smallint NOT NULL CHECK (outcome BETWEEN 1 AND 3),  -- kept, renamed, minted
  display_name   text NOT NULL,
  canonical_name text COLLATE "C" NOT NULL,
  name_key       text COLLATE "C" NOT NULL,
  reason         text COLLATE "C",      -- why the rules refuse the display name, if they do
  PRIMARY KEY (tenant_id, legacy_id)
);
CREATE UNIQUE INDEX imported_agents_by_name_key ON imported_agents (name_key);

-- Memories of an earlier system, and the memory that each is now.
CREATE TABLE imported_memories (
  tenant_id  uuid NOT NULL,
  legacy_id  text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,      -- by the earlier system's clock
  memory_id  uuid NOT NULL UNIQUE REFERENCES memory_instances,
  PRIMARY KEY (tenant_id, legacy_id)
);

-- Gives every name the key that rekeyed_names has for it. Of two that now look alike the oldest
-- keeps the key, a live one before any other: the other lease loses its name, and with it the
-- lease, and is told. The tokens of agent names that become one are joined: the highest stays.
-- Keys go through a form that no key has, because uniqueness is checked row by row. The caller
-- holds name_key_version, so nobody claims meanwhile.
CREATE FUNCTION rekey_names_v1() RETURNS TABLE (tenant_id uuid, canonical_name text)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH keyed AS MATERIALIZED (
    SELECT l.memory_id, l.ended_as = 0 AND l.expires_at > clock_timestamp() AS live,
      row_number() OVER (
        PARTITION BY coalesce(r.new_key, l.name_key)
        ORDER BY l.ended_as = 0 AND l.expires_at > clock_timestamp() DESC, l.granted_at,
          l.memory_id) AS place
    FROM leases l LEFT JOIN rekeyed_names r ON r.source = 1 AND r.old_key = l.name_key
    WHERE l.name_key IS NOT NULL),
  detached AS (
    UPDATE leases l SET name_key = NULL
    WHERE l.memory_id = ANY (ARRAY(SELECT memory_id FROM keyed WHERE place > 1))
    RETURNING l.memory_id, l.tenant_id, l.canonical_name)
  SELECT d.tenant_id, d.canonical_name FROM detached d JOIN keyed k ON k.memory_id = d.memory_id
  WHERE k.live;

  WITH keyed AS MATERIALIZED (
    SELECT a.name_key, max(a.last_token) OVER same AS highest, count(*) OVER same AS names,
      row_number() OVER (
        PARTITION BY coalesce(r.new_key, a.name_key)
        ORDER BY l.memory_id IS NOT NULL DESC, a.last_granted_at, a.name_key) AS place
    FROM agent_names a
    LEFT JOIN rekeyed_names r ON r.source = 2 AND r.old_key = a.name_key
    LEFT JOIN leases l ON l.name_key = a.name_key
    WINDOW same AS (PARTITION BY coalesce(r.new_key, a.name_key))),
  joined AS (
    DELETE FROM agent_names a
    WHERE a.name_key = ANY (ARRAY(SELECT name_key FROM keyed WHERE place > 1)))
  UPDATE agent_names a SET last_token = k.highest
  FROM keyed k WHERE k.name_key = a.name_key AND k.place = 1 AND k.names > 1;

  UPDATE leases l SET name_key = chr(1) || r.new_key
  FROM rekeyed_names r WHERE r.source = 1 AND r.old_key = l.name_key;
  UPDATE leases l SET name_key = substr(l.name_key, 2) WHERE starts_with(l.name_key, chr(1));
  UPDATE agent_names a SET name_key = chr(1) || r.new_key
  FROM rekeyed_names r WHERE r.source = 2 AND r.old_key = a.name_key;
  UPDATE agent_names a SET name_key = substr(a.name_key, 2) WHERE starts_with(a.name_key, chr(1));
  UPDATE imported_agents i SET name_key = chr(1) || r.new_key
  FROM rekeyed_names r WHERE r.source = 3 AND r.old_key = i.name_key;
  UPDATE imported_agents i SET name_key = substr(i.name_key, 2)
  WHERE starts_with(i.name_key, chr(1));
  DELETE FROM rekeyed_names;
END $$;
