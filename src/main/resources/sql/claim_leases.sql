-- Claims a batch of names and memories; the whole argument is in the function's own header
-- (db/migration, V12). The gateway's epoch base, audit key id and version of name keys, the span
-- of the keys (scalar bounds prune partitions, arrays do not), then one array per member; one row
-- per claim.
SELECT * FROM claim_leases_v4(
  $1::int, $2::int, $3::text, $4::uuid, $5::uuid,
  $6::uuid[], $7::bytea[], $8::uuid[], $9::text[], $10::text[],
  $11::text[], $12::text[], $13::text[], $14::uuid[],
  $15::int[], $16::uuid[], $17::uuid[], $18::bytea[], $19::bytea[], $20::boolean[])
