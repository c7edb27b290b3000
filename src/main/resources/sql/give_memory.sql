-- One row of the file of memories; see make_given_tables.
INSERT INTO given_memories (line, tenant_id, legacy_id, created_at, own_id, own_hash, minted_id,
  minted_hash, event_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
