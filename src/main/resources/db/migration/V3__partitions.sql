-- What has to be done to keep each partitioned table's window of days, as statements in the order
-- to run them, each in a transaction of its own: a row is one step, what it does and the statement.
--
-- Nothing here takes a lock that a claim, or a pg_dump beside it, would wait for: CREATE TABLE LIKE
-- takes ACCESS SHARE on the parent, ATTACH and DETACH CONCURRENTLY take SHARE UPDATE EXCLUSIVE, and
-- DROP comes when the table is a partition no more. DETACH CONCURRENTLY waits, without a lock in
-- anybody's way, for whoever has used the parent; interrupted, it stays pending and is finalized
-- another time. New days come first, so that nothing that has to wait keeps them from being
-- there.
-- Never a default partition: a dropped day's key would run again, and it forbids CONCURRENTLY.
-- A table named like a day of a parent is taken for one: to archive a day, detach and rename it.
CREATE FUNCTION plan_partitions_v1(audit_retention_days int) RETURNS TABLE (step text, ddl text)
LANGUAGE sql VOLATILE AS $$
WITH today AS (
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
windows AS (
  -- A key may be 24 hours old or ahead by its own clock, and there is one more day on each side.
  SELECT 'idempotency_records' AS parent,
    day - 2 AS first_day, day + 2 AS last_day, day - 2 AS kept_from
  FROM today
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
