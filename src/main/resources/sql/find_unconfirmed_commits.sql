-- How many sessions of this role wait for a synchronous standby to confirm a commit, for longer
-- than their statements may take. No timeout ends such a wait, nor does the end of the connection.
-- $1 milliseconds. One row. A role sees its own sessions without further rights.
SELECT count(*) AS unconfirmed
FROM pg_stat_activity
WHERE usename = current_user AND wait_event = 'SyncRep'
  AND query_start < clock_timestamp() - $1::int * interval '1 millisecond'
