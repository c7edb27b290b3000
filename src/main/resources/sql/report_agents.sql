-- What became of every given agent, line by line; `first` where the file has it for the first time.
SELECT a.line, a.altered, i.tenant_id, i.legacy_id, i.outcome, i.display_name, i.canonical_name,
  i.reason, a.line = min(a.line) OVER (PARTITION BY a.tenant_id, a.legacy_id) AS first
FROM given_agents a
JOIN imported_agents i ON i.tenant_id = a.tenant_id AND i.legacy_id = a.legacy_id
ORDER BY a.line
