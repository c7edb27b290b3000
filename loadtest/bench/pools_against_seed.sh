#!/usr/bin/env bash
# Identifiers claimed and consumed a second over HTTP, against the second founding document's own
# two statements under pgbench, and those against the gateway's own two under pgbench; and against
# itself: with 1,000 or 2,000,000 identifiers, beside 90 % CONSUMED, and while another connection
# holds an old snapshot for 60 s. Alternating, in one run, on durable PostgreSQL servers of one
# machine. Prints a line per round, then the medians.
#
#   mvn -q -DskipTests package && loadtest/bench/pools_against_seed.sh
#
# Needs wrk, psql and pgbench (Debian: wrk, postgresql-15). ROUNDS (3), SECONDS_EACH (8), BATCH
# (100), CONNECTIONS (16) and SNAPSHOT_SECONDS (60) may be set. Takes 12 minutes, needs 8 GB of
# disk, and stops what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-3} each=${SECONDS_EACH:-8} connections=${CONNECTIONS:-16}
snapshot=${SNAPSHOT_SECONDS:-60} here=loadtest/bench work=$(mktemp -d)
export BATCH=${BATCH:-100}
started=()
pgbench=$(command -v pgbench || ls /usr/lib/postgresql/*/bin/pgbench | tail -1)
trap 'for p in "${started[@]}"; do kill "$p" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT

# Starts a gateway on its own database: name, API port, management port.
gateway() {
  GATEWAY_DATABASE_EMBEDDED_DATA_DIR=$work/$1 GATEWAY_HTTP_PORT=$2 GATEWAY_MANAGEMENT_PORT=$3 \
    java -Xmx256m -XX:MaxDirectMemorySize=128m -XX:+UseParallelGC ${JAVA_OPTIONS:-} -jar target/lease-gateway.jar \
    serve > "$work/$1.log" 2>&1 &
  started+=($!)
  for _ in $(seq 240); do
    curl -sf -o "$work/ready" "http://127.0.0.1:$3/health/ready" && return
    kill -0 "${started[-1]}" || { cat "$work/$1.log"; exit 1; }
    read -rt 0.25 <> <(:) || true
  done
}
gateway small 18080 19090
gateway large 18081 19091
api() { # port method path body [curl options]
  curl -sSf -o "$work/answer" -X "$2" -H "Authorization: Bearer $(token "$1")" \
    -H 'Content-Type: application/json' -d "$4" "${@:5}" "http://127.0.0.1:$1/v1/pools/$3"
}
home() { if [ "$1" = 18080 ]; then echo "$work/small"; else echo "$work/large"; fi; }
token() { cat "$(home "$1")/dev-token"; }
sql() { # port database [psql options]
  PGPASSWORD=$(cat "$(home "$1")/database-password") psql -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 \
    -p "$(sed -n 4p "$(home "$1")/data/postmaster.pid")" -U postgres -d "$2" "${@:3}"
}
fill() { # port pool identifiers
  api "$1" PUT "$2" '{"default_ttl_seconds":300}'
  seq 1 "$3" | sed "s/.*/\"$2:&\"/" > "$work/identifiers"
  curl -sSf -o "$work/answer" -X POST -H "Authorization: Bearer $(token "$1")" \
    -H 'Content-Type: application/x-ndjson' -T "$work/identifiers" \
    "http://127.0.0.1:$1/v1/pools/$2/identifiers"
}
drain() { # port pool connections seconds pools
  TOKEN=$(token "$1") POOL=$2 POOLS=${5:-1} SIZE=1000 SALT=$RANDOM \
    wrk -t1 -c"$3" -d"$4"s --timeout 5s -s $here/pools.lua "http://127.0.0.1:$1" \
    | sed -n 's/^RESULT //p'
}
seed() { # clients
  PGPASSWORD=$(cat "$work/large/database-password") "$pgbench" -n -M prepared -h 127.0.0.1 \
    -p "$(sed -n 4p "$work/large/data/postmaster.pid")" -U postgres -c "$1" -j 2 -T "$each" \
    -f $here/seed_pool.sql seed 2> "$work/pgbench" | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}
statements() { # the gateway's own two, 100 at a time, on two connections; identifiers a second
  PGPASSWORD=$(cat "$work/large/database-password") \
    PGOPTIONS='-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off' \
    "$pgbench" -n -M prepared -h 127.0.0.1 -p "$(sed -n 4p "$work/large/data/postmaster.pid")" \
    -U postgres -c 2 -j 1 -T "$each" -D tenant="$tenant" -D after_at=none -D after_id=none \
    -f "$work/statements.sql" lease_gateway 2> "$work/pgbench" \
    | sed -n 's/^tps = \([0-9]*\).*/\100/p'
}
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
ratio() { awk "BEGIN {printf \"%.2f\", $1 / $2}"; }

sql 18081 postgres -c 'CREATE DATABASE seed'
sql 18081 seed -f $here/seed_pool_schema.sql
fill 18081 plain-1 2000000
for round in $(seq "$rounds"); do fill 18081 "used$round-1" 1500000; done
# The oldest nine of ten consumed, past the gateway; its counts are put right with them.
sql 18081 lease_gateway -c "
  WITH used AS (
    UPDATE identifiers i SET state = 2, last_token = 1
    FROM pools p WHERE p.pool LIKE 'used%' AND i.pool_id = p.pool_id
      AND split_part(i.identifier, ':', 2)::int <= 1350000 RETURNING i.identifier_id, i.pool_id, p.tenant_id),
  counted AS (
    INSERT INTO pool_counts SELECT pool_id, -count(*), 0, count(*), 0 FROM used GROUP BY pool_id)
  INSERT INTO consumed_identifiers (identifier_id, pool_id, tenant_id, consumed_at, fencing_token,
    principal, owner_client_id)
  SELECT identifier_id, pool_id, tenant_id, now(), 1, 'p', 'o' FROM used" -c 'VACUUM ANALYZE'

fill 18081 sql-1 1500000
tenant=$(sql 18081 lease_gateway -c "SELECT tenant_id FROM pools WHERE pool = 'sql-1'")
sql 18081 lease_gateway -c "CREATE FUNCTION bench_uuid7() RETURNS uuid LANGUAGE sql VOLATILE AS \$\$
  SELECT (left(h, 8) || '-' || right(h, 4) || '-7' || substr(r, 16, 3) || substr(r, 19))::uuid
  FROM (SELECT lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') AS h,
    gen_random_uuid()::text AS r) s \$\$"
hundred() { echo "array_fill($1, ARRAY[100])"; }
{ cat $here/pool_claim.sql
  sed -e '/^--/d' -e 's/\$1::uuid\[\]/:ids::uuid[]/' -e 's/\$5::bigint\[\]/:fences::bigint[]/' \
    -e "s/\$2::uuid\[\]/$(hundred :tenant::uuid)/" -e "s/\$3::text\[\]/$(hundred "'sql-1'::text")/" \
    -e "s/\$4::text\[\]/$(hundred "'principal'::text")/" -e 's/\$7::int/1/' \
    -e "s/\$6::text\[\]/$(hundred "'order'::text")/" \
    -e "s/\$8::uuid\[\]/ARRAY(SELECT bench_uuid7() FROM generate_series(1, 100))/" \
    -e "s/\$9::bytea\[\]/$(hundred "'\\\\x00'::bytea")/" \
    src/main/resources/sql/consume_identifiers.sql
  echo ';'; } > "$work/statements.sql"

drain 18081 plain "$connections" 15 > "$work/warm"
statements > "$work/warm"
for pool in $(seq 300); do fill 18080 "warm-$pool" 1000; done
drain 18080 warm "$connections" 15 300 > "$work/warm"
echo "identifiers claimed and consumed a second, $BATCH a request, $connections connections"
echo "round  2,000,000  p50 ms  p99 ms  refused  1,000s  90% consumed  seed@2  seed@16  x seed" \
  " (a)  (b)  in SQL@2  x seed@2"
for round in $(seq "$rounds"); do
  for pool in $(seq 300); do fill 18080 "r$round-$pool" 1000; done
  read -r plain p50 p99 refused < <(drain 18081 plain "$connections" "$each")
  read -r thousands _ < <(drain 18080 "r$round" "$connections" "$each" 300)
  # Half as long, because a tenth of them is all there is.
  read -r used _ < <(drain 18081 "used$round" "$connections" "$((each / 2))")
  two=$(seed 2) sixteen=$(seed 16) ours=$(statements)
  best=$((two > sixteen ? two : sixteen))
  printf '%5s  %9s  %6s  %6s  %7s  %6s  %12s  %6s  %7s  %6s  %s  %s  %8s  %s\n' "$round" "$plain" "$p50" \
    "$p99" "$refused" "$thousands" "$used" "$two" "$sixteen" "$(ratio "$plain" "$best")" \
    "$(ratio "$plain" "$thousands")" "$(ratio "$used" "$plain")" "$ours" "$(ratio "$ours" "$two")"
  ratio "$plain" "$best" >> "$work/x"; echo >> "$work/x"
  ratio "$plain" "$thousands" >> "$work/a"; echo >> "$work/a"
  ratio "$ours" "$two" >> "$work/d"; echo >> "$work/d"
  ratio "$used" "$plain" >> "$work/b"; echo >> "$work/b"
done
echo "medians: $(median < "$work/x") x seed; (a) 2,000,000 to 1,000: $(median < "$work/a");" \
  "(b) 90 % consumed to none: $(median < "$work/b"); in SQL $(median < "$work/d") x seed"

fill 18081 old-1 2500000
read -r before _ < <(drain 18081 old "$connections" "$((snapshot / 3))")
sql 18081 postgres -c 'BEGIN ISOLATION LEVEL REPEATABLE READ' \
  -c 'SELECT count(*) FROM pg_class' -c "SELECT pg_sleep($snapshot + 5)" > "$work/old" &
started+=($!)
read -r under _ < <(drain 18081 old "$connections" "$snapshot")
read -r after _ < <(drain 18081 old "$connections" "$each")
echo "(c) under a snapshot of ${snapshot} s: $under to $before before and $after after it," \
  "ratio $(ratio "$under" "$before")"
