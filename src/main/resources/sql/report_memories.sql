-- What became of every given memory, line by line; `first` where the file has it for the first
-- time. It was kept (1) if its id was that id before, else minted (3).
SELECT m.line, i.tenant_id, i.legacy_id, i.memory_id,
  CASE WHEN m.own_id = i.memory_id THEN 1 ELSE 3 END AS outcome,
  m.line = min(m.line) OVER (PARTITION BY m.tenant_id, m.legacy_id) AS first
FROM given_memories m
JOIN imported_memories i ON i.tenant_id = m.tenant_id AND i.legacy_id = m.legacy_id
ORDER BY m.line
