-- Agents that the file gives a second time with another display name or created_at, each with the
-- line that it contradicts; and those that were imported before with another, with line null.
WITH first AS (
  SELECT DISTINCT ON (tenant_id, legacy_id) * FROM given_agents
  ORDER BY tenant_id, legacy_id, line)
SELECT a.line, f.line AS contradicts FROM given_agents a JOIN first f USING (tenant_id, legacy_id)
WHERE (a.display_name, a.altered, a.created_at) <> (f.display_name, f.altered, f.created_at)
UNION ALL
SELECT f.line, NULL FROM first f JOIN imported_agents i USING (tenant_id, legacy_id)
WHERE (f.display_name, f.created_at) <> (i.display_name, i.created_at)
ORDER BY line
