#!/usr/bin/env bash
# first_include.sh INCLUDE_FOLDER HEADER...: each header includes another one of ours before anything else, and so, in the end, language.hpp.
set -euo pipefail
cd "$1"
shift
strays=$(awk 'FNR == 1 { first = "" } /^#include/ && first == "" { first = $2; if ($2 !~ /^<filch\//) print FILENAME " begins with " $2; else ++found }
              END { if (found == 0) print "no header includes another one" }' "$@")
[[ -z $strays ]] || { printf '%s\nInstead: include <filch/base/language.hpp> first.\n' "$strays"; exit 1; }
missing=$(grep -L '^#include' "$@" || true)
[[ -z $missing ]] || { printf '%s: includes nothing. Instead: include <filch/base/language.hpp>.\n' "$missing"; exit 1; }
