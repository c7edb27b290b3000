-- The plan of V3__partitions.sql, whose reasons hold, for the claims of pools too: they are kept as
-- long as every other use of a key.
CREATE FUNCTION plan_partitions_v2(audit_retention_days int) RETURNS TABLE (step text, ddl text)
LANGUAGE sql VOLATILE AS $$
WITH today AS (
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
windows AS (
  -- A key may be 24 hours old or ahead by its own clock, and there is one more day on each side.
  SELECT 'idempotency_records' AS parent,
    day - 2 AS first_day, day + 2 AS last_day, day - 2 AS kept_from
  FROM today
  UNION ALL
  SELECT 'pool_claims', day - 2, day + 2, day - 2 FROM today
  UNION ALL
  SELECT 'audit_events', day - 1, day + 2, day - greatest(audit_retention_days, 1) FROM today),
days AS (
  SELECT parent, kept_from, d::date AS day, parent || '_' || to_char(d, 'YYYYMMDD') AS name
  FROM windows CROSS JOIN generate_series(first_day::timestamp, last_day, interval '1 day') d),
tables AS (
  SELECT w.parent, w.kept_from, c.relname::text AS name,
    to_date(right(c.relname, 8), 'YYYYMMDD') AS day,
    i.inhrelid IS NOT NULL AS attached, coalesce(i.inhdetachpending, false) AS pending
  FROM windows w
  JOIN pg_class p ON p.oid = w.parent::regclass
  JOIN pg_class c ON c.relnamespace = p.relnamespace AND c.relkind = 'r'
    AND c.relname ~ ('^' || w.parent || '_[0-9]{8}$')
  LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = p.oid),
steps AS (
  SELECT 1 AS place, d.name, 'create' AS step,
    format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', d.name, d.parent) AS ddl
  FROM days d WHERE NOT EXISTS (SELECT FROM tables t WHERE t.name = d.name)
  UNION ALL
  SELECT 2, d.name, 'attach',
    format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', d.parent, d.name,
      CASE d.parent WHEN 'audit_events' THEN to_char(d.day, 'YYYY-MM-DD') || ' 00:00:00+00'
        ELSE uuid_v7_floor(d.day::timestamp AT TIME ZONE 'UTC')::text END,
      CASE d.parent WHEN 'audit_events' THEN to_char(d.day + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
        ELSE uuid_v7_floor((d.day + 1)::timestamp AT TIME ZONE 'UTC')::text END)
  FROM days d WHERE NOT EXISTS (SELECT FROM tables t WHERE t.name = d.name AND t.attached)
  UNION ALL
  SELECT 3, t.name, 'drop', format('DROP TABLE %I', t.name)
  FROM tables t WHERE t.day < t.kept_from AND NOT t.attached
  UNION ALL
  SELECT 4, t.name, 'finalize',
    format('ALTER TABLE %I DETACH PARTITION %I FINALIZE', t.parent, t.name)
  FROM tables t WHERE t.pending
  UNION ALL
  SELECT 5, t.name, 'detach',
    format('ALTER TABLE %I DETACH PARTITION %I CONCURRENTLY', t.parent, t.name)
  FROM tables t WHERE t.day < t.kept_from AND t.attached AND NOT t.pending
  UNION ALL
  SELECT CASE WHEN t.pending THEN 4 ELSE 5 END, t.name, 'drop', format('DROP TABLE %I', t.name)
  FROM tables t WHERE t.day < t.kept_from AND t.attached)
SELECT s.step, s.ddl FROM steps s ORDER BY s.place, s.name, s.step = 'drop'
$$;
