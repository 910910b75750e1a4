#!/usr/bin/env bash
# early_return_test.sh COMPILER INCLUDE_FOLDER SOURCE: a call that returns before it forks saves no register and has no frame. x86-64.
set -euo pipefail
compiler=$1 include_folder=$2 source=$3

instructions() {
  LC_ALL=C "$compiler" -std=c++20 -O2 -DNDEBUG -I "$include_folder" -S -o - "$source" |
    awk '/^early_return:/ { inside = 1; next } /^[[:space:]]+\.cfi_endproc/ { inside = 0 } inside && /^[[:space:]]+[a-z]/'
}
all=$(instructions)
begin=$(sed -E '/push|sub.*rsp/q' <<<"$all")
grep -qE 'push|sub.*rsp' <<<"$begin" || { printf 'no frame at all in\n%s\n' "$all"; exit 1; }
# gcc goes on with the fork and returns early at the end, clang the other way round; either looks at n before it saves anything.
if ! grep -qE '^[[:space:]]+j' <<<"$begin"; then
  printf '%s sets up the frame before it looks whether there is anything to fork:\n%s\n' "${compiler##*/}" "$begin"
  exit 1
fi
printf '%s: %s instructions before the frame\n' "${compiler##*/}" "$(($(wc -l <<<"$begin") - 1))"
