#!/usr/bin/env bash
# echo_server_test.sh PROGRAM: it finds itself in order, sends back what comes also after more have come than the system allows it, and ends by SIGTERM.
set -euo pipefail
program=$1
"$program" self

work=$(mktemp -d)
(ulimit -n 32; exec "$program" >"$work/said" 2>"$work/complaints") &
server=$!
trap 'kill -9 "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
# until_true COMMAND...: waits for what happens soon, and at most 20 s.
until_true() {
  for _ in {1..400}; do
    if "$@"; then return; fi
    sleep 0.05
  done
}
has_said() { [[ -s $work/said ]]; }
has_complained() { [[ -s $work/complaints ]]; }
until_true has_said
port=$(sed -n 's/^port //p' "$work/said")
echo_of() { timeout 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; echo $1 >&3; head -1 <&3" || echo nothing; }
is() { [[ $2 == "$3" ]] || { printf '%s: wanted %s, got %s\n' "$1" "$3" "$2"; return 1; }; }

is 'the first' "$(echo_of hello)" hello
connections=()
for _ in {1..50}; do
  exec {connection}<>"/dev/tcp/127.0.0.1/$port"
  connections+=("$connection")
done
until_true has_complained
is 'what it says of the others' "$(sed -n 's/^\(accept\): .*/\1/p' "$work/complaints" | sort -u)" accept
for connection in "${connections[@]}"; do exec {connection}>&-; done
is 'a client that comes when there is room again' "$(echo_of again)" again
kill -TERM "$server"
ended=well
wait "$server" || ended="exit code $?"
is 'the end' "$ended" well
