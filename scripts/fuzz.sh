#!/usr/bin/env bash
# fuzz.sh PROGRAM CORPUS: lets libFuzzer run PROGRAM for FILCH_FUZZ_SECONDS (10), beginning with the
# texts in the file CORPUS, a line `name escaped-text` each. A text that breaks something is added to
# CORPUS, where every compiler's tests find it from then on. FILCH_FUZZ_KEEP=1 also adds those that
# reach code which no text of the corpus reaches.
set -euo pipefail
program=$1 corpus=$2 seconds=${FILCH_FUZZ_SECONDS:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/found" "$work/kept"
while IFS= read -r line; do printf '%b' "${line#* }" >"$work/kept/${line%% *}"; done <"$corpus"
texts=$(find "$work/kept" -type f | wc -l)

# add FILE: its bytes become a line of the corpus.
add() {
  printf '%s %s\n' "${1##*/}" "$(od -An -v -tx1 "$1" | tr -d '\n' | sed 's/ /\\x/g')" >>"$corpus"
}

if ! "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 -artifact_prefix="$work/" \
  "$work/found" "$work/kept" >"$work/log" 2>&1; then
  cat "$work/log"
  for broken in "$work"/{crash,oom,timeout,leak}-*; do
    if [[ -f $broken ]]; then
      add "$broken"
      echo "kept in $corpus as ${broken##*/}"
    fi
  done
  exit 1
fi
if [[ ${FILCH_FUZZ_KEEP:-} == 1 ]]; then
  mkdir "$work/merged"
  "$program" -merge=1 "$work/merged" "$work/kept" "$work/found" >>"$work/log" 2>&1
  for new in "$work/merged"/*; do [[ -f $work/kept/${new##*/} ]] || add "$new"; done
fi

executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
[[ ${executions:-0} -gt 0 ]] || { cat "$work/log"; echo 'fuzz: nothing was executed'; exit 1; }
name=${corpus##*/}
printf 'evidence: {"kind": "fuzz", "name": "%s", "executions": %d, "seconds": %d, "corpus": %d, "reached": %d}\n' \
  "${name%.txt}" "$executions" "$seconds" "$texts" "$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$work/log" | tail -1)"
