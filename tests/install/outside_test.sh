#!/usr/bin/env bash
# outside_test.sh CMAKE SOURCE WORK COMPILER static|shared|BUILD always|long: installs the library below WORK, made there or what the folder BUILD has
# of it, and builds the project in outside/ against it, once with find_package and once with pkg-config alone. The prefix is not the one that was
# configured. A static library is made there as on a machine that has a compiler and CMake and nothing else; a shared one as a part of the project in
# inside/. With `long` only if FILCH_LONG is set.
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

wrong() { printf '%s\n' "$*"; exit 1; }

configure() { "$cmake" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DBUILD_SHARED_LIBS="${shared[$kind]}" -DFILCH_SOURCE="$source" "$@"; }

make_library() {
  # Unoptimised it takes a sixth of the time.
  if [[ $kind == shared ]]; then
    configure -S "$source/tests/install/inside" -B "$work/unasked"
    "$cmake" --install "$work/unasked" --prefix "$work/nothing"
    [[ ! -e $work/nothing ]] || wrong "filch installs itself with the project of which it is a part, unasked"
    configure -S "$source/tests/install/inside" -B "$1" -DFILCH_INSTALL=ON
  else
    configure -S "$source" -B "$1" -DCMAKE_BUILD_TYPE=Debug -DFILCH_WERROR=ON -DFILCH_BUILD_TESTING="$testing" \
      -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF -DCMAKE_MAKE_PROGRAM="$(command -v ninja)" |
      tee "$work/said"
    [[ $(grep -c 'not built, because not found' "$work/said") == 2 ]] || wrong "it does not say in two lines that it builds no tests and no program"
  fi
  "$cmake" --build "$1"
  more=$(find "$1" -name '*.o' -not -path '*/filch.dir/*' -not -path '*/filch_testing.dir/*' -not -path '*/inside.dir/*')
  [[ -z $more ]] || wrong "built, and not asked for: $more"
}

unset CMAKE_BUILD_TYPE  # CMake takes it for what a project says
rm -rf "$work"
mkdir -p "$work"
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
"$compiler" -std=c++20 "$prefix/share/doc/filch/examples/first_steps.cpp" -o "$work/by_pkg_config" "${flags[@]}"
"$work/by_pkg_config"

if [[ $testing == ON ]]; then
  read -ra flags <<<"$(pkg-config --cflags --libs filch-testing)"
  "$compiler" -std=c++20 "$outside/under_schedules.cpp" -o "$work/by_pkg_config" "${flags[@]}"
  "$work/by_pkg_config"
  said=$("$compiler" -std=c++20 "$outside/under_schedules.cpp" -o "$work/by_pkg_config" "${flags[@]}" -UFILCH_TESTING 2>&1) &&
    wrong "without the macro of filch::testing it links, and must not"
  [[ $said == *filch_testing_needs_DFILCH_TESTING_else_link_filch* ]] || wrong "no sentence says that the macro is missing: $said"
fi

for flag in $(pkg-config --cflags filch); do
  [[ $flag == -I* ]] || wrong "pkg-config forces $flag on users"
done
