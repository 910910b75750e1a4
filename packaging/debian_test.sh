#!/usr/bin/env bash
# debian_test.sh WORK: makes the Debian packages below WORK, lets lintian judge them, unpacks them there, and runs their tests (debian/tests) against
# what was unpacked. Only if FILCH_LONG is set. The tests run so against installed packages, too: `autopkgtest`.
set -euo pipefail
if [[ -z ${FILCH_LONG:-} ]]; then
  echo '[  SKIPPED ] FILCH_LONG=1 tries it'
  exit
fi
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
work=$(cd -- "$1" && pwd)

unset CMAKE_BUILD_TYPE CXX CXXFLAGS  # the packages are built as Debian builds them
rm -rf "$work"/*.deb "$work"/*.ddeb "$work/root"
"$here/debian.sh" "$work"
lintian --fail-on error,warning "$work"/*.changes

for package in "$work"/*.deb; do dpkg -x "$package" "$work/root"; done
usr=$work/root/usr
libraries=$usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
export PATH=$usr/bin:$PATH CMAKE_PREFIX_PATH=$usr LD_LIBRARY_PATH=$libraries
export PKG_CONFIG_PATH=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
cd "$work"/filch-*/
for test in find-package pkg-config program; do
  echo "-- $test"
  AUTOPKGTEST_TMP=$(mktemp -d -p "$work") "debian/tests/$test"
done
