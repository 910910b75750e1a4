#!/usr/bin/env bash
# tree_test.sh CMAKE BUILD_FOLDER PREFIX: installs this build below PREFIX, looks at what came, and starts the program there.
set -euo pipefail
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

wrong() { printf '%s\n' "$*"; exit 1; }

for file in bin/filch include/filch/filch.hpp include/filch/filch.cppm include/filch/testing.hpp share/doc/filch/LICENSE share/doc/filch/README.md \
  share/doc/filch/examples/first_steps.cpp; do
  [[ -s $prefix/$file ]] || wrong "$file is not in the installed tree"
done
stray=$(find "$prefix/include" "$prefix/lib" -name '*_test.*' -o -name 'model' -o -name '*_model*' -o -name '*_stress*' -o -name '*.cpp' -o -name 'CMakeLists.txt')
[[ -z $stray ]] || wrong "installed, but no business of a user: $stray"
if grep -rlF "$build" "$prefix/lib" --include='*.cmake' --include='*.pc'; then wrong "these name the build folder"; fi
while read -r document; do
  while read -r link; do
    target=${link:2:-1}
    [[ -e $(dirname "$document")/${target%%#*} ]] || wrong "$document links to $target, which is not installed"
  done < <(sed -z 's/<!--[^>]*-->//g' "$document" | grep -oE '\]\([A-Za-z0-9_./-]*[./][A-Za-z0-9_./-]*(#[^)]*)?\)')
done < <(find "$prefix/share/doc/filch" -name '*.md')

man=$prefix/share/man/man1/filch.1
"$prefix/bin/filch" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p' | sort >"$prefix/commands"
[[ -s $prefix/commands ]] || wrong "the help lists no commands"
sed -n '/^\.SH COMMANDS/,/^\.SH ENV/s/^\.B \([a-z]\+\)$/\1/p' "$man" | sort | diff "$prefix/commands" - ||
  wrong "the man page has other commands (>) than the program (<)"

"$prefix/bin/filch" --help | grep -q compare || wrong "the installed program does not say how it is used"
