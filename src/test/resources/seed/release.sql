-- Name, memory, token, owner. Also says when it was done.
DELETE FROM active_leases
WHERE canonical_name = ? AND memory_id = ? AND fencing_token = ? AND owner_client_id = ?
RETURNING clock_timestamp() AS released_at
