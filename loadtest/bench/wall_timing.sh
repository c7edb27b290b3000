#!/usr/bin/env bash
# Whether the time of an answer tells another tenant's memory from one that is not there.
#
#   mvn -q -DskipTests package && loadtest/bench/wall_timing.sh
#
# ROUNDS (20000) may be set. Stops what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
. loadtest/gateway.sh
start_gateway main
register() { GATEWAY_DATABASE_EMBEDDED_DATA_DIR=$work/main java -jar "$jar" "$@" 2>> "$work/log"; }
tenant=$(register tenant create other)
other=$(register token create --tenant "$tenant" --principal other --scopes memories)
java loadtest/bench/WallTiming.java "$(api main)" "$(token main)" "$other" "${ROUNDS:-20000}"
