#!/usr/bin/env bash
# Claims a second of this jar against those of another one, say of a commit from before names were
# more than ASCII: each gateway on an embedded database of its own, taking turns in one run. Prints a
# line per turn, then the median of the ratios; and what a claim costs each gateway in microseconds of
# CPU time, which a busy machine disturbs less.
#
#   mvn -q -DskipTests package && loadtest/bench/claims_with_and_without_names.sh BASELINE_JAR
#
# Needs wrk and psql (Debian: wrk, postgresql-15). ROUNDS (10), SECONDS_EACH (10) and CONNECTIONS
# (256) may be set. Stops what it started.
set -euo pipefail
baseline=$(realpath "$1")
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-10} each=${SECONDS_EACH:-10} connections=${CONNECTIONS:-256}
here=loadtest/bench work=$(mktemp -d) gateways=()
trap 'for g in "${gateways[@]}"; do kill "$g" 2>/dev/null; done; wait 2>/dev/null; rm -rf "$work"' EXIT

gateway() { # name jar port
  local home=$work/$1
  mkdir "$home"
  GATEWAY_DATABASE_EMBEDDED_DATA_DIR=$home/data GATEWAY_HTTP_PORT=$3 \
    GATEWAY_MANAGEMENT_PORT=$(($3 + 1)) java -Xmx256m -XX:MaxDirectMemorySize=128m -XX:+UseParallelGC \
    ${JAVA_OPTIONS:-} -jar "$2" serve > "$home/log" 2>&1 &
  local started=$!
  gateways+=("$started")
  echo "$started" > "$home/pid"
  for _ in $(seq 240); do
    curl -sf -o "$home/ready" "http://127.0.0.1:$(($3 + 1))/health/ready" && break
    kill -0 "$started" || { cat "$home/log"; exit 1; }
    read -rt 0.25 <> <(:) || true
  done
  find "$home" -name dev-token -exec cp {} "$home/token" \;
  local port tenant
  port=$(sed -n 4p "$(find "$home" -name postmaster.pid | head -1)")
  PGPASSWORD=$(cat "$(find "$home" -name database-password)"); export PGPASSWORD
  sql() { psql -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres -d lease_gateway "$@"; }
  curl -s -o "$home/first" -X POST -H "Authorization: Bearer $(cat "$home/token")" \
    -H 'Content-Type: application/json' -d '{}' "http://127.0.0.1:$3/v1/memories"
  tenant=$(sql -c 'SELECT tenant_id FROM memory_instances LIMIT 1')
  sql -c 'TRUNCATE memory_instances CASCADE'
  sql -v tenant="$tenant" -f $here/memories.sql
}
ticks() { awk '{print $14 + $15}' "/proc/$(cat "$work/$1/pid")/stat"; } # of a hundredth second
claims() { # name port seconds
  local before result
  before=$(ticks "$1")
  result=$(TOKEN=$(cat "$work/$1/token") wrk -t1 -c"$connections" -d"$3"s --timeout 5s \
    -s $here/claims.lua "http://127.0.0.1:$2" -- "$RANDOM" | sed -n 's/^RESULT //p')
  awk -v ticks="$(($(ticks "$1") - before))" -v seconds="$3" \
    '{printf "%s %d %d %.1f\n", $1, $4, $5, ticks * 1e4 / ($1 * seconds)}' <<< "$result"
}
median() { sort -n | awk '{v[NR]=$1} END {print NR % 2 ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }

gateway with target/lease-gateway.jar 18080
gateway without "$baseline" 18180
claims with 18080 15 > "$work/warm"
claims without 18180 15 > "$work/warm"
echo "round  with/s  without/s  not 201  errors  ratio  CPU us with  without"
for round in $(seq "$rounds"); do
  # Whoever goes second has the warmer machine, and the fuller disk: they take turns at that too.
  if ((round % 2)); then
    read -r with other errors cpu < <(claims with 18080 "$each")
    read -r without other2 errors2 cpu2 < <(claims without 18180 "$each")
  else
    read -r without other2 errors2 cpu2 < <(claims without 18180 "$each")
    read -r with other errors cpu < <(claims with 18080 "$each")
  fi
  ratio=$(awk "BEGIN {printf \"%.3f\", $with / $without}")
  printf '%5s  %6s  %9s  %7s  %6s  %5s  %11s  %7s\n' "$round" "$with" "$without" \
    $((other + other2)) $((errors + errors2)) "$ratio" "$cpu" "$cpu2"
  echo "$ratio" >> "$work/ratios"; echo "$with" >> "$work/a"; echo "$without" >> "$work/b"
  echo "$cpu" >> "$work/c"; echo "$cpu2" >> "$work/d"
done
echo "median: $(median < "$work/a") claims/s with, $(median < "$work/b") without, ratio" \
  "$(median < "$work/ratios"), CPU $(median < "$work/c") us a claim with and" \
  "$(median < "$work/d") without"
