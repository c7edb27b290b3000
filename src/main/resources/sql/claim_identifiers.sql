-- Claims identifiers for a batch of callers: one row per claim; see V6__claim_identifiers.sql,
-- which tells the verdicts, the columns and why it is safe. $1 the base of the fencing epoch, $2
-- the audit key's id, $3 and $4 the span of the keys; then one array a member.
SELECT * FROM claim_identifiers_v1(
  $1::int, $2::int, $3::uuid, $4::uuid, $5::uuid[], $6::bytea[], $7::uuid[], $8::text[], $9::text[],
  $10::text[], $11::int[], $12::int[], $13::timestamptz[], $14::uuid[], $15::boolean[], $16::uuid[],
  $17::uuid[], $18::bytea[])
