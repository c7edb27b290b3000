-- Makes ? the version of the name keys; lock_name_keys.sql comes first.
UPDATE name_key_version SET version = ?
