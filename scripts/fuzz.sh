#!/usr/bin/env bash
# fuzz.sh PROGRAM CORPUS: lets libFuzzer run PROGRAM for FILCH_FUZZ_SECONDS (10), beginning with the texts in CORPUS.
# A text that breaks something is kept in CORPUS, where every compiler's tests find it from then on. FILCH_FUZZ_KEEP=1 keeps
# those too that reach code which no text of the corpus reaches.
set -euo pipefail
program=$1 corpus=$2 seconds=${FILCH_FUZZ_SECONDS:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/found"

if ! "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 -artifact_prefix="$work/" \
  "$work/found" "$corpus" >"$work/log" 2>&1; then
  cat "$work/log"
  for broken in "$work"/{crash,oom,timeout,leak}-*; do
    if [[ -f $broken ]]; then
      cp "$broken" "$corpus/"
      echo "kept as $corpus/${broken##*/}; replay: $program $corpus/${broken##*/}"
    fi
  done
  exit 1
fi
if [[ ${FILCH_FUZZ_KEEP:-} == 1 ]]; then "$program" -merge=1 "$corpus" "$work/found" >>"$work/log" 2>&1; fi

executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
[[ ${executions:-0} -gt 0 ]] || { cat "$work/log"; echo 'fuzz: nothing was executed'; exit 1; }
printf 'evidence: {"kind": "fuzz", "name": "%s", "executions": %d, "seconds": %d, "corpus": %d, "reached": %d}\n' \
  "${corpus##*/}" "$executions" "$seconds" "$(find "$corpus" -type f | wc -l)" "$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$work/log" | tail -1)"
