-- Deletes names of one range of blocks that nobody has been granted for long and no open lease has.
--
-- $1 the first block; $2 the block to stop before; $3 the base of the fencing epoch; $4 how many
-- days a name must have been idle; $5 rows at most.
-- One row: how many were deleted.
--
-- The token of a name never goes back (store.md, must 2): only what lies below the floor of a day
-- ago is deleted, so that the floor alone keeps the promise, even if the clock steps back by hours.
-- Isolation: FOR UPDATE SKIP LOCKED. A claim that attaches the name in between has changed the row,
-- and the lock sees that it is idle no more; one that comes later finds no name, and makes it anew.
WITH least AS MATERIALIZED (
  SELECT fencing_floor($3::int, clock_timestamp() - interval '1 day') AS token),
idle AS MATERIALIZED (
  SELECT a.name_key FROM agent_names a
  WHERE a.ctid >= ('(' || $1::bigint || ',0)')::tid AND a.ctid < ('(' || $2::bigint || ',0)')::tid
    AND coalesce(a.last_granted_at, '-infinity') < (SELECT now() - $4::int * interval '1 day')
    AND a.last_token < (SELECT token FROM least)
    AND NOT EXISTS (SELECT FROM leases l WHERE l.name_key = a.name_key AND l.ended_as = 0)
  LIMIT $5::int FOR UPDATE OF a SKIP LOCKED),
forgotten AS (
  DELETE FROM agent_names a
  WHERE a.name_key = ANY (ARRAY(SELECT name_key FROM idle)) RETURNING a.name_key)
SELECT count(*)::int AS forgotten FROM forgotten
