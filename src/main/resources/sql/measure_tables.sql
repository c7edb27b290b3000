-- How many blocks the swept tables have now. No parameters; one row.
SELECT pg_relation_size('leases') / current_setting('block_size')::int      AS lease_blocks,
       pg_relation_size('agent_names') / current_setting('block_size')::int AS name_blocks
