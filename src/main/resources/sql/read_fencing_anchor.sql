-- What a connection must know before it may be used: whether this server takes writes, whether its
-- history is the one that the fencing epoch is anchored in (store.md, must 3; fencing_floor refuses
-- a lower timeline too), and what time it is here.
-- No parameters; one row, or none before there is an anchor. The timeline is asked for only on a
-- primary: a standby has none to give (55000).
SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS standby,
       CASE WHEN pg_is_in_recovery() OR c.system_identifier <> e.system_identifier THEN false
            ELSE current_timeline() >= e.timeline END AS anchored,
       clock_timestamp() AS clock
FROM fencing_epoch e, pg_control_system() c
