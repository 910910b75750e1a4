#!/usr/bin/env bash
# one_processor.sh COMMAND...: runs it bound to the first of the processors that it may use.
set -euo pipefail
allowed=$(taskset --cpu-list --pid $$)
first=${allowed##*: }
exec taskset --cpu-list "${first%%[-,]*}" "$@"
