-- Memory. The token that the application then compares with the writer's.
SELECT fencing_token FROM active_leases WHERE memory_id = ?
