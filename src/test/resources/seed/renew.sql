-- Name, memory, token, owner.
UPDATE active_leases SET expires_at = NOW() + INTERVAL '30 seconds'
WHERE canonical_name = ? AND memory_id = ? AND fencing_token = ? AND owner_client_id = ?
  AND expires_at >= NOW()
RETURNING expires_at
