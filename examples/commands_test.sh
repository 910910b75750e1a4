#!/usr/bin/env bash
# commands_test.sh ROOT BUILD WORK COMPILER PAGE NAME=PROGRAM...: runs the commands that PAGE shows
# below `<!-- run by: examples/commands_test.sh -->`, in WORK, with the library in BUILD as if it
# were installed. Each must end with exit code 0. PROGRAM is there as ./NAME and as NAME.
set -euo pipefail
root=$1 build=$2 work=$3 compiler=$4 page=$5
shift 5

rm -rf "$work"
mkdir -p "$work"
cd "$work"
ln -s "$root/examples" examples
for each in "$@"; do ln -s "${each#*=}" "${each%%=*}"; done
sed "s|^libdir=.*|libdir=$build|; s|^includedir=.*|includedir=$root|" "$build/filch.pc" >filch.pc
export PKG_CONFIG_PATH=$work LD_LIBRARY_PATH=$build PATH=$work:$PATH

commands=$(awk '/^```/ { shown = is_marked && !shown; is_marked = 0; next }
                /run by: examples\/commands_test.sh/ { is_marked = 1 }
                shown' "$root/$page")
[[ -n $commands ]] || { echo "$page has no commands below the marker"; exit 1; }
bash -euxo pipefail -c "${commands//g++-12/\"$compiler\"}"
