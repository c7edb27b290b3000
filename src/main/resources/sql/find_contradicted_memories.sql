-- Memories that the file gives a second time with another created_at, each with the line that it
-- contradicts; and those that were imported before with another, with line null.
WITH first AS (
  SELECT DISTINCT ON (tenant_id, legacy_id) * FROM given_memories
  ORDER BY tenant_id, legacy_id, line)
SELECT m.line, f.line AS contradicts
FROM given_memories m JOIN first f USING (tenant_id, legacy_id)
WHERE m.created_at <> f.created_at
UNION ALL
SELECT f.line, NULL FROM first f JOIN imported_memories i USING (tenant_id, legacy_id)
WHERE f.created_at <> i.created_at
ORDER BY line
