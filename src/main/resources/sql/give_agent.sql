-- One row of the file of agents; see make_given_tables.
INSERT INTO given_agents (line, tenant_id, legacy_id, created_at, display_name, altered,
  canonical_name, name_key, reason, minted_name, minted_key)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
