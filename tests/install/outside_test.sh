#!/usr/bin/env bash
# outside_test.sh CMAKE SOURCE WORK COMPILER static|shared|BUILD always|long: installs the library below WORK, made there or what the folder BUILD has
# of it, and builds the project in outside/ against it, once with find_package and once with pkg-config alone. The prefix is not the one that was
# configured. A shared library that is made there is so as a part of the project in inside/. With `long` only where FILCH_LONG is set.
set -euo pipefail
cmake=$1 source=$2 work=$3 compiler=$4 kind=$5 when=$6
outside=$source/tests/install/outside
prefix=$work/prefix
if [[ $when == long && -z ${FILCH_LONG:-} ]]; then
  echo '[  SKIPPED ] FILCH_LONG=1 tries it'
  exit
fi

# filch::testing, a static library whatever the other is, takes as long again: BUILD has it.
declare -A shared=([static]=OFF [shared]=ON)
testing=OFF
if [[ -d $kind || $kind == static && -n ${FILCH_LONG:-} ]]; then testing=ON; fi

make_library() {
  local project=("$source" -DFILCH_BUILD_TESTS=OFF -DFILCH_BUILD_TOOLS=OFF -DFILCH_BUILD_BENCH=OFF -DFILCH_BUILD_EXAMPLES=OFF
    -DFILCH_BUILD_TESTING="$testing" -DCMAKE_BUILD_TYPE=Debug)
  if [[ $kind == shared ]]; then project=("$source/tests/install/inside" -DFILCH_SOURCE="$source"); fi
  # In pieces and without optimisation it takes a sixth of the time.
  "$cmake" -S "${project[@]}" -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DBUILD_SHARED_LIBS="${shared[$kind]}" -DFILCH_WERROR=ON -DFILCH_UNITY=ON
  "$cmake" --build "$1"
}

unset CMAKE_BUILD_TYPE  # CMake takes it for what a project says
rm -rf "$work"
library=$kind
if [[ ! -d $library ]]; then
  library=$work/library
  make_library "$library"
fi
"$cmake" --install "$library" --prefix "$prefix"

echo '-- find_package'
"$cmake" -S "$outside" -B "$work/outside" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/outside"
"$work/outside/with_exceptions"
"$work/outside/without_exceptions"
if [[ $testing == ON ]]; then "$work/outside/under_schedules"; fi

echo '-- pkg-config'
libraries=$(dirname "$(find "$prefix" -name 'libfilch.*' | head -n 1)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
read -ra flags <<<"$(pkg-config --cflags --libs filch)"
"$compiler" -std=c++20 "$outside/with_exceptions.cpp" -o "$work/by_pkg_config" "${flags[@]}"
"$work/by_pkg_config"

for flag in $(pkg-config --cflags filch); do
  [[ $flag == -I* ]] || { printf 'pkg-config forces %s on users\n' "$flag"; exit 1; }
done
