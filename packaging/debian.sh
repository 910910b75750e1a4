#!/usr/bin/env bash
# debian.sh OUT [ARGUMENT...]: makes the Debian packages of this tree in the folder OUT, which it creates. ARGUMENTs go to dpkg-buildpackage,
# which otherwise builds the binary packages: `-us -uc -b`. What git ignores stays outside.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
[[ $# -gt 0 && $1 != -* ]] || { echo 'usage: packaging/debian.sh OUT [ARGUMENT of dpkg-buildpackage...]' >&2; exit 2; }
mkdir -p -- "$1"
out=$(cd -- "$1" && pwd)
shift
[[ $# -gt 0 ]] || set -- -us -uc -b

version=$(sed -n 's/^#define FILCH_VERSION "\(.*\)"$/\1/p' "$root/filch/base/version.hpp")
name=filch-$version
archive=$out/filch_$version.orig.tar.gz
git -C "$root" ls-files -z --cached --others --exclude-standard |
  tar -C "$root" -czf "$archive" --null -T - --transform "s,^,$name/,"
rm -rf -- "${out:?}/$name"
tar -C "$out" -xzf "$archive"
cp -r -- "$root/packaging/debian" "$out/$name/debian"
cd "$out/$name"
dpkg-buildpackage "$@"
