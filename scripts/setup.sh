# shellcheck shell=bash
# What ./run, ./test, bench/setup and .ci/run share: packages, configuring, building. Sourced, never run.
# Everything said here goes to stderr, so that the output of `./run` is the program's alone.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
may_install=true
jobs=$(nproc)

bold='' red='' plain=''
if [[ -n ${NO_COLOR:-} ]]; then
  export CLICOLOR=0
elif [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
  bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
fi

say() { printf '%s%s%s\n' "$bold" "$*" "$plain" >&2; }

fail() {
  printf '%s%s:%s %s\n' "$red" "${0##*/}" "$plain" "$*" >&2
  exit 1
}

# require_packages LIST...: makes sure that everything in scripts/packages/LIST.txt is installed.
require_packages() {
  local wanted missing
  mapfile -t wanted < <(packages_in "$@")
  if ! { command -v dpkg-query && command -v apt-get; } >/dev/null; then
    $may_install && fail "no apt-get here; install the equivalents of: ${wanted[*]}; then pass --no-install"
    return 0
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  $may_install || fail "not installed, and --no-install forbids to: ${missing[*]}"
  install_packages "${missing[@]}"
}

# require_pages: what the tests of the pages need, and the packages of tools/viewer. A command that is there needs no package: a node
# from elsewhere is left alone. If nothing may be installed, those tests are skipped.
require_pages() {
  local missing
  mapfile -t missing < <(packages_in pages | without_commands)
  if [[ ${#missing[@]} -gt 0 ]]; then
    if ! $may_install || ! command -v apt-get >/dev/null; then say "the pages are not tested: no ${missing[*]}"; return 0; fi
    install_packages "${missing[@]}"
  fi
  if $may_install; then install_page_packages; fi
}

# Nothing that the packages bring is run while they are installed. Not `npm ci`: it refuses a lock file without every other system's packages,
# and a mirror may not have them all. If they cannot be had, the tests that need them are skipped.
install_page_packages() {
  local lock=$root/tools/viewer/package-lock.json installed=$root/tools/viewer/node_modules/.package-lock.json
  if [[ -f $installed && ! $lock -nt $installed ]]; then return 0; fi
  say 'installing the packages of tools/viewer with npm'
  timeout 600 npm install --no-save --prefix "$root/tools/viewer" --ignore-scripts --fetch-retries=1 --fetch-timeout=60000 </dev/null >&2 ||
    say 'the pages are not tested: npm could not install the packages of tools/viewer'
}

# Those of the names on stdin that are no commands.
without_commands() {
  local name
  while read -r name; do command -v "$name" >/dev/null || echo "$name"; done
}

packages_in() {
  local list
  for list in "$@"; do grep -v '^#' "$root/scripts/packages/$list.txt"; done
}

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -vxF "$installed" || true
}

# Removes nothing: an installed package may be needed elsewhere.
install_packages() {
  say "installing with apt-get: $*"
  apt-get install --simulate "$@" >/dev/null 2>&1 || refresh_lists
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-remove --no-install-recommends "$@" </dev/null >&2 ||
    fail "apt-get could not install: $*"
}

refresh_lists() {
  say 'refreshing the package lists first'
  as_root apt-get update >&2 || fail 'apt-get update failed'
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; return; fi
  command -v sudo >/dev/null || fail "not root and no sudo; as root: $*"
  sudo "$@"
}

# build PRESET [TARGET...]: configures unless that was done with these settings, and builds what is out of date.
build() {
  local preset=$1
  shift
  [[ $# -gt 0 ]] || set -- all
  configure "$preset"
  cmake --build "$root/build/$preset" --parallel "$jobs" --target "$@" 2>&1 | without_idle_words >&2 ||
    fail "the build of $preset failed"
}

without_idle_words() { grep --line-buffered -vE 'Re-checking globbed directories|ninja: no work to do' || true; }

# use_compiler_cache: a new clone finds what another has compiled, whatever folder either lies in; what tests compile is found, too. Dependencies are
# those that the compiler writes down, so that nothing is preprocessed to look for them. CMake keeps the path of the clone out of the objects.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
}

configure() {
  local stamp=$root/build/$1/configured settings
  use_compiler_cache
  settings="$root ${CMAKE_CXX_COMPILER_LAUNCHER:-} ${FILCH_LONG:-} $(cksum <"$root/CMakePresets.json")"
  if [[ -f $stamp && $(<"$stamp") == "$settings" ]]; then return 0; fi
  cmake --fresh --preset "$1" -S "$root" >&2 || fail "cmake could not configure $1"
  printf '%s' "$settings" >"$stamp"
}
