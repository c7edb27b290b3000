#!/usr/bin/env bash
# Refusals by the rate limit a second, against a Vert.x server that says hello, in one run: both get
# the same claims, taking turns. The gateway has no database at all, so none can be asked. Prints a line
# per turn, then the medians. "others" were answered otherwise than by a refusal: one a second is let
# in. CPU is what a request costs the server in microseconds.
#
#   mvn -q -DskipTests package && loadtest/bench/refusals.sh
#
# Needs wrk. ROUNDS (5), SECONDS_EACH (5), WARM_SECONDS (15), CONNECTIONS (64) and EVENT_LOOPS (1) may
# be set. Stops what it started.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-5} connections=${CONNECTIONS:-64} loops=${EVENT_LOOPS:-1}
here=loadtest/bench jar=target/lease-gateway.jar work=$(mktemp -d) servers=()
trap 'for s in "${servers[@]}"; do kill "$s" 2>/dev/null; done; wait 2>/dev/null; rm -rf "$work"' EXIT
export TOKEN=refused-$RANDOM$RANDOM

sha=$(printf %s "$TOKEN" | sha256sum | cut -c1-64)
HOME=$work GATEWAY_HTTP_PORT=18280 GATEWAY_MANAGEMENT_PORT=18281 GATEWAY_HTTP_EVENT_LOOPS=$loops \
  GATEWAY_DATABASE_URI=postgresql://nobody@127.0.0.1:1/none \
  GATEWAY_RATE_LIMIT_REQUESTS_PER_SECOND=1 GATEWAY_RATE_LIMIT_TENANT_REQUESTS_PER_SECOND=1 \
  GATEWAY_AUTH_TOKENS="[{sha256 = \"$sha\", tenant_id = \"0198c0de-0000-7000-8000-000000000001\",
    principal = crawler, scopes = [leases]}]" \
  java -Xmx256m -XX:+UseParallelGC ${JAVA_OPTIONS:-} -jar $jar serve > "$work/gateway.log" 2>&1 &
servers+=($!)
java -Xmx256m -XX:+UseParallelGC ${JAVA_OPTIONS:-} -cp $jar $here/Hello.java 18290 "$loops" > "$work/hello.log" 2>&1 &
servers+=($!)
for port in 18280 18290; do
  for _ in $(seq 120); do
    curl -s -o "$work/first" "http://127.0.0.1:$port/version" && break
    read -rt 0.25 <> <(:) || true
  done
done

ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; } # of a hundredth second
refusals() { # so far, as the gateway itself counts them
  curl -s http://127.0.0.1:18281/metrics | awk '/^requests_limited_total/ {n += $2} END {printf "%d", n}'
}
turn() { # port server seconds
  local ticks0 refusals0
  ticks0=$(ticks "$2") refusals0=$(refusals)
  wrk -t1 -c"$connections" -d"$3"s --timeout 5s -s $here/refusals.lua "http://127.0.0.1:$1" \
    | sed -n 's/^RESULT //p' | while read -r requests errors; do
      awk -v n="$requests" -v e="$errors" -v t="$(($(ticks "$2") - ticks0))" -v s="$3" \
        -v refused="$(($(refusals) - refusals0))" \
        'BEGIN {printf "%d %d %d %.1f\n", n / s, (n > refused ? n - refused : 0), e, t * 1e4 / n}'
    done
}
median() { sort -n | awk '{v[NR]=$1} END {print NR % 2 ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }

turn 18280 "${servers[0]}" "${WARM_SECONDS:-15}" > "$work/warm"
turn 18290 "${servers[1]}" "${WARM_SECONDS:-15}" > "$work/warm"
echo "round  refused/s  hello/s  ratio  others  errors  CPU us refused  hello"
for round in $(seq "$rounds"); do
  read -r refused others errors cpu < <(turn 18280 "${servers[0]}" "$each")
  read -r hello _ errors2 cpu2 < <(turn 18290 "${servers[1]}" "$each")
  ratio=$(awk "BEGIN {printf \"%.3f\", $refused / $hello}")
  printf '%5s  %9s  %7s  %5s  %6s  %6s  %14s  %5s\n' "$round" "$refused" "$hello" "$ratio" "$others" \
    $((errors + errors2)) "$cpu" "$cpu2"
  echo "$ratio" >> "$work/ratios"; echo "$refused" >> "$work/a"; echo "$hello" >> "$work/b"
  echo "$cpu" >> "$work/c"; echo "$cpu2" >> "$work/d"
done
echo "median: $(median < "$work/a") refused/s, $(median < "$work/b") hello/s, ratio" \
  "$(median < "$work/ratios"), CPU $(median < "$work/c") us a refusal and $(median < "$work/d") us a hello"
