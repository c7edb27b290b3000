-- Revokes the token with the SHA-256 ?, for ever, with the event ? of it; no row when there is
-- none. Once more changes nothing, and is no event.
--
-- Isolation: who revokes one token at once waits at its row, and sees what the other has done.
WITH found AS MATERIALIZED (
  SELECT t.sha256, t.revoked_at FROM api_tokens t WHERE t.sha256 = ? FOR NO KEY UPDATE),
revoked AS (
  UPDATE api_tokens t SET revoked_at = clock_timestamp()
  WHERE t.sha256 = (SELECT f.sha256 FROM found f WHERE f.revoked_at IS NULL)
  RETURNING t.tenant_id),
audited AS (
  INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
  SELECT ?::uuid, r.tenant_id, clock_timestamp(), 0, 'TOKEN_REVOKED', 'operator' FROM revoked r)
SELECT sha256 FROM found
