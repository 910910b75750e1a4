#!/usr/bin/env bash
# make_test.sh PROGRAM: it makes what is out of date and no more, as many at a time as -j says; stops
# at a failure, or goes on with what does not need it; names a circle; and writes nothing with -n.
set -euo pipefail
export LC_ALL=C
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
is() { [[ $2 == "$3" ]] || { printf '%s: wanted %q, got %q\n' "$1" "$3" "$2"; return 1; }; }
run() { code=0; said=$("$program" "$@" 2>&1) || code=$?; }

cat >build.txt <<'END'
# a program of two files
app: one.o two.o
	cat one.o two.o > app
one.o: one.c common.h
	cat one.c common.h > one.o
two.o: two.c common.h
	cat two.c common.h > two.o
END
echo 1 >one.c; echo 2 >two.c; echo h >common.h

run -n
is 'dry run' "$code $(ls app 2>/dev/null)" '0 '
run -j 2
is 'first' "$code $(tr '\n' ' ' <app)" '0 1 h 2 h '
is 'the last line' "$(tail -1 <<<"$said")" '[3/3] cat one.o two.o > app'
run
is 'nothing to do' "$code $said" '0 '
sleep 0.02; echo 3 >two.c
run -j 2
is 'one file has changed' "$code $said" $'0 [1/2] cat two.c common.h > two.o\n[2/2] cat one.o two.o > app'

cat >broken.txt <<'END'
all: bad.o good.o after.o
bad.o:
	echo cannot; exit 3
after.o: bad.o
	touch after.o
good.o: slow
	touch good.o
slow:
	sleep 0.3
END
run -f broken.txt -j 1 all
is 'a failure' "$code $(ls good.o after.o 2>/dev/null)" '1 '
grep -q '^failed: bad.o, exit code 3$' <<<"$said"
run -f broken.txt -j 2 -k all
is 'goes on' "$code $(ls good.o after.o 2>/dev/null)" '1 good.o'
is 'output' "$(grep -c '^cannot$' <<<"$said")" 1

# No more processes at a time than -j says: each counts those that run beside it
{
  echo "all: a b c d e f g h"
  for each in a b c d e f g h; do
    printf '%s:\n\ttouch running.%s; ls running.* | wc -l; sleep 0.05; rm running.%s\n' $each $each $each
  done
} >many.txt
run -f many.txt -j 3
is 'many' "$code" 0
most=$(grep -x '[0-9]*' <<<"$said" | sort -n | tail -1)
[[ $most -ge 2 && $most -le 3 ]] || { echo "$most at a time, by -j 3"; exit 1; }

printf 'a: b\n\ttrue\nb: c\n\ttrue\nc: a\n\ttrue\n' >circle.txt
run -f circle.txt
is 'a circle' "$code" 2
for each in a b c; do grep -q "\b$each\b" <<<"$said"; done
run missing
is 'no rule' "$code $said" '2 make: no rule makes missing'
run -j 0
is 'no processes' "$code" 2
