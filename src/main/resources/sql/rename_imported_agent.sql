-- Gives an imported agent a minted name: ? its canonical form, ? its key, ? the tenant, ? the
-- legacy id; its old key is staged no more.
WITH renamed AS (
  UPDATE imported_agents SET canonical_name = ?, name_key = ?, outcome = 2
  WHERE tenant_id = ? AND legacy_id = ?)
DELETE FROM rekeyed_names WHERE source = 3 AND old_key = ?
