#!/usr/bin/env bash
# under_valgrind.sh fair|unfair always|long VALGRIND COMMAND...: runs it under the thread scheduler named; with `long` only if FILCH_LONG is set.
set -euo pipefail
declare -A handed_over_in_turn=([fair]=yes [unfair]=no)
scheduler=$1 when=$2 valgrind=$3
shift 3
if [[ $when == long && -z ${FILCH_LONG:-} ]]; then
  echo '[  SKIPPED ] FILCH_LONG=1 runs it under both schedulers'
  exit
fi
exec "$valgrind" --tool=none -q --fair-sched="${handed_over_in_turn[$scheduler]}" "$@"
