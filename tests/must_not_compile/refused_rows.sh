#!/usr/bin/env bash
# refused_rows.sh COMPILER INCLUDE_FOLDER CASE: see filch_must_not_compile_rows in CMakeLists.txt.
set -euo pipefail
compiler=$1 include_folder=$2 case=$3

expected=$(sed -n '1s,^// expected: ,,p' "$case")
[[ -n $expected ]] || { printf '%s: the first line must be "// expected: REGEX"\n' "$case"; exit 1; }
options=()
if [[ $("$compiler" --version) == *clang* ]]; then options=(-ferror-limit=0 -ftemplate-backtrace-limit=0); fi
compile() { LC_ALL=C "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only "${options[@]}" "$@" "$case" 2>&1; }

if ! output=$(compile -DACCEPTED); then
  printf '%s is refused even with -DACCEPTED:\n%s\n' "$case" "$output"
  exit 1
fi
output=$(compile || true)
rows=0 silent=0
while IFS=: read -r row text; do
  rows=$((rows + 1))
  grep -qE "$(basename "$case"):$row:[0-9]+: +(required from here|note: in instantiation)" <<<"$output" && continue
  silent=$((silent + 1))
  printf '%s:%s compiles:%s\n' "$case" "$row" "$text"
done < <(grep -nE '^  REFUSED\(' "$case")
said=$(grep -cE "error: .*$expected" <<<"$output" || true)
errors=$(grep -c 'error: ' <<<"$output" || true)
printf '%s rows, %s compile; %s errors, %s of them as expected\n' "$rows" "$silent" "$errors" "$said"
if [[ $rows -eq 0 || $silent -ne 0 || $said -ne $rows || $errors -ne $rows ]]; then
  grep -A3 'error: ' <<<"$output"
  exit 1
fi
