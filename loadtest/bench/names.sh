#!/usr/bin/env bash
# What a name costs, by kind, and the dearest name that a search finds: microseconds of CPU time, the
# median of the rounds.
#
#   mvn -q -DskipTests package && loadtest/bench/names.sh
#
# ROUNDS (9), MS_EACH (100), SEARCH_SECONDS (30) and SEED (1) may be set.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec java -Xmx256m ${JAVA_OPTIONS:-} -cp target/lease-gateway.jar loadtest/bench/NamesCost.java \
  "${ROUNDS:-9}" "${MS_EACH:-100}" "${SEARCH_SECONDS:-30}" "${SEED:-1}"
