-- Claims a batch of names and memories; the whole argument is in the function's own header
-- (db/migration, V2). The gateway's epoch base and audit key id, the span of the keys (scalar
-- bounds prune partitions, arrays do not), then one array per member; one row per claim.
SELECT * FROM claim_leases_v1(
  $1::int, $2::int, $3::uuid, $4::uuid,
  $5::uuid[], $6::bytea[], $7::uuid[], $8::text[], $9::text[],
  $10::text[], $11::text[], $12::text[], $13::uuid[],
  $14::int[], $15::uuid[], $16::uuid[], $17::bytea[], $18::bytea[])
