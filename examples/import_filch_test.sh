#!/usr/bin/env bash
# import_filch_test.sh ROOT BUILD WORK COMPILER: the commands of the page on modules build the module and
# the example in WORK, with the library in BUILD as if it were installed. Exit code 77: there is no
# COMPILER, or it compiles no module at all.
set -euo pipefail
root=$1 build=$2 work=$3 compiler=$4

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
wrong() { printf '%s\n' "$*"; exit 1; }

command -v "$compiler" >/dev/null || skip "$compiler is not installed"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
printf 'module;\n#include <coroutine>\n#include <vector>\nexport module probe;\nexport using std::vector;\n' >probe.cppm
"$compiler" -std=c++20 --precompile probe.cppm -o probe.pcm || skip "$compiler compiles no module"

sed "s|^libdir=.*|libdir=$build|; s|^includedir=.*|includedir=$root|" "$build/filch.pc" >filch.pc
export PKG_CONFIG_PATH=$work
commands=$(awk '/^```/ { shown = $0 == "```sh"; next } shown' "$root/docs/guide/how/modules.md")
[[ $commands == *"import_filch.cpp"* ]] || wrong 'the page has no commands for the example'
cp "$root/examples/import_filch.cpp" .
grep -q filch/ import_filch.cpp && wrong 'the example includes a header of filch'
eval "${commands//clang++-19/\"$compiler\"}"

said=$(LD_LIBRARY_PATH=$build ./import_filch)
[[ $said == '0 999999 499999500000' ]] || wrong "the program prints $said"
