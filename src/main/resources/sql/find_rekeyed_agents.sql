-- Imported agents that would share their new key with an older one, and have to be renamed.
SELECT tenant_id, legacy_id, canonical_name, name_key FROM (
  SELECT i.*, row_number() OVER (
      PARTITION BY coalesce(r.new_key, i.name_key)
      ORDER BY i.created_at, i.legacy_id, i.tenant_id) AS place
  FROM imported_agents i LEFT JOIN rekeyed_names r ON r.source = 3 AND r.old_key = i.name_key) k
WHERE place > 1
