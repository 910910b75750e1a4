#!/bin/bash
# every_algorithm_test.sh ROOT: each public algorithm has a row in one of the tests of what an exception leaves.
set -euo pipefail
cd "$1/filch/algo"

# Objects that are called, then functions that take options; and what is no function, but calls what it is given.
names=$({
  cat ./*.hpp ranges/*.hpp | tr '\n' ' ' | grep -oE 'inline constexpr algo::(explained|comparing|projecting)<[^;]*;' |
    sed -E 's/(\{\})?;$//; s/.* //'
  sed -nE 's/^[^ /].*[ >]([a-z_]+)\(const algo::settings& .*/\1/p' ./*.hpp ranges/*.hpp
  echo reducer
} | sort -u)
[[ $(wc -l <<<"$names") -ge 55 ]] || { printf 'too few algorithms were found:\n%s\n' "$names"; exit 1; }

missing=()
for name in $names; do
  grep -qE "(^|[{( ])\"$name\"," kept_elements_test.cpp copied_elements_test.cpp || missing+=("$name")
done
[[ ${#missing[@]} == 0 ]] || {
  printf 'no row in kept_elements_test.cpp (what orders or writes a range) or copied_elements_test.cpp (the others): %s\n' "${missing[*]}"
  exit 1
}
