#!/usr/bin/env bash
# include_cost.sh COMPILER INCLUDE_FOLDER HEADER MOST_TOKENS REPORT: what including HEADER costs, in
# preprocessed tokens and in seconds. Writes both to REPORT. Fails if there are more tokens than the
# ceiling allows. Seconds depend on the machine and are only recorded.
set -euo pipefail
compiler=$1 include_folder=$2 header=$3 most_tokens=$4 report=$5

unit=$(mktemp --suffix=.cpp)
trap 'rm -f "$unit"' EXIT
printf '#include <%s>\n' "$header" >"$unit"

TIMEFORMAT='%U %S'  # processor time, so that other load does not count
tokens=$("$compiler" -std=c++20 -I "$include_folder" -E -P "$unit" | LC_ALL=C grep -oE '[[:alnum:]_]+|[^[:space:]]' | wc -l)
seconds=$({ time "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only "$unit"; } 2>&1 | awk '{ printf "%.2f", $1 + $2 }')
printf '%s: %s preprocessed tokens, %s s to parse, %s\n' "$header" "$tokens" "$seconds" "${compiler##*/}" | tee "$report"

if [[ $tokens -gt $most_tokens ]]; then
  printf 'more than %s tokens: include less in the header, or say in its room why it must be more\n' "$most_tokens"
  exit 1
fi
