#!/usr/bin/env bash
# refused.sh COMPILER INCLUDE_FOLDER FILE CASE: see filch_must_not_compile in CMakeLists.txt.
set -euo pipefail
compiler=$1 include_folder=$2 file=$3 case=$4

expected=$(sed -n "/^#ifdef $case\$/{n;s,^// expected: ,,p}" "$file")
[[ -n $expected ]] || { printf '%s: no case %s, or its first line is not "// expected: REGEX"\n' "$file" "$case"; exit 1; }

compile() { LC_ALL=C "$compiler" -std=c++20 -I "$include_folder" -fsyntax-only "-D$case" "$@" "$file" 2>&1; }

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
