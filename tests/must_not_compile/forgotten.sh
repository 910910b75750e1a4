#!/usr/bin/env bash
# forgotten.sh COMPILER INCLUDE_FOLDER CASE: each line of CASE with FORGOTTEN is refused with -Werror=unused-result, by clang each with DROPPED, too, and
# all are accepted with -DACCEPTED.
set -euo pipefail
compiler=$1 include_folder=$2 case=$3

options=() lines=FORGOTTEN
if [[ $("$compiler" --version) == *clang* ]]; then options=(-ferror-limit=0) lines='FORGOTTEN|DROPPED'; fi
compile() { LC_ALL=C "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only -Werror=unused-result "${options[@]}" "$@" 2>&1; }

if ! output=$(compile -DACCEPTED "$case"); then
  printf '%s is refused even with -DACCEPTED:\n%s\n' "$case" "$output"
  exit 1
fi
refused=$({ compile "$case" || true; } | sed -nE 's,^[^:]*:([0-9]+):[0-9]+: error: ignoring return.*,\1,p' | sort -u)
forgotten=$(grep -nE "^  ($lines)\(" "$case" | cut -d: -f1 | sort -u)
silent=$(comm -13 <(printf '%s\n' "$refused") <(printf '%s\n' "$forgotten"))
for line in $silent; do printf '%s:%s compiles without a word: %s\n' "$case" "$line" "$(sed -n "${line}p" "$case")"; done
[[ -n $forgotten && -z $silent ]]
