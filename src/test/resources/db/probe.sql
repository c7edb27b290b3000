-- A statement that does what each request says: ok, again, refuse, silent (no row), sleep:MS,
-- die (its own connection), raise:SQLSTATE, and raise:SQLSTATE:N, which is ok from the Nth call on.
CREATE SEQUENCE probe_calls;

CREATE FUNCTION probe(commands text[])
RETURNS TABLE (ord int, verdict text, call int, batch_rows int, backend int)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  calls  int := nextval('probe_calls');
  verb   text;
  place  int := 0;
  parts  text[];
BEGIN
  FOREACH verb IN ARRAY commands LOOP
    parts := string_to_array(verb, ':');
    IF parts[1] = 'sleep' THEN
      PERFORM pg_sleep(parts[2]::numeric / 1000);
    ELSIF parts[1] = 'die' THEN
      PERFORM pg_terminate_backend(pg_backend_pid());
      PERFORM pg_sleep(1);
    ELSIF parts[1] = 'die-once' AND calls = 1 THEN
      PERFORM pg_terminate_backend(pg_backend_pid());
      PERFORM pg_sleep(1);
    ELSIF parts[1] = 'raise' AND calls < coalesce(parts[3]::int, 1000000) THEN
      RAISE 'as asked' USING ERRCODE = parts[2];
    END IF;
  END LOOP;
  FOREACH verb IN ARRAY commands LOOP
    place := place + 1;
    CONTINUE WHEN verb = 'silent';
    RETURN QUERY SELECT place,
      CASE WHEN verb = 'again' OR verb = 'again-once' AND calls = 1 THEN 'again' ELSE verb END,
      calls, cardinality(commands), pg_backend_pid();
  END LOOP;
END $$;
