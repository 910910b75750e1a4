#!/usr/bin/env bash
# refused_calls.sh COMPILER INCLUDE_FOLDER CASE: see filch_must_not_compile_calls in CMakeLists.txt.
set -euo pipefail
compiler=$1 include_folder=$2 case=$3
most_lines=60  # of two messages

# The headers are the same for all rows, so they are parsed once.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
headers=$folder/algo.hpp
printf '#include <filch/algo.hpp>\n' >"$headers"
compile() { LC_ALL=C "$compiler" -std=c++20 -I "$include_folder" -w "$@" 2>&1; }
if "$compiler" --version | grep -q clang; then
  compile -x c++-header "$headers" -o "$headers.pch"
  use_headers=(-include-pch "$headers.pch")
else
  compile -x c++-header "$headers" -o "$headers.gch"
  use_headers=(-include "$headers")
fi
compile_row() { compile "${use_headers[@]}" -fsyntax-only "-DROW=$1" "${@:2}" "$case"; }

if ! output=$(compile_row 0); then
  printf 'not every row is accepted:\n%s\n' "$output"
  exit 1
fi
rows=0 failures=0
while IFS=: read -r row text; do
  rows=$((rows + 1))
  if output=$(compile_row "$row" -DREFUSED); then
    problem='compiles'
  elif [[ $(grep 'error: ' <<<"$output") != *'random access'*$'\n'*'sized range'* ]]; then
    problem='is not refused for want of random access first, and then of a size'
  elif [[ $(grep -c 'error: ' <<<"$output") -ne 2 || $(wc -l <<<"$output") -gt $most_lines ]]; then
    problem="is refused in more than two errors, or $most_lines lines"
  else
    continue
  fi
  failures=$((failures + 1))
  printf 'row %s %s:%s\n%s\n' "$row" "$problem" "$text" "$(head -80 <<<"$output")"
done < <(grep -n '^  CALL(' "$case")
printf '%s rows, %s failures\n' "$rows" "$failures"
[[ $rows -ge 50 && $failures -eq 0 ]]
