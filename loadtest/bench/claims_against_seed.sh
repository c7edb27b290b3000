#!/usr/bin/env bash
# Claims a second over HTTP against the founding document's own six-step transaction under pgbench,
# on the same durable PostgreSQL, alternating in one run. Prints a line per round, then the medians.
#
#   mvn -q -DskipTests package && loadtest/bench/claims_against_seed.sh
#
# Needs wrk, psql and pgbench (Debian: wrk, postgresql-15). ROUNDS (3), SECONDS_EACH (10) and
# CONNECTIONS (256) may be set. Stops what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-3} each=${SECONDS_EACH:-10} connections=${CONNECTIONS:-256}
here=loadtest/bench work=$(mktemp -d) gateway=
pgbench=$(command -v pgbench || ls /usr/lib/postgresql/*/bin/pgbench | tail -1)
trap '[ -z "$gateway" ] || kill "$gateway" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT

GATEWAY_DATABASE_EMBEDDED_DATA_DIR=$work/data GATEWAY_HTTP_PORT=18080 \
  GATEWAY_MANAGEMENT_PORT=19090 java -Xmx256m -XX:MaxDirectMemorySize=128m \
  ${JAVA_OPTIONS:-} -jar target/lease-gateway.jar serve > "$work/log" 2>&1 &
gateway=$!
for _ in $(seq 240); do
  curl -sf -o "$work/ready" http://127.0.0.1:19090/health/ready && break
  kill -0 "$gateway" || { cat "$work/log"; exit 1; }
  read -rt 0.25 <> <(:) || true
done
token_file=$(find "$work" -name dev-token | head -1)
TOKEN=$(cat "$token_file"); export TOKEN
pid_file=$(find "$work" -name postmaster.pid | head -1)
port=$(sed -n 4p "$pid_file")
PGPASSWORD=$(cat "$(find "$work" -name database-password)"); export PGPASSWORD
sql() { psql -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres "$@"; }

curl -s -o "$work/first" -X POST -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{}' http://127.0.0.1:18080/v1/memories
tenant=$(sql -d lease_gateway -c 'SELECT tenant_id FROM memory_instances LIMIT 1')
sql -d lease_gateway -c 'TRUNCATE memory_instances CASCADE'
sql -d lease_gateway -v tenant="$tenant" -f $here/memories.sql
sql -d postgres -c 'CREATE DATABASE seed'
sql -d seed -f $here/seed_schema.sql -c 'VACUUM ANALYZE'

claims() { # connections seconds
  THREADS=1 wrk -t1 -c"$1" -d"$2"s --timeout 5s -s $here/claims.lua http://127.0.0.1:18080 -- \
    "$RANDOM" | sed -n 's/^RESULT //p'
}
seed() { # clients
  "$pgbench" -n -M prepared -h 127.0.0.1 -p "$port" -U postgres -c "$1" -j 2 -T "$each" \
    -f $here/seed_claim.sql seed 2>/dev/null | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }

claims "$connections" 15 > "$work/warm"
seed 2 > "$work/warm"
echo "round  claims/s  p50 ms  p99 ms  not 201  errors  seed@2  seed@16  ratio"
for round in $(seq "$rounds"); do
  read -r rate p50 p99 other errors < <(claims "$connections" "$each")
  two=$(seed 2) sixteen=$(seed 16)
  best=$((two > sixteen ? two : sixteen))
  ratio=$(awk "BEGIN {printf \"%.2f\", $rate / $best}")
  printf '%5s  %8s  %6s  %6s  %7s  %6s  %6s  %7s  %5s\n' "$round" "$rate" "$p50" "$p99" \
    "$other" "$errors" "$two" "$sixteen" "$ratio"
  echo "$ratio" >> "$work/ratios"; echo "$rate" >> "$work/rates"; echo "$best" >> "$work/seeds"
done
read -r rate1 p501 p991 _ _ < <(claims 1 "$each")
echo "median: $(median < "$work/rates") claims/s, seed $(median < "$work/seeds")/s, ratio" \
  "$(median < "$work/ratios")"
echo "one connection: $rate1 claims/s, p50 $p501 ms, p99 $p991 ms"
echo "resident under load: $(awk '/VmHWM/ {print int($2/1024)}' "/proc/$gateway/status") MiB (gateway)"
