#!/usr/bin/env bash
# refused.sh COMPILER INCLUDE_FOLDER CASE: see filch_must_not_compile in CMakeLists.txt.
set -euo pipefail
compiler=$1 include_folder=$2 case=$3

expected=$(sed -n '1s,^// expected: ,,p' "$case")
[[ -n $expected ]] || { printf '%s: the first line must be "// expected: REGEX"\n' "$case"; exit 1; }

compile() { LC_ALL=C "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only "$@" "$case" 2>&1; }

if ! output=$(compile -DACCEPTED); then
  printf '%s is refused even with -DACCEPTED, so not for the reason it shows:\n%s\n' "$case" "$output"
  exit 1
fi
if output=$(compile); then
  printf '%s compiles, and must not\n' "$case"
  exit 1
fi
if ! grep -qE "error: .*$expected" <<<"$output"; then
  printf '%s is refused, but not with an error that matches "%s":\n%s\n' "$case" "$expected" "$output"
  exit 1
fi
