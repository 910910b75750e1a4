#!/usr/bin/env bash
# checkpoint_test.sh MPI PROGRAM: kills ranks or the launcher of a run at random moments, and starts
# it again on another number of ranks, until it ends. The count is exact each time. With FILCH_LONG=1
# 200 kills, else 6.
set -euo pipefail
mpi=$1 program=$2
work=$(mktemp -d)
trap 'end_all; rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
RANDOM=${FILCH_SEED:-1}

# The launcher and the ranks of this test: they name its folder.
processes() { pgrep -f -- "--checkpoint $work" || true; }
# Orphans must not write while the next run reads.
end_all() {
  local each
  while each=$(processes) && [[ $each ]]; do
    for pid in $each; do kill -9 "$pid" 2>/dev/null || true; done
    sleep 0.05
  done
}

wanted=6
[[ -z ${FILCH_LONG:-} ]] || wanted=200
kills=0 ends=0 restored=0
while ((kills < wanted)); do
  ranks=$((1 + RANDOM % 5))
  if [[ -f $work/run/manifest ]]; then restored=$((restored + 1)); fi
  timeout 120 "mpirun.$mpi" -n "$ranks" "$program" uts --tree T1 --workers 1 --checkpoint "$work/run" --every 20ms >"$work/out" 2>&1 &
  launcher=$!
  sleep "0.$((RANDOM % 7 + 2))$((RANDOM % 10))"
  mapfile -t victims < <(processes)
  # Every second time the run may end.
  if ((RANDOM % 2 == 0 && ${#victims[@]} > 0)); then
    kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null || true
    kills=$((kills + 1))
    sleep 0.1
    end_all
    wait "$launcher" 2>/dev/null || true
    continue
  fi
  if ! wait "$launcher"; then cat "$work/out"; echo "$mpi: ended with an error"; exit 1; fi
  grep -qF '4,130,071 nodes, depth 10, 3,305,118 leaves' "$work/out" || { cat "$work/out"; echo "$mpi: a wrong count"; exit 1; }
  [[ ! -e $work/run/manifest ]] || { echo "$mpi: the checkpoint stayed"; exit 1; }
  ends=$((ends + 1))
done
((restored * 3 >= wanted)) || { echo "$mpi: only $restored of $kills killed runs left a checkpoint"; exit 1; }
echo "$mpi: $kills kills, $restored runs went on from a checkpoint, $ends ended, all exact"
