-- At every start of a gateway, whether it had anything to migrate or not: attaches the days that
-- are missing, so that one that was away for a week can serve at once. What is behind is left to
-- the reaper, because it cannot be dropped inside a transaction. One at a time, under the reaper's
-- lock.
DO $$
DECLARE
  statement text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('lease-gateway partition upkeep', 0));
  -- As an array, so that no query is open while the tables that it reads are changed.
  FOREACH statement IN ARRAY
    ARRAY(SELECT ddl FROM plan_partitions_v2(1) WHERE step IN ('create', 'attach'))
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
