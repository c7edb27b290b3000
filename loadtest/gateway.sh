# Sourced by the scripts beside and below: gateways on embedded databases of their own, and the
# end of all that was started. Wants target/lease-gateway.jar (of the work tree, or JAR).
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jar=${JAR:-$root/target/lease-gateway.jar}
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" lease-gateway.XXXXXX)
started=()
stop_all() {
  for p in "${started[@]}"; do kill "$p" 2> /dev/null || true; done
  wait
  rm -rf "$work"
}
trap stop_all EXIT
[ -f "$jar" ] || { echo "There is no $jar: mvn -q -DskipTests package" >&2; exit 2; }

nap() { read -rt "$1" <> <(:) || true; }
awaited() { # pid, log, command: until the command succeeds, a minute at most
  for _ in $(seq 240); do
    "${@:3}" > "$work/awaited" 2>&1 && return
    kill -0 "$1" || break
    nap 0.25
  done
  cat "$2" >&2
  exit 1
}
start_gateway() { # name: on free ports, its state in $work/name
  GATEWAY_DATABASE_EMBEDDED_DATA_DIR=$work/$1 GATEWAY_HTTP_PORT=0 GATEWAY_MANAGEMENT_PORT=0 \
    java -Xmx256m -XX:MaxDirectMemorySize=128m -XX:+UseParallelGC ${JAVA_OPTIONS:-} -jar "$jar" serve \
    > "$work/$1.log" 2>&1 &
  started+=($!)
  echo $! > "$work/$1.pid"
  awaited $! "$work/$1.log" grep -q '^  API  ' "$work/$1.log"
}
api() { sed -n 's/^  API *//p' "$work/$1.log"; }
token() { cat "$work/$1/dev-token"; }
sql() { # name database [psql options]
  PGPASSWORD=$(cat "$work/$1/database-password") psql -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 \
    -p "$(sed -n 4p "$work/$1/data/postmaster.pid")" -U postgres -d "$2" "${@:3}"
}
