#!/usr/bin/env bash
# word_count_test.sh PROGRAM FOLDER: its list is the one that tr, sort and uniq make; a link to itself is passed over; a folder that is not there, and
# none, are refused.
set -euo pipefail
export LC_ALL=C
program=$1 folder=$2
wanted=$(find "$folder" -type f -exec cat {} + | tr -cs A-Za-z '\n' | tr A-Z a-z | sed '/^$/d' | sort | uniq -c | sort -k1,1nr -k2,2 | sed -n 's/^ *\([0-9]*\) /\1 /; 1,20p')
got=$("$program" "$folder" | sed 's/^ *//')
diff <(echo "$wanted") <(echo "$got")
[[ $(wc -l <<<"$got") == 20 ]]

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s itself "$work/itself"
echo one word, one file >"$work/file"
diff <(printf '2 one\n1 file\n1 word\n') <("$program" "$work" | sed 's/^ *//')

refused() {
  local said code=0
  said=$("$program" "${@:2}" 2>&1) || code=$?
  [[ $code != 0 && $said == *"$1"* ]] || { echo "said with exit code $code: $said"; return 1; }
}
refused usage
refused /not/there "$folder" /not/there
