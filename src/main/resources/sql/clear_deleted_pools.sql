-- Clears away what a deleted pool has left, a part at a time: identifiers, what is noted of those
-- that were consumed, counts, and at last the pool itself.
--
-- $1 identifiers at most; $2 how many seconds ago the pool must have been deleted, so that nobody
-- is still at work who saw it before.
-- One row: how many identifiers were deleted, and whether a pool is done.
--
-- Isolation: one pool, which others at this work skip; rows that somebody still holds are skipped,
-- and the pool is not done while one is left.
WITH pool AS MATERIALIZED (
  SELECT d.pool_id FROM deleted_pools d
  WHERE d.deleted_at <= now() - $2::int * interval '1 second'
  ORDER BY d.pool_id LIMIT 1 FOR UPDATE SKIP LOCKED),
rest AS MATERIALIZED (
  SELECT i.identifier_id FROM identifiers i WHERE i.pool_id = (SELECT pool_id FROM pool) LIMIT 1),
locked AS MATERIALIZED (
  SELECT i.identifier_id FROM identifiers i WHERE i.pool_id = (SELECT pool_id FROM pool)
  LIMIT $1::int FOR UPDATE SKIP LOCKED),
cleared AS (
  DELETE FROM identifiers i
  WHERE i.identifier_id = ANY (ARRAY(SELECT identifier_id FROM locked)) RETURNING i.identifier_id),
forgotten AS (
  DELETE FROM consumed_identifiers c
  WHERE c.identifier_id = ANY (ARRAY(SELECT identifier_id FROM locked))),
uncounted AS (
  DELETE FROM pool_counts c
  WHERE c.pool_id = (SELECT pool_id FROM pool) AND (SELECT identifier_id FROM rest) IS NULL),
done AS (
  DELETE FROM deleted_pools d
  WHERE d.pool_id = (SELECT pool_id FROM pool) AND (SELECT identifier_id FROM rest) IS NULL
  RETURNING d.pool_id)
SELECT (SELECT count(*) FROM cleared)::int AS cleared, (SELECT count(*) FROM done) > 0 AS done
