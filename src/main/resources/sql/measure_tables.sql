-- How many blocks the swept tables have now, and for how long the oldest transaction has been open
-- that keeps their dead rows from being cleared away; and how many days after today have their
-- place in every table that is kept by days, without a gap: 2 when all is well, -1 when today has
-- none. No parameters; one row.
-- Of sessions of other roles only a member of pg_read_all_stats, which pg_monitor is, sees when
-- their transactions began; prepared transactions everybody sees.
SELECT pg_relation_size('leases') / current_setting('block_size')::int      AS lease_blocks,
       pg_relation_size('agent_names') / current_setting('block_size')::int AS name_blocks,
       greatest(0, extract(epoch FROM clock_timestamp() - least(
         (SELECT min(s.xact_start)
            FROM pg_stat_activity s
           WHERE s.datname = current_database()
             AND s.pid <> pg_backend_pid()
             AND s.backend_type = 'client backend'),
         (SELECT min(p.prepared)
            FROM pg_prepared_xacts p
           WHERE p.database = current_database()))))::float8 AS oldest_transaction_seconds,
       (SELECT coalesce(min(d.ahead), 3) - 1
          FROM generate_series(0, 2) AS d (ahead)
         WHERE 3 > (
           SELECT count(*)
             FROM (VALUES ('idempotency_records'), ('pool_claims'), ('audit_events')) AS t (parent)
             JOIN pg_inherits i
               ON i.inhparent = t.parent::regclass
              AND i.inhrelid = to_regclass(t.parent || to_char(
                    (clock_timestamp() AT TIME ZONE 'UTC')::date + d.ahead, '"_"YYYYMMDD')))
       )::int AS days_ahead
