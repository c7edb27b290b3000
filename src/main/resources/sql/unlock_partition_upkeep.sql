-- Gives the session's lock on the upkeep of partitions back. No parameters; one row.
SELECT pg_advisory_unlock(hashtextextended('lease-gateway partition upkeep', 0)) AS was_ours
