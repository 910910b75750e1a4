#!/usr/bin/env bash
# mpi_test.sh MPI PROGRAM REPEAT IDLE FOLDER: `filch-dist`, repeat_test and idle_test, built for MPI (openmpi or
# mpich), on 1 to 8 ranks. FOLDER is one to find files in. With FILCH_LONG=1 as often as promised.
set -euo pipefail
mpi=$1 program=$2 repeat=$3 idle=$4 folder=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# More ranks than processors; as root in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# on RANKS COMMAND...
on() {
  local ranks=$1
  shift
  timeout 300 "mpirun.$mpi" -n "$ranks" "$@"
}
fail() {
  echo "$mpi: $*" >&2
  exit 1
}
# expect TEXT COMMAND...: the command ends well and prints the text.
expect() {
  local text=$1
  shift
  "$@" >"$work/out" 2>&1 || { cat "$work/out"; fail "ended with an error: $*"; }
  grep -qF -- "$text" "$work/out" || { cat "$work/out"; fail "did not print '$text': $*"; }
}

runs=3 ranks=(1 2 3 5 8) trees=('T1 4,130,071')
if [[ ${FILCH_LONG:-} ]]; then
  runs=100 ranks=(1 2 3 4 5 6 7 8) trees+=('T3 4,112,897' 'T1L 102,181,082' 'T3L 111,345,631')
fi
for n in "${ranks[@]}"; do
  expect "$((2 * runs)) runs on $n ranks" on "$n" "$repeat" "$runs"
done
for tree in "${trees[@]}"; do
  for n in "${ranks[@]}"; do expect "${tree#* } nodes" on "$n" "$program" uts --tree "${tree% *}"; done
done
expect '14,200 solutions' on 4 "$program" nqueens -n 12
expect '2 ranks' on 2 "$program" mandelbrot --width 90 --height 60 --out "$work/set.png"
[[ $(head -c 4 "$work/set.png" | tail -c 3) == PNG ]] || fail 'wrote no picture'
expect "/CMakeLists.txt" on 3 "$program" find "$folder" --pattern 'CMake*.txt'
expect '"nodes":4130071' on 2 "$program" uts --json

expect 'idle ranks use' on 4 "$idle"

# A failure of one rank ends all.
if timeout 60 "mpirun.$mpi" -n 3 "$program" mandelbrot --width 30 --height 20 --out "$work/none/set.png" \
  >"$work/out" 2>&1; then fail 'a picture without a folder was written'; fi
grep -qF "$work/none/set.png" "$work/out" || { cat "$work/out"; fail 'a failure of one rank has no message'; }
grep -qF 'leaves the world of rank 0, so all ranks end' "$work/out" || { cat "$work/out"; fail 'a failure of one rank'; }

# Other parameters on one rank.
if on 1 "$program" uts --tree T1 : -n 1 "$program" uts --tree T3 >"$work/out" 2>&1; then fail 'mixed parameters ran'; fi
grep -qF 'rank 1 has other types or parameters than rank 0' "$work/out" || { cat "$work/out"; fail 'mixed parameters'; }
# Another program on one rank.
cp "$program" "$work/other" && printf 'x' >>"$work/other"
if on 1 "$program" uts : -n 1 "$work/other" uts >"$work/out" 2>&1; then fail 'mixed programs ran'; fi
grep -qF 'rank 1 has another program than rank 0' "$work/out" || { cat "$work/out"; fail 'mixed programs'; }
# The launcher of another MPI.
other=mpich
[[ $mpi == openmpi ]] || other=openmpi
if command -v "mpirun.$other" >/dev/null; then
  if timeout 60 "mpirun.$other" -n 2 "$program" uts >"$work/out" 2>&1; then fail 'a wrong launcher ran'; fi
  grep -qF '2 ranks were started, but MPI knows of one' "$work/out" || { cat "$work/out"; fail 'wrong launcher'; }
fi
echo "$mpi: $runs repeats, ranks ${ranks[*]}, trees ${#trees[@]}"
