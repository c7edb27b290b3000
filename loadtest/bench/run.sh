#!/usr/bin/env bash
# The benchmark: this gateway, what it is made of, and its peers, on one machine and one disk, all
# durable, taking turns in one run. Prints the medians and writes them beside every single turn:
# target/bench/{turns,medians,flat}.csv and chart.svg.
#
#   mvn -q -DskipTests package && loadtest/bench/run.sh
#
# PARTS (all) names the parts that are run:
#   a  the gateway, one claim a request, on each of CONNECTIONS (1 16 64 256 1024)
#   b  the gateway's batch endpoint, 100 claims a request on 16 connections, and 1,000 on 4
#   c  the gateway, renewals of 10,000 leases
#   d  the gateway, identifiers of a pool claimed and consumed, 100 a request, 16 connections
#   e  the founding document's own six-step transaction under pgbench, on 2 and 16 connections
#   f  etcd's transaction on two keys, through its JSON gateway
#   g  Redis with appendfsync always, a script that sets two keys, by redis-benchmark in RESP
#   h  a Vert.x server that says hello to the same requests: the ceiling of HTTP
#   i  the gateway's claim statement alone under pgbench, 1, 16 and 128 claims a call, 2 connections:
#      the ceiling of the database
#   j  the gateway, claims of one name that is held
#   k  part a beside 10,000 and beside 1,000,000 live leases, each on a database of its own
#   l  part a for FLAT_SECONDS (60): whether the rate holds, and what the tables grow by
# ROUNDS (3), SECONDS_EACH (8), WARM_SECONDS (30) and WIDE (256, the connections of c, f, g, h, j, k
# and l) may be set.
# All parts take a quarter of an hour and 6 GB of disk below TMPDIR (/var/tmp). Needs wrk, psql,
# pgbench, curl, etcd and redis; those that lack are installed where this is root on Debian. Stops
# what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
parts=" ${PARTS:-a b c d e f g h i j k l} " rounds=${ROUNDS:-3} each=${SECONDS_EACH:-8}
wide=${WIDE:-256} here=loadtest/bench out=${OUT:-target/bench}
has() { [[ $parts == *" $1 "* ]]; }
. loadtest/gateway.sh
[ "$(stat -f -c %T "$work")" != tmpfs ] || { echo "TMPDIR is memory, not a disk." >&2; exit 2; }
ulimit -n 8192

made= # a file of the system's, to be removed
trap 'rm -f "$made"; stop_all' EXIT

need() { # command, Debian's package
  command -v "$1" > "$work/need" || packages+=("$2")
}
packages=()
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
need wrk wrk; need curl curl; need psql postgresql-client; need pgbench postgresql-contrib
if has f; then need etcd etcd-server; fi
if has g; then need redis-benchmark redis-tools; need redis-server redis-server; fi
if [ ${#packages[@]} -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "Install ${packages[*]}." >&2; exit 2; }
  policy=/usr/sbin/policy-rc.d # Debian starts what it installs, unless this says no.
  [ -e $policy ] || { made=$policy; printf '#!/bin/sh\nexit 101\n' > $policy; chmod +x $policy; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${packages[@]}" > "$work/apt.log"
  rm -f "$made"; made=
  PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
fi

# What a turn calls: each prints a rate, the median and the 99th percentile of a request in ms, how
# many were answered otherwise, and errors.
load() { # name, connections, seconds, variables
  env TOKEN="$(token "$1")" "${@:4}" wrk -t1 -c"$2" -d"$3"s --timeout 5s -s $here/claims.lua \
    "$(api "$1")" -- "$RANDOM" | sed -n 's/^RESULT //p'
}
claims() { load "${2:-main}" "$1" "$each" CALL=claim; }
batches() { load main "$2" "$each" CALL=batch BATCH="$1"; }
renewals() { # to 300 s from each, so that each is written; afterwards to an hour, as they were
  load main "$wide" "$each" CALL=renew LEASES="$work/leases"
  sql main lease_gateway -c "UPDATE leases SET expires_at = now() + interval '1 hour'
    WHERE memory_id BETWEEN '018f0000-0000-7000-a000-000000000000'
      AND '018f0000-0000-7000-a000-ffffffffffff'"
}
refusals() { load main "$wide" "$each" CALL=hot; }
drain() {
  local pool=p$RANDOM
  fill "$pool-1" $((each * 40000))
  TOKEN=$(token main) POOL=$pool SALT=$RANDOM BATCH=100 wrk -t1 -c16 -d"$each"s --timeout 5s \
    -s $here/pools.lua "$(api main)" | sed -n 's/^RESULT \(.*\)/\1 0/p'
}
fill() { # pool, identifiers
  curl -sSf -o "$work/answer" -X PUT -H "Authorization: Bearer $(token main)" \
    -H 'Content-Type: application/json' -d '{"default_ttl_seconds":300}' "$(api main)/v1/pools/$1"
  seq 1 "$2" | sed "s/.*/\"$1:&\"/" > "$work/identifiers"
  curl -sSf -o "$work/answer" -X POST -H "Authorization: Bearer $(token main)" \
    -H 'Content-Type: application/x-ndjson' -T "$work/identifiers" \
    "$(api main)/v1/pools/$1/identifiers"
}
transactions() { # clients, what one is worth, database, file [options]
  rm -f "$work"/latency.*
  PGPASSWORD=$(cat "$work/main/database-password") pgbench -n -M prepared -h 127.0.0.1 \
    -p "$(sed -n 4p "$work/main/data/postmaster.pid")" -U postgres -c "$1" -j 2 -T "$each" -l \
    --log-prefix="$work/latency" -f "$4" "${@:5}" "$3" > "$work/pgbench" 2>&1 \
    || { cat "$work/pgbench" >&2; exit 1; }
  cut -d' ' -f3 "$work"/latency.* | sort -n | awk -v worth="$2" \
    -v tps="$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$work/pgbench")" '{v[NR] = $1} END {
      printf "%.0f %.2f %.2f 0 0\n", tps * worth, v[int((NR + 1) / 2)] / 1e3,
        v[int(NR * 0.99 + 0.5)] / 1e3}'
}
textbook() { transactions "$1" 1 seed $here/seed_claim.sql; }
statements() { # claims a call; planned as the gateway has it planned
  PGOPTIONS='-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off' \
    transactions 2 "$1" lease_gateway "$work/claim_statement.sql" -D batch="$1" -D n=0 \
    -D tenant="$(cat "$work/tenant")"
}
etcd_claims() { # no second of the run comes twice
  wrk -t1 -c"$wide" -d"$each"s --timeout 5s -s $here/etcd.lua http://127.0.0.1:23790 -- \
    "$SECONDS" | sed -n 's/^RESULT //p'
}
redis_claims() { # by number, not by time: as many as a short run promises
  local guess refused
  guess=$(redis_run 5000 | cut -d' ' -f1)
  refused=$(redis-cli -p 23791 get refused)
  read -r rate p50 p99 < <(redis_run $((guess * each)))
  echo "$rate $p50 $p99 $(($(redis-cli -p 23791 get refused) - refused)) 0"
}
redis_run() { # requests; of two billion keys each, that of the name and that of the memory
  redis-benchmark -p 23791 -c "$wide" -n "$1" -r 2000000000 --precision 2 --csv \
    evalsha "$(cat "$work/script")" 2 name:__rand_int__ memory:__rand_int__ worker 30000 \
    2>> "$work/redis.log" | tail -1 | awk -F'","|"' '{printf "%.0f %.2f %.2f\n", $3, $6, $8}'
}
hellos() {
  CALL=hello wrk -t1 -c"$wide" -d"$each"s --timeout 5s -s $here/claims.lua \
    http://127.0.0.1:23792 -- "$RANDOM" | sed -n 's/^RESULT //p'
}

# Every part's servers and rows.
populate() { # name, live leases
  local tenant principal
  curl -sSf -o "$work/answer" -H "Authorization: Bearer $(token "$1")" \
    -H 'Content-Type: application/json' -d '{}' "$(api "$1")/v1/memories"
  load "$1" 1 1 CALL=claim > "$work/answer" # 404s; but the principal is in the audit trail then
  tenant=$(sql "$1" lease_gateway -c 'SELECT tenant_id FROM memory_instances LIMIT 1')
  principal=$(sql "$1" lease_gateway -c 'SELECT actor FROM audit_events LIMIT 1')
  echo "$tenant" > "$work/tenant"
  sql "$1" lease_gateway -c 'SET client_min_messages = warning' \
    -c 'TRUNCATE memory_instances CASCADE'
  sql "$1" lease_gateway -v tenant="$tenant" -f $here/memories.sql
  sql "$1" lease_gateway -v tenant="$tenant" -v principal="$principal" -v count="$2" \
    -f $here/held.sql
}
start_gateway main
gateway_pid=${started[0]}
populate main 10000
sql main lease_gateway -F ' ' -c 'SELECT canonical_name, memory_id, last_token FROM leases
  WHERE expires_at > now()' > "$work/leases"
claim_leases=$(grep -o -m1 'claim_leases_v[0-9]*' src/main/resources/sql/claim_leases.sql)
sed "s/CLAIM_LEASES(/$claim_leases(/" $here/claim_statement.sql > "$work/claim_statement.sql"
if has e; then
  sql main postgres -c 'CREATE DATABASE seed'
  sql main seed -f $here/seed_schema.sql -c 'VACUUM ANALYZE'
fi
if has f; then
  etcd --data-dir "$work/etcd" --log-level error --listen-client-urls http://127.0.0.1:23790 \
    --advertise-client-urls http://127.0.0.1:23790 --listen-peer-urls http://127.0.0.1:23793 \
    --initial-advertise-peer-urls http://127.0.0.1:23793 \
    --initial-cluster default=http://127.0.0.1:23793 > "$work/etcd.log" 2>&1 &
  started+=($!)
  awaited $! "$work/etcd.log" curl -sf http://127.0.0.1:23790/health
fi
if has g; then
  mkdir "$work/redis"
  redis-server --port 23791 --bind 127.0.0.1 --dir "$work/redis" --appendonly yes \
    --appendfsync always --save '' > "$work/redis.log" 2>&1 &
  started+=($!)
  awaited $! "$work/redis.log" redis-cli -p 23791 ping
  redis-cli -p 23791 set refused 0 > "$work/answer"
  redis-cli -p 23791 script load "$(cat $here/redis_claim.lua)" > "$work/script"
fi
if has h; then
  java -Xmx256m -XX:+UseParallelGC -cp "$jar" $here/Hello.java 23792 "$(nproc)" \
    > "$work/hello.log" 2>&1 &
  started+=($!)
  awaited $! "$work/hello.log" curl -sf http://127.0.0.1:23792/
fi

# Turns: part, what, connections, items a request, call.
turns=()
if has a; then
  for c in ${CONNECTIONS:-1 16 64 256 1024}; do turns+=("a|gateway: claim|$c|1|claims $c"); done
fi
if has b; then
  turns+=("b|gateway: batch claim|16|100|batches 100 16")
  turns+=("b|gateway: batch claim|4|1000|batches 1000 4") # More would be more than may wait.
fi
if has c; then turns+=("c|gateway: renew|$wide|1|renewals"); fi
if has d; then turns+=("d|gateway: pool claim + consume|16|100|drain"); fi
if has e; then
  turns+=("e|textbook transaction|2|1|textbook 2" "e|textbook transaction|16|1|textbook 16")
fi
if has f; then turns+=("f|etcd: two-key transaction|$wide|1|etcd_claims"); fi
if has g; then turns+=("g|Redis: two-key script|$wide|1|redis_claims"); fi
if has h; then turns+=("h|Vert.x hello|$wide|1|hellos"); fi
if has i; then
  for b in 1 16 128; do turns+=("i|claim statement alone|2|$b|statements $b"); done
fi
if has j; then turns+=("j|gateway: claim of a held name|$wide|1|refusals"); fi

mkdir -p "$out"
echo 'round,part,what,connections,batch,per_second,p50_ms,p99_ms,others,errors' > "$out/turns.csv"
turn() { # round, turn
  local part what connections batch call line
  IFS='|' read -r part what connections batch call <<< "$2"
  line=$($call | tr ' ' ,)
  [ -n "$line" ] || { echo "No figure for: $what" >&2; exit 1; }
  echo "$1,$part,$what,$connections,$batch,$line" | tee -a "$out/turns.csv"
}
all() { # round, turns; who goes second has the warmer machine and the fuller disk: by turns, too
  local i n=$(($# - 1))
  for i in $(seq "$n"); do
    if (($1 % 2)); then turn "$1" "${@:i+1:1}"; else turn "$1" "${@:n-i+2:1}"; fi
  done
}
# What is measured has been compiled: each of the gateway's calls runs before the first turn.
load main "$wide" "${WARM_SECONDS:-30}" CALL=claim > "$work/answer"
if has b; then batches 100 16 > "$work/answer"; batches 1000 4 > "$work/answer"; fi
if has c; then renewals > "$work/answer"; fi
if has d; then drain > "$work/answer"; fi
if has h; then hellos > "$work/answer"; fi
if has j; then refusals > "$work/answer"; fi
for round in $(seq "$rounds"); do all "$round" "${turns[@]}"; done
if has k; then
  start_gateway million
  populate million 1000000
  load million "$wide" "${WARM_SECONDS:-30}" CALL=claim > "$work/answer"
  for round in $(seq "$rounds"); do
    all "$round" "k|gateway: 10 000 live leases|$wide|1|claims $wide main" \
      "k|gateway: 1 000 000 live leases|$wide|1|claims $wide million"
  done
fi
awk -f $here/medians.awk -v csv="$out/medians.csv" "$out/turns.csv"
awk -f $here/chart.awk "$out/medians.csv" > "$out/chart.svg"
awk '/VmHWM/ {printf "the gateway was resident with %d MB at most\n", $2 / 1000}' \
  "/proc/$gateway_pid/status"

if has l; then
  # From here on every claim finds its name and its memory as an earlier claim left them.
  while [ "$(sql main lease_gateway -c "SELECT count(*) FROM leases
      WHERE canonical_name LIKE 'agent%'")" -lt 200000 ]; do batches 100 16 > "$work/answer"; done
  echo 'slice,table,table_mb,index_mb,updates,hot_updates,dead_rows,claims_per_second' \
    > "$out/flat.csv"
  for slice in $(seq 0 10); do
    rate=
    [ "$slice" = 0 ] || read -r rate _ < <(load main "$wide" $((${FLAT_SECONDS:-60} / 10)) CALL=claim)
    sql main lease_gateway -F, -f $here/flat.sql | sed "s/^/$slice,/; s/\$/,$rate/" >> "$out/flat.csv"
  done
  awk -F, -f $here/flat.awk "$out/flat.csv"
fi
