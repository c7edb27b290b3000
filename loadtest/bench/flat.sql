-- What a run leaves in the tables that every claim writes: a line each, with the megabytes of the
-- table and of its indexes, updates, those of them that were HOT, and dead rows. The former two
-- have a row per name or memory and shall stay as they are; the latter two grow by a row per grant
-- until their day is dropped.
SELECT t.name, round(sum(pg_table_size(c.oid)) / 1e6, 1),
  round(sum(pg_indexes_size(c.oid)) / 1e6, 1),
  sum(s.n_tup_upd), sum(s.n_tup_hot_upd), sum(s.n_dead_tup)
FROM unnest('{leases,agent_names,idempotency_records,audit_events}'::text[])
  WITH ORDINALITY t(name, place)
JOIN pg_class c ON c.oid = t.name::regclass
  OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = t.name::regclass)
LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
GROUP BY t.name, t.place ORDER BY t.place;
