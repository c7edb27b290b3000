#!/usr/bin/env bash
# Every simulation for a few seconds, against target/lease-gateway.jar with a database of its own; and
# one that expects what is not so, which has to fail.
#
#   mvn -q -DskipTests package && loadtest/smoke.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. loadtest/gateway.sh
start_gateway smoke
simulate() { # log, properties
  mvn -B -ntp -f loadtest gatling:test -DbaseUrl="$(api smoke)" \
    -DtokenFile="$work/smoke/dev-token" -Dgatling.resultsFolder="$work/results" \
    -Dgatling.noReports=true "${@:2}" > "$1" 2>&1
}

simulate "$work/right" -Dgatling.runMultipleSimulations=true -Dseconds=4 -DttlSeconds=6 \
  -Drate=200 -Dagents=100 -Drounds=3 -Ddies=5 -Didentifiers=2000 -Dworkers=20 -Dzombies=20 \
  -Dswarms=4 -Ditems=50 || { cat "$work/right"; exit 1; }
grep -E '^Seed|^Simulation .* started| : (true|false) ' "$work/right"

if simulate "$work/wrong" -Dagents=20 -Drounds=1 -Dwinners=2 \
    -Dgatling.simulationClass=com.memoryendpoints.loadtest.StampedeSimulation; then
  echo "A stampede with two winners was to fail, and did not." >&2
  exit 1
fi
grep 'law: one winner a round.* : false ' "$work/wrong" || { cat "$work/wrong"; exit 1; }
echo "==== Each simulation held; with a wrong expectation one failed ===="
