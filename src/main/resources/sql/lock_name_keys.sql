-- Waits for every claim that has read the version of the name keys to commit, and keeps the next
-- ones waiting until this transaction ends.
LOCK TABLE name_key_version IN ACCESS EXCLUSIVE MODE
