-- Makes the tenant ? of the name ?; no row when either is taken.
INSERT INTO tenants (tenant_id, name, created_at) VALUES (?, ?, clock_timestamp())
ON CONFLICT DO NOTHING RETURNING tenant_id
