-- Makes ? the version of the name keys where there are none yet.
INSERT INTO name_key_version (version) VALUES (?) ON CONFLICT DO NOTHING
