-- Canonical name, display name, tenant.
INSERT INTO agent_names (canonical_name, display_name, tenant_id)
VALUES (?, ?, ?) ON CONFLICT DO NOTHING
