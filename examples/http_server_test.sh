#!/usr/bin/env bash
# http_server_test.sh PROGRAM: asks the server what it says it serves, and what it must refuse, by curl; loads it by wrk; and ends it by SIGTERM.
# 77: curl or wrk is missing, and ctest skips it.
set -euo pipefail
program=$1
for tool in curl wrk; do
  command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
done

work=$(mktemp -d)
mkdir "$work/files"
printf 'outside\n' >"$work/secret.txt"
printf '<h1>filch</h1>\n' >"$work/files/index.html"
mkdir "$work/files/out"
ln -s ../../secret.txt "$work/files/out/index.html"
mkfifo "$work/pipe" "$work/files/pipe"  # opening one waits for a writer
head -c 3000000 /dev/urandom >"$work/files/large.bin"
truncate --size 30M "$work/files/huge.bin"  # more than a connection holds on its way
"$program" "$work/files" >"$work/said" &
server=$!
trap 'kill -9 "$server" ${small:+"$small"} 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in {1..100}; do
  [[ -s $work/said ]] && break
  sleep 0.05
done
url=$(<"$work/said")

failures=0
is() {
  if [[ $2 == "$3" ]]; then printf 'holds: %s\n' "$1"; return; fi
  printf 'FAILS: %s\n  wanted: %s\n  got: %s\n' "$1" "$3" "$2"
  failures=$((failures + 1))
}
# until_true COMMAND...: waits for what happens soon, and at most 20 s.
until_true() {
  for _ in {1..400}; do
    if "$@"; then return; fi
    sleep 0.05
  done
}
get() { curl --silent --max-time 20 "$@"; }
status_of() { get --output /dev/null --write-out '%{http_code}' "$@"; }

is 'a word' "$(get "${url}hello")" hello
is 'a computation by all workers' "$(get "${url}primes/1000000")" 78498
is 'a file, whole' "$(get "${url}large.bin" | cksum)" "$(cksum <"$work/files/large.bin")"
is 'the page of a folder, with its type' "$(get --output /dev/null --write-out '%{content_type}' "$url")" 'text/html; charset=utf-8'
is 'the length alone where only the head is asked for' "$(get --head "${url}large.bin" | tr -d '\r' | sed -n 's/^Content-Length: //p')" 3000000
is 'several requests on a connection' "$(get --write-out '%{num_connects}' "${url}hello" "${url}hello" | tr -d '\n')" 'hello1hello0'
is 'events as they come' "$(get --no-buffer "${url}stream" | grep -m 3 data | tr -d '\n')" 'data: 1data: 2data: 3'
is 'what is not there' "$(status_of "${url}nothing")" 404
is 'what lies outside of the folder' "$(status_of --path-as-is "${url}../secret.txt")" 404
is 'the page of a folder, which leads outside' "$(status_of "${url}out")" 404
is 'a pipe' "$(status_of "${url}pipe")" 404
is 'a pipe outside of the folder' "$(status_of --path-as-is "${url}../pipe")" 404
is 'no number' "$(status_of "${url}primes/many")" 400
is 'another method' "$(status_of --request DELETE "${url}hello")" 405
is 'a head without an end' "$(status_of --header "Long: $(printf '%09000d' 0)" "${url}hello")" 431
port=${url##*:} port=${port%/}
# answers TEXT: what comes for it, as printf writes it, without the carriage returns.
answers() { printf "$1" | timeout 5 bash -c "exec 3<>/dev/tcp/localhost/$port; cat >&3; cat <&3" | tr -d '\r'; }
for said in 'nonsense\r\n' 'GET /hello HTTP/1.1\r\nContent-Length : 5\r\n' 'GET /hello HTTP/1.1\r\nA: b\nContent-Length: 5\r\n' 'GET /hello HTTP/1.1\r\nno field\r\n'; do
  is "what is no request: $said" "$(answers "$said\r\n" | head -1)" 'HTTP/1.1 400 Bad Request'
done
is 'a connection that ends as asked, among other things' "$(answers 'GET /hello HTTP/1.1\r\nConnection: TE, Close\r\n\r\n' | grep Connection)" 'Connection: close'
is 'a connection of the older kind that is kept as asked' "$(answers 'GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n' | grep Connection | paste -s)" \
  $'Connection: keep-alive\tConnection: close'

# Without care, a client that goes on sending after a refusal has its connection reset, and may never see the answer.
long_head() { printf 'GET /hello HTTP/1.1\r\nLong: %04000000d\r\n\r\n' 0; }
is 'a refusal that reaches a client that goes on sending' "$(long_head | timeout 20 bash -c "exec 3<>/dev/tcp/localhost/$port; cat >&3 && cat <&3" 2>&1 | head -1 | tr -d '\r')" \
  'HTTP/1.1 431 Request Header Fields Too Large'

# A client that asks for more than fits into memory loses its own connection only.
truncate --size 10G "$work/files/enormous.bin"
(ulimit -v 500000 && exec "$program" "$work/files" 0 1) >"$work/said_small" 2>"$work/complained" &
small=$!
has_begun_or_ended() { [[ -s $work/said_small ]] || ! kill -0 "$small" 2>/dev/null; }
until_true has_begun_or_ended
if [[ -s $work/said_small ]]; then  # not with a sanitizer, which needs more
  small_url=$(<"$work/said_small")
  get --output /dev/null "${small_url}enormous.bin" || true
  is 'a word beside what there is no memory for' "$(get "${small_url}hello")" hello
  is 'a complaint' "$(<"$work/complained")" 'a connection: std::bad_alloc'
  small_port=${small_url##*:} small_port=${small_port%/}
  is 'the end of a connection on which nothing is asked' "$(timeout 20 bash -c "exec 3<>/dev/tcp/localhost/$small_port; printf 'GET / HT' >&3; cat <&3" && echo ended)" ended
  kill -TERM "$small"
  small_ended=well
  wait "$small" || small_ended="exit code $?"
  is 'the end of that server' "$small_ended" well
fi

wrk --threads 1 --connections 16 --duration 1 --latency "${url}hello" | tee "$work/load"
is 'no error under load' "$(grep -c 'Socket errors\|Non-2xx' "$work/load" || true)" 0

# Answers that have begun finish, and so does the stream. A connection that waits for a request does not delay the end, and a
# client that does not take its answer delays it for a short time only.
has_sent_an_event() { [[ -s $work/events ]]; }
ticks_used() { awk '{ print $14 }' "/proc/$server/stat"; }  # hundredths of a second
computes_already() { (($(ticks_used) > ticks_before + 5)); }
exec 3<>"/dev/tcp/localhost/$port"
exec 4<>"/dev/tcp/localhost/$port"
printf 'GET /huge.bin HTTP/1.1\r\n\r\n' >&4  # and does not read
get --no-buffer "${url}stream" >"$work/events" &
stream=$!
until_true has_sent_an_event
ticks_before=$(ticks_used)
get "${url}primes/4000000" >"$work/primes" &
computes=$!
until_true computes_already
kill -TERM "$server"
ended=well
wait "$server" || ended="exit code $?"
wait "$computes" "$stream" || true
answer=$(timeout 5 cat <&4 | wc -c || true)
is 'a computation that had begun' "$(<"$work/primes")" 283146
is 'a stream that had begun' "$(head -1 "$work/events")" 'data: 1'
is 'an answer that nobody took, in part' "$((answer > 0 && answer < 30000000))" 1
is 'the end of the server' "$ended" well
[[ $failures == 0 ]]
