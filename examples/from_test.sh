#!/usr/bin/env bash
# from_test.sh PROGRAM WORK COMPILER: compiles PROGRAM, a file of from/, with its own runtime in
# WORK, and runs it. C++ takes COMPILER. Crates and Go packages are Debian's; nothing is fetched.
# Exit code 77: something is not installed.
set -euo pipefail
program=$(readlink -f -- "$1") work=$2 compiler=$3
crates=/usr/share/cargo/registry gopath=/usr/share/gocode

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
need() { command -v "$1" >/dev/null || skip "there is no $1 (Debian's package $2)"; }

# cpp HEADER PACKAGE FLAG...
cpp() {
  local header=$1 package=$2 language=(-std=c++20 -O1 -Wall -Wextra -pthread)
  shift 2
  printf '#include <%s>\nint main() {}\n' "$header" >probe.cpp
  "$compiler" "${language[@]}" probe.cpp "$@" -o probe >/dev/null 2>&1 ||
    skip "there is no <$header> with its library ($package)"
  "$compiler" "${language[@]}" "$program" "$@" -o program
}

# rust CRATE DEPENDENCY
rust() {
  need cargo cargo
  compgen -G "$crates/$1-[0-9]*" >/dev/null ||
    skip "there is no crate $1 (Debian's package librust-$1-dev)"
  {
    printf '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n'
    printf '[[bin]]\nname = "program"\npath = "%s"\n[profile.dev]\ndebug = false\n' "$program"
    printf '[dependencies]\n%s\n' "$2"
  } >Cargo.toml
  CARGO_TARGET_DIR=target cargo build --quiet --offline \
    --config 'source.crates-io.replace-with = "debian"' \
    --config "source.debian.directory = '$crates'"
  cp target/debug/program program
}

go_packages() {
  need go golang-go
  [[ -d $gopath/src/golang.org/x/sync/errgroup ]] ||
    skip "there is no golang.org/x/sync/errgroup (Debian's package golang-golang-x-sync-dev)"
  GO111MODULE=off GOPATH=$gopath GOFLAGS='' GOCACHE=$PWD/cache go build -o program "$program"
}

mkdir -p "$work"
cd "$work"
rm -f program
case ${program##*/} in
  onetbb.cpp | onetbb_bodies.cpp | onetbb_graph.cpp)
    cpp tbb/parallel_for.h "Debian's package libtbb-dev" -ltbb ;;
  std.cpp) cpp execution "Debian's package libtbb-dev" -ltbb ;;
  openmp.cpp) cpp omp.h "Debian's packages g++ and libomp-dev" -fopenmp ;;
  taskflow.cpp | taskflow_graph.cpp) cpp taskflow/taskflow.hpp 'Debian 12 has no package of Taskflow' ;;
  rayon.rs) rust rayon 'rayon = "1"' ;;
  tokio.rs) rust tokio 'tokio = { version = "1", features = ["full"] }' ;;
  go.go) go_packages ;;
  *) echo "no way is known to compile $program"; exit 2 ;;
esac
OMP_CANCELLATION=true ./program
