-- The gateway's own claim of 100 identifiers of the pool sql-1 of psql variable `tenant`; the
-- statement that consumes them is appended by pools_against_seed.sh.
SELECT after_at::text AS after_at, after_id::text AS after_id, identifier_ids::text AS ids,
  tokens::text AS fences
FROM claim_identifiers_v1(0, 1, uuid_v7_floor(now() - interval '1 day'),
  uuid_v7_floor(now() + interval '1 day'), ARRAY[bench_uuid7()], ARRAY['\x00']::bytea[],
  ARRAY[:tenant::uuid], '{principal}', '{worker-node-alpha-99}', '{sql-1}', ARRAY[100],
  ARRAY[NULL]::int[], ARRAY[nullif(:after_at, 'none')::timestamptz],
  ARRAY[nullif(:after_id, 'none')::uuid], ARRAY[true], ARRAY[bench_uuid7()],
  ARRAY[bench_uuid7()], ARRAY['\x00']::bytea[]) \gset
