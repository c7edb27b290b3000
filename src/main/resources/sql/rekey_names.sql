-- Puts the staged keys in place (db/migration, V4): one row per live lease that lost its name to an
-- older look-alike.
SELECT tenant_id, canonical_name FROM rekey_names_v1()
