#!/usr/bin/env bash
# Identifiers claimed and consumed a second over HTTP, against the second founding document's own
# two statements under pgbench, and against itself: with 1,000 or 2,000,000 identifiers, beside
# 90 % CONSUMED, and while another connection holds an old snapshot for 60 s. Alternating, in one
# run, on durable PostgreSQL servers of one machine. Prints a line per round, then the medians.
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
    java -Xmx256m -XX:MaxDirectMemorySize=128m ${JAVA_OPTIONS:-} -jar target/lease-gateway.jar \
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
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
ratio() { awk "BEGIN {printf \"%.2f\", $1 / $2}"; }

sql 18081 postgres -c 'CREATE DATABASE seed'
sql 18081 seed -f $here/seed_pool_schema.sql
fill 18081 plain-1 2000000
for round in $(seq "$rounds"); do fill 18081 "used$round-1" 1500000; done
# Nine of ten consumed long ago, past the gateway; its counts are put right with them.
sql 18081 lease_gateway -c "
  WITH used AS (
    UPDATE identifiers i SET state = 2, last_token = 1
    FROM pools p WHERE p.pool LIKE 'used%' AND i.pool_id = p.pool_id
      AND right(i.identifier, 1) <> '7' RETURNING i.identifier_id, i.pool_id, p.tenant_id),
  counted AS (
    INSERT INTO pool_counts SELECT pool_id, -count(*), 0, count(*), 0 FROM used GROUP BY pool_id)
  INSERT INTO consumed_identifiers (identifier_id, pool_id, tenant_id, consumed_at, fencing_token,
    principal, owner_client_id)
  SELECT identifier_id, pool_id, tenant_id, now(), 1, 'p', 'o' FROM used" -c 'VACUUM ANALYZE'

drain 18081 plain "$connections" 15 > "$work/warm"
for pool in $(seq 300); do fill 18080 "warm-$pool" 1000; done
drain 18080 warm "$connections" 15 300 > "$work/warm"
echo "identifiers claimed and consumed a second, $BATCH a request, $connections connections"
echo "round  2,000,000  p50 ms  p99 ms  refused  1,000s  90% consumed  seed@2  seed@16  x seed  (a)  (b)"
for round in $(seq "$rounds"); do
  for pool in $(seq 300); do fill 18080 "r$round-$pool" 1000; done
  read -r plain p50 p99 refused < <(drain 18081 plain "$connections" "$each")
  read -r thousands _ < <(drain 18080 "r$round" "$connections" "$each" 300)
  # Half as long, because a tenth of them is all there is.
  read -r used _ < <(drain 18081 "used$round" "$connections" "$((each / 2))")
  two=$(seed 2) sixteen=$(seed 16)
  best=$((two > sixteen ? two : sixteen))
  printf '%5s  %9s  %6s  %6s  %7s  %6s  %12s  %6s  %7s  %6s  %s  %s\n' "$round" "$plain" "$p50" \
    "$p99" "$refused" "$thousands" "$used" "$two" "$sixteen" "$(ratio "$plain" "$best")" \
    "$(ratio "$plain" "$thousands")" "$(ratio "$used" "$plain")"
  ratio "$plain" "$best" >> "$work/x"; echo >> "$work/x"
  ratio "$plain" "$thousands" >> "$work/a"; echo >> "$work/a"
  ratio "$used" "$plain" >> "$work/b"; echo >> "$work/b"
done
echo "medians: $(median < "$work/x") x seed; (a) 2,000,000 to 1,000: $(median < "$work/a");" \
  "(b) 90 % consumed to none: $(median < "$work/b")"

fill 18081 old-1 2500000
read -r before _ < <(drain 18081 old "$connections" "$((snapshot / 3))")
sql 18081 postgres -c 'BEGIN ISOLATION LEVEL REPEATABLE READ' \
  -c 'SELECT count(*) FROM pg_class' -c "SELECT pg_sleep($snapshot + 5)" > "$work/old" &
started+=($!)
read -r under _ < <(drain 18081 old "$connections" "$snapshot")
read -r after _ < <(drain 18081 old "$connections" "$each")
echo "(c) under a snapshot of ${snapshot} s: $under to $before before and $after after it," \
  "ratio $(ratio "$under" "$before")"
