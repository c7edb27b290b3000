-- Suspends (? is true) or resumes the tenant ?; no row when there is none. Once more changes
-- nothing.
UPDATE tenants
SET suspended_at = CASE WHEN ? THEN coalesce(suspended_at, clock_timestamp()) END
WHERE tenant_id = ? RETURNING tenant_id
