-- Takes the session's lock on the upkeep of partitions, or leaves it to who has it. No parameters;
-- one row: whether it is ours. It ends with unlock_partition_upkeep, or with the connection.
SELECT pg_try_advisory_lock(hashtextextended('lease-gateway partition upkeep', 0)) AS ours
