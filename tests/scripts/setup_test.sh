#!/usr/bin/env bash
# setup_test.sh SOURCE: what scripts/setup.sh and bench/setup do about packages, with stand-ins for apt-get and its kin, id and sudo.
# The stand-ins are scripts in quotes: their variables are theirs.
# shellcheck disable=SC2016
set -euo pipefail
source_folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A cargo that no package brought.
mkdir "$work/other"
printf '#!/bin/bash\n' >"$work/other/cargo"
chmod +x "$work/other/cargo"

# The stand-ins: what is installed and which user calls comes from the environment; what was called goes to $work/calls.
mkdir "$work/bin"
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
stand_in dpkg-query 'for name in "${@:4}"; do [[ " $INSTALLED " == *" $name "* ]] && echo "installed $name"; done; exit 1'
stand_in id 'echo "$CALLER"'
stand_in sudo 'echo "sudo $1" >>'"$work/calls"'; exec "$@"'
stand_in apt-get 'echo "apt-get $*" >>'"$work/calls"'; [[ $* != *--simulate* || $LISTS == present ]]'

stand_in apt-cache '[[ $* != *"$UNKNOWN"* ]]'

# packages SETTING... -- COMMAND...: runs a command of setup.sh; leaves its words in $said and what it called in $called.
packages() {
  local settings=(INSTALLED='' CALLER=0 LISTS=present UNKNOWN=none)
  while [[ $1 != -- ]]; do settings+=("$1"); shift; done
  shift
  : >"$work/calls"
  said=$(env PATH="$work/bin:$PATH" "${settings[@]}" bash -c 'source "$0/scripts/setup.sh"; '"$*" "$source_folder" 2>&1) &&
    status=0 || status=$?
  called=$(<"$work/calls")
}

claim() {
  local text=$1
  shift
  if "$@"; then printf 'holds: %s\n' "$text"; return; fi
  printf 'FAILS: %s\n  said: %s\n  called: %s\n  status: %s\n' "$text" "$said" "$called" "$status"
  failures=$((failures + 1))
}
says() { [[ $said == *"$1"* ]]; }
calls() { [[ $called == *"$1"* ]]; }
calls_nothing() { [[ -z $called && $status == 0 ]]; }
refuses() { [[ -z $called && $status == 1 && $said == *"$1"* ]]; }

everything=$(grep -hv '^#' "$source_folder/scripts/packages/run.txt" | tr '\n' ' ')

packages INSTALLED="$everything" -- require_packages run
claim 'with everything installed apt-get is not called' calls_nothing

packages INSTALLED="${everything/cmake/}" -- require_packages run
claim 'what is about to be installed is said' says 'installing with apt-get: cmake'
claim 'only what is missing is installed' calls 'apt-get install -y --no-remove --no-install-recommends cmake'

packages INSTALLED="${everything/cmake/}" -- 'may_install=false; require_packages run'
claim '--no-install names what is missing, and installs nothing' refuses 'cmake'

packages CALLER=1000 -- require_packages run
claim 'a caller that is not root goes through sudo' calls 'sudo env'

packages LISTS=missing -- require_packages run
claim 'missing package lists are fetched first' calls $'apt-get update\napt-get install -y'

packages LISTS=present -- require_packages run
claim 'present package lists are left alone' eval '! calls update'

# Other systems have dpkg as a tool.
mkdir "$work/no_apt" && ln -s "$(command -v grep)" "$work/bin/dpkg-query" "$work/no_apt/"
packages -- "PATH=$work/no_apt; may_install=false; require_packages run"
claim 'where there is no apt-get, --no-install takes what is wanted to be there' calls_nothing
packages -- "PATH=$work/no_apt; require_packages run"
claim 'and without it says what to install' refuses 'no apt-get here; install the equivalents of: '

# The stand-ins of node and the rest are commands, and a copy of the folder keeps npm off the real one.
page_tools() { for name in nodejs npm chromium; do stand_in "$name" 'echo "'"$name"' $*" >>'"$work/calls"; done; }
mkdir -p "$work/tree/tools/viewer" && cp -r "$source_folder/scripts" "$work/tree/" && : >"$work/tree/tools/viewer/package-lock.json"
in_copy="root=$work/tree;"

page_tools
packages -- "$in_copy require_pages"
claim 'commands that are there need no package, and npm installs what the lock file says, running nothing of it' \
  eval '[[ $called == "npm install --no-save --prefix $work/tree/tools/viewer --ignore-scripts "* ]]'

mkdir "$work/tree/tools/viewer/node_modules" && : >"$work/tree/tools/viewer/node_modules/.package-lock.json"
packages -- "$in_copy require_pages"
claim 'npm is not called again before the lock file changes' calls_nothing

in_copy+=' packages_in() { echo no_such_command; };'
packages -- "$in_copy may_install=false; require_pages"
claim 'with --no-install the pages go untested, and that is said' says 'the pages are not tested: no no_such_command'
packages -- "$in_copy require_pages"
claim 'of what the pages need only what is missing is installed' calls 'apt-get install -y --no-remove --no-install-recommends no_such_command'
rm "$work"/bin/{nodejs,npm,chromium}

# Named like no command, since bench/setup leaves commands alone.
benchmarked="$everything $(grep -hv '^#' "$source_folder/scripts/packages/bench.txt" | tr '\n' ' ')"
all_but_the_peers="${benchmarked/libtbb-dev/}"
all_but_the_peers="${all_but_the_peers/librust-rayon-dev/}"
bench_setup() { packages "$@" '"$0/bench/setup"'; }

bench_setup INSTALLED="$benchmarked" --
claim 'bench/setup has nothing to do where everything is installed' calls_nothing

bench_setup INSTALLED="$all_but_the_peers" UNKNOWN=rayon --
claim 'bench/setup names a peer that the system does not have' says 'no package librust-rayon-dev'
claim 'bench/setup installs the other peers, and removes nothing' calls 'apt-get install -y --no-remove --no-install-recommends libtbb-dev'

bench_setup INSTALLED="${all_but_the_peers/cargo/}" -- "PATH=\$PATH:$work/other;"
claim 'bench/setup leaves a cargo from elsewhere alone' eval '! calls cargo'

packages INSTALLED="$all_but_the_peers" -- '"$0/bench/setup" --no-install'
claim 'bench/setup --no-install names what is missing, and installs nothing' refuses 'libtbb-dev'

packages -- '"$0/bench/setup" --nonsense'
claim 'bench/setup refuses options it does not have' [ "$status" = 2 ]

# compiled_in CLONE: compiles a source of a clone in that folder as its build would.
compiled_in() {
  mkdir -p "$work/$1/build" && printf 'int answer() { return 42; }\n' >"$work/$1/part.cpp"
  packages CCACHE_DIR="$work/cache" -- "root=$work/$1; use_compiler_cache; cd $work/$1/build; ccache g++ -g1 -ffile-prefix-map=$work/$1=. -I $work/$1 -MD -MF part.d -c -o part.o $work/$1/part.cpp; \
    ccache --print-stats"
}
if command -v ccache >/dev/null && command -v g++ >/dev/null; then
  compiled_in one
  claim 'what nobody has compiled is compiled' says $'direct_cache_hit\t0'
  compiled_in other
  claim 'what one clone has compiled another one finds, in whatever folder it lies' says $'direct_cache_hit\t1'
fi

[[ $failures == 0 ]]
