#!/usr/bin/env bash
# include_cost.sh COMPILER INCLUDE_FOLDER HEADER MOST_LINES REPORT: what including HEADER costs, in preprocessed lines and seconds.
# Writes it to REPORT and fails where the lines pass the ceiling; seconds depend on the machine and are only recorded.
set -euo pipefail
compiler=$1 include_folder=$2 header=$3 most_lines=$4 report=$5

unit=$(mktemp --suffix=.cpp)
trap 'rm -f "$unit"' EXIT
printf '#include <%s>\n' "$header" >"$unit"

TIMEFORMAT='%U %S'  # of the processor: who else computes does not count
lines=$("$compiler" -std=c++20 -I "$include_folder" -E -P "$unit" | wc -l)
seconds=$({ time "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only "$unit"; } 2>&1 | awk '{ printf "%.2f", $1 + $2 }')
printf '%s: %s preprocessed lines, %s s to parse, %s\n' "$header" "$lines" "$seconds" "${compiler##*/}" | tee "$report"

if [[ $lines -gt $most_lines ]]; then
  printf 'more than %s lines: include less in the header, or say in its room why it must be more\n' "$most_lines"
  exit 1
fi
