#!/usr/bin/env bash
# built_alike_test.sh PROGRAM INCLUDES WORK LIBRARY COMPILER [MODULE]...: compiles PROGRAM with settings that the library was not built with. It must
# work, or be refused in a sentence, which is the name of a symbol that the linker does not find. MODULE: what pkg-config knows a library by that LIBRARY needs.
set -euo pipefail
program=$1 includes=$2 work=$3 library=$4 compiler=$5
shift 5
mkdir -p "$work"
cd "$work"
failures=0

wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

# build FLAG...: says what compiler and linker say.
build() {
  LC_ALL=C "$compiler" -std=c++20 -I "$includes" "$@" "$program" "${link[@]}" -o program 2>&1
}

# A setting that this compiler cannot even link an empty program with has no library here.
is_known() { "$compiler" "$@" -x c++ - -o empty <<<'int main() {}' >/dev/null 2>&1; }

works() {
  local said
  if ! said=$(build "$@"); then wrong "with $* it does not build: ${said:0:2000}"; return; fi
  said=$(./program 2>&1) || wrong "built with $* it fails: $said"
}

refused() {
  local sentence=$1 said
  shift
  if ! is_known "$@"; then printf 'not tried, as %s has no library for it: %s\n' "$compiler" "$*"; return; fi
  if said=$(build "$@"); then wrong "with $* it links, and must not"; return; fi
  grep -q "$sentence" <<<"$said" || wrong "with $* it is not refused by \"$sentence\": ${said:0:2000}"
}

link=("$library" -pthread "-Wl,-rpath,$(dirname "$library")")
if [[ $# -gt 0 ]]; then
  read -ra needed <<<"$(pkg-config --libs "$@")"
  link+=("${needed[@]}")
fi
works -O0
works -O2 -DNDEBUG
works -O1 -UNDEBUG -D_GLIBCXX_ASSERTIONS
works -O0 -fno-rtti
if is_known -fsanitize=address,undefined; then works -O1 -fsanitize=address,undefined; fi
works -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections

debug=filch_library_must_be_built_with_GLIBCXX_DEBUG_too
refused "$debug" -O0 -D_GLIBCXX_DEBUG
refused "$debug" -O2 -D_GLIBCXX_DEBUG -ffunction-sections -fdata-sections -Wl,--gc-sections
refused "$debug" -O1 -D_GLIBCXX_DEBUG_PEDANTIC -D_GLIBCXX_DEBUG
refused filch_library_must_be_built_with_GLIBCXX_USE_CXX11_ABI_0_too -O0 -D_GLIBCXX_USE_CXX11_ABI=0
refused filch_library_must_be_built_with_FILCH_SANITIZE_thread_too -O1 -fsanitize=thread
refused filch_testing_must_be_linked_instead_of_filch -O0 -DFILCH_TESTING
refused 'filch cannot be used with -fshort-enums' -O0 -fshort-enums
exit "$((failures != 0))"
