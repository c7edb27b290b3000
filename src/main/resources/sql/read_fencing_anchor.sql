-- What a connection must know before it may grant: whether this cluster is the one that the fencing
-- epoch is anchored in (store.md, must 3), whether it is a primary, and what time it is here.
-- No parameters; one row.
SELECT c.system_identifier = e.system_identifier AS anchored,
       pg_is_in_recovery()                       AS standby,
       clock_timestamp()                         AS clock
FROM fencing_epoch e, pg_control_system() c
