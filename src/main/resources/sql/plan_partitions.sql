-- What has to be done to keep the windows of days, in order; see V7__pool_partitions.sql.
--
-- $1 how many days audit events are kept.
-- A row is one step: what it does, and the statement, to be run in a transaction of its own.
SELECT step, ddl FROM plan_partitions_v2($1::int)
