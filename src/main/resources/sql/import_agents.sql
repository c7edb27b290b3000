-- Imports the given agents that were not imported before. Among those whose names look alike, of
-- all tenants, the oldest keeps the plain name (1), unless an agent of an earlier import has it;
-- the others are renamed (2). A name that the rules refuse is replaced (3). It holds nothing: see
-- imported_agents.
WITH fresh AS (
  SELECT DISTINCT ON (a.tenant_id, a.legacy_id) a.*, taken.name_key IS NOT NULL AS taken
  FROM given_agents a
  LEFT JOIN imported_agents i USING (tenant_id, legacy_id)
  LEFT JOIN imported_agents taken ON taken.name_key = a.name_key
  WHERE i.legacy_id IS NULL
  ORDER BY a.tenant_id, a.legacy_id, a.line),
judged AS (
  SELECT f.*,
    CASE
      WHEN f.name_key IS NULL THEN 3
      WHEN f.taken OR row_number() OVER (
          PARTITION BY f.name_key ORDER BY f.created_at, f.legacy_id, f.tenant_id) > 1 THEN 2
      ELSE 1 END AS outcome
  FROM fresh f)
INSERT INTO imported_agents (tenant_id, legacy_id, created_at, outcome, display_name,
  canonical_name, name_key, reason)
SELECT tenant_id, legacy_id, created_at, outcome, display_name,
  CASE outcome WHEN 1 THEN canonical_name ELSE minted_name END,
  CASE outcome WHEN 1 THEN name_key ELSE minted_key END, reason
FROM judged
