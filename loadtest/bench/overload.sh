#!/usr/bin/env bash
# Five times as many claims as the gateway can serve, for a minute, while owners renew their leases.
# Prints what it can do, what half of that is answered like (the baseline), what became of the claims
# of the overload and of the renewals meanwhile, how many leases were lost, and how long half of what
# it can do is answered worse than before.
#
#   mvn -q -DskipTests package && loadtest/bench/overload.sh
#
# FACTOR (5), SECONDS_OF_IT (60), CONNECTIONS (9000) and LEASES (200) may be set. The generator and
# PostgreSQL are on the same cores. Stops what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
. loadtest/gateway.sh
ulimit -n $((${CONNECTIONS:-9000} + 1000))
start_gateway main
api=$(api main)
java -Xmx1g -cp "$jar" loadtest/bench/Overload.java "${api##*:}" "$(token main)" \
  "${SECONDS_OF_IT:-60}" "${FACTOR:-5}" "${CONNECTIONS:-9000}" "${LEASES:-200}"
