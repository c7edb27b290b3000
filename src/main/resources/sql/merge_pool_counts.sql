-- Puts rows of pool_counts together, a pool's into one; their sum stays the same for every reader.
--
-- $1 the pool to begin behind; $2 rows at most.
-- One row: the pool to go on behind, null at the end, and how many rows were merged.
--
-- Isolation: a row is deleted by who locked it, SKIP LOCKED, and what it said is inserted by the
-- same statement. Whoever adds a row meanwhile is not waited for, and merged next time.
WITH seen AS MATERIALIZED (
  SELECT c.pool_id FROM pool_counts c WHERE c.pool_id > $1::uuid ORDER BY c.pool_id LIMIT $2::int),
locked AS MATERIALIZED (
  SELECT c.ctid AS place FROM pool_counts c
  WHERE c.pool_id = ANY (ARRAY(SELECT pool_id FROM seen GROUP BY pool_id HAVING count(*) > 1))
  LIMIT $2::int FOR UPDATE SKIP LOCKED),
taken AS (
  DELETE FROM pool_counts c WHERE c.ctid = ANY (ARRAY(SELECT place FROM locked))
  RETURNING c.pool_id, c.unused, c.pending, c.consumed, c.dead),
merged AS (
  INSERT INTO pool_counts (pool_id, unused, pending, consumed, dead)
  SELECT pool_id, sum(unused), sum(pending), sum(consumed), sum(dead) FROM taken GROUP BY pool_id)
SELECT CASE WHEN (SELECT count(*) FROM seen) = $2::int
    THEN (SELECT pool_id FROM seen ORDER BY pool_id DESC LIMIT 1) END AS next,
  (SELECT count(*) FROM taken)::int AS merged
