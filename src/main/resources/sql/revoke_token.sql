-- Revokes the token with the SHA-256 ?, for ever; no row when there is none. Once more changes
-- nothing.
UPDATE api_tokens SET revoked_at = coalesce(revoked_at, clock_timestamp())
WHERE sha256 = ? RETURNING revoked_at
