#!/usr/bin/env bash
# search_test.sh STEP PROGRAM FOLDER: the tutorial's program of that step counts as grep does, finds
# what is there and nothing else, and refuses to run without arguments.
set -euo pipefail
export LC_ALL=C
step=$1 program=$2 folder=$3
is() { [[ $2 == "$3" ]] || { printf '%s: wanted %s, got %s\n' "$1" "$3" "$2"; return 1; }; }
exit_code() { local code=0; "$@" >/dev/null 2>&1 || code=$?; echo "$code"; }
wanted=worker
count=$(grep -rFoh -- "$wanted" "$folder" | wc -l)

is 'without arguments' "$(exit_code "$program")" 2
case $step in
  1)
    said=$("$program" "$folder" "$wanted")
    is 'files' "$(sed -n 's/ files$//p' <<<"$said")" "$(find "$folder" -type f | wc -l)"
    is 'serially' "$(sed -n 's/^serial: \([0-9]*\) .*/\1/p' <<<"$said")" "$count"
    is 'in parallel' "$(sed -n 's/^parallel: \([0-9]*\) .*/\1/p' <<<"$said")" "$count"
    ;;
  2)
    first=$(grep -rFl -- "$wanted" "$folder" | tr / '\1' | sort | tr '\1' / | head -1)
    is 'the first file' "$("$program" "$folder" "$wanted" 60000 | tail -1)" "found in $first"
    is 'a text that no file has' "$("$program" "$folder" "$wanted$$$wanted" 60000 | tail -1)" 'not found'
    is 'no time' "$("$program" "$folder" "$wanted" 0 | tail -1)" 'no match in time'
    ;;
  3)
    work=$(mktemp -d)
    "$program" "$folder" >"$work/said" &
    server=$!
    trap 'kill -9 "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
    for _ in {1..400}; do
      if [[ -s $work/said ]]; then break; fi
      sleep 0.05
    done
    port=$(sed -n 's/^port //p' "$work/said")
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%s\n\n%s\n' "$wanted" "$wanted$$$wanted" >&3
    is 'the answers' "$(timeout 20 head -3 <&3)" "$(printf '%s\na text, please\n0' "$count")"
    kill -TERM "$server"
    ended=well
    wait "$server" || ended="exit code $?"
    is 'the end' "$ended" well
    ;;
  4)
    for how in locked apart; do
      is "$how" "$("$program" "$folder" "$wanted" "$how" | sed "s/^$how: \([0-9]*\) .*/\1/")" "$count"
    done
    letters=$(grep -roha "[$wanted]" "$folder" | wc -l)
    is 'letters' "$("$program" "$folder" "$wanted" letters | sed 's/^letters: \([0-9]*\) .*/\1/')" "$letters"
    ;;
esac
