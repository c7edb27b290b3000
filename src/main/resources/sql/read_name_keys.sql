-- Every name that has a key: where it stands (see rekeyed_names), its key, its canonical name.
SELECT 1 AS source, name_key, canonical_name FROM leases WHERE name_key IS NOT NULL
UNION ALL
SELECT 2, name_key, canonical_name FROM agent_names
UNION ALL
SELECT 3, name_key, canonical_name FROM imported_agents
