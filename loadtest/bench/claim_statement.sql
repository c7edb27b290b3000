-- The function CLAIM_LEASES of the gateway's own claim statement, :batch distinct names and
-- memories a call, counting through 100,000 of each client's own. Variables: batch, tenant, and n,
-- 0 at first. The gateway makes these arrays itself; here the server does, which costs something.
-- It ends with a division by zero when one is refused. A row that the reaper has just locked is to
-- be asked for again, which the gateway does; here it counts.
\set from :n + 1
\set n (:n + :batch) % 99872
SELECT 1 / (:batch::int = count(*) FILTER (
  WHERE c.verdict IN ('granted', 'taken-over', 'again')))::int
FROM (
  SELECT array_agg(uuidv7()) AS keys, array_agg('\x00'::bytea) AS fingerprints,
    array_agg(:tenant::uuid) AS tenants, array_agg('bench'::text) AS principals,
    array_agg('worker'::text) AS owners, array_agg('sql' || i) AS names,
    array_agg(('018f0000-0000-7000-9000-' || lpad(to_hex(i), 12, '0'))::uuid) AS memories,
    array_agg(1) AS ttls, array_agg(uuidv7()) AS leases, array_agg(uuidv7()) AS events,
    array_agg(decode(repeat('5a', 32), 'hex')) AS hashes, array_agg(false) AS minted
  FROM generate_series(:client_id::int * 100000 + :from::int,
    :client_id::int * 100000 + :from::int + :batch::int - 1) i
) a, LATERAL CLAIM_LEASES(0, 1, (SELECT version FROM name_key_version),
  uuid_v7_floor(now() - interval '1 hour'), uuid_v7_floor(now() + interval '1 hour'), a.keys,
  a.fingerprints, a.tenants, a.principals, a.owners, a.names, a.names, a.names, a.memories, a.ttls,
  a.leases, a.events, a.hashes, a.hashes, a.minted) c;
