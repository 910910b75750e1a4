#!/usr/bin/env bash
# outside_test.sh CMAKE SOURCE WORK COMPILER static|shared: installs the library below WORK and builds the project in outside/
# against it, once with find_package and once with pkg-config alone. The prefix is not the one that was configured.
set -euo pipefail
cmake=$1 source=$2 work=$3 compiler=$4 kind=$5
outside=$source/tests/install/outside
prefix=$work/prefix

rm -rf "$work"
declare -A shared=([static]=OFF [shared]=ON)
declare -A testing=([static]=ON [shared]=OFF)  # it is a static library whatever the other is
"$cmake" -S "$source" -B "$work/library" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DBUILD_SHARED_LIBS="${shared[$kind]}" -DFILCH_BUILD_TESTS=OFF -DFILCH_BUILD_TOOLS=OFF -DFILCH_BUILD_BENCH=OFF \
  -DFILCH_BUILD_EXAMPLES=OFF -DFILCH_BUILD_TESTING="${testing[$kind]}" -DFILCH_WERROR=ON \
  -DFILCH_UNITY=ON -DCMAKE_BUILD_TYPE=Debug  # takes a sixth of the time
"$cmake" --build "$work/library"
"$cmake" --install "$work/library" --prefix "$prefix"

echo '-- find_package'
"$cmake" -S "$outside" -B "$work/outside" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/outside"
"$work/outside/with_exceptions"
"$work/outside/without_exceptions"
if [[ ${testing[$kind]} == ON ]]; then "$work/outside/under_schedules"; fi

echo '-- pkg-config'
libraries=$(dirname "$(find "$prefix" -name 'libfilch.*' | head -n 1)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
read -ra flags <<<"$(pkg-config --cflags --libs filch)"
"$compiler" -std=c++20 "$outside/with_exceptions.cpp" -o "$work/by_pkg_config" "${flags[@]}"
"$work/by_pkg_config"

for flag in $(pkg-config --cflags filch); do
  [[ $flag == -I* ]] || { printf 'pkg-config forces %s on users\n' "$flag"; exit 1; }
done
