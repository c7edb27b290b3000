-- Notes that the name of source ? and key ? gets the key ?.
INSERT INTO rekeyed_names (source, old_key, new_key) VALUES (?, ?, ?)
