#!/usr/bin/env bash
# one_error.sh MESSAGE COMPILER FLAG... -- HEADER...: each header, compiled alone, is refused with MESSAGE and nothing else, but that compilation stops there.
set -euo pipefail
message=$1
shift
compile=()
while [[ $1 != -- ]]; do
  compile+=("$1")
  shift
done
shift

for header in "$@"; do
  if output=$(LC_ALL=C "${compile[@]}" -x c++ -fsyntax-only - 2>&1 <<<"#include <$header>"); then
    printf '%s compiles, and must not\n' "$header"
    exit 1
  fi
  errors=$(grep -E '(error|warning):' <<<"$output")
  if [[ $(wc -l <<<"$errors") -ne 2 || $errors != *"$message"*"compilation stops here"* ]]; then
    printf '%s is refused, but not with "%s" alone:\n%s\n' "$header" "$message" "${output:0:4000}"
    exit 1
  fi
done
