#!/usr/bin/env bash
# run.sh NAME COMMAND...: the tests of NAME.test.mjs. Ends in 77, skipped, where a COMMAND that they need is not installed.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
name=$1
shift
for needed in "$@"; do
  command -v "$needed" >/dev/null || { echo "skipped: no $needed here"; exit 77; }
done
[[ -d $here/../node_modules ]] || { echo "the packages are missing: npm ci --ignore-scripts in tools/viewer" >&2; exit 1; }
exec node --test "$here/$name.test.mjs"
