#!/usr/bin/env bash
# run.sh NAME COMMAND...: the tests of NAME.test.mjs. Ends in 77, skipped, where a COMMAND or the packages that they need are not installed.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
name=$1
shift
for needed in "$@"; do
  command -v "$needed" >/dev/null || { echo "skipped: no $needed here"; exit 77; }
done
[[ -d $here/../node_modules ]] || { echo "skipped: no packages here, which 'npm install --no-save --ignore-scripts' in tools/viewer installs"; exit 77; }
FILCH_CHROMIUM=${FILCH_CHROMIUM:-$(command -v chromium || true)} exec node --test --test-reporter=spec "$here/$name.test.mjs"
