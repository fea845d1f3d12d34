#!/usr/bin/env bash
# Checks the Go package with an installed library: go vet, the tests under the race detector and
# without, gofmt, and some fuzzing.
#
#   LANEPOOL_PREFIX=DIR bindings/go/test.sh
#
# Exit status 77: not tried, for the reason that is printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
  echo "skipped: $*"
  exit 77
}

command -v go >/dev/null || { [ -x /usr/local/go/bin/go ] && PATH=/usr/local/go/bin:$PATH; } ||
  skip "there is no go"
command -v pkg-config >/dev/null || skip "there is no pkg-config"
export GOTOOLCHAIN=local # the one that is here; nothing is downloaded
minimum=$(sed -n 's/^go //p' go.mod)
version=$(go env GOVERSION)
[ "$(printf '%s\n' "$minimum" "${version#go}" | sort -V | head -n 1)" = "$minimum" ] ||
  skip "$version is older than go$minimum"

pc=$(find "${LANEPOOL_PREFIX:?}" -name lanepool.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export CGO_ENABLED=1

run() {
  echo "--- go $*"
  command go "$@"
}
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt has changes for $unformatted" >&2; exit 1; }
run vet ./...
run test -count 1 ./...
run test -count 1 -race ./...
# A count of inputs: with a time, Go up to 1.26 at times fails at its end (go.dev/issue/75804).
run test -run '^$' -fuzz FuzzPool -fuzztime 150000x .
run test -run '^$' -bench Call . # what a call costs, for the record

# The other way to find the library, as the README has it for a build tree.
unset PKG_CONFIG_PATH
export CGO_CFLAGS="-I$LANEPOOL_PREFIX/include"
export CGO_LDFLAGS="-L$libdir -Wl,-rpath,$libdir -llanepool"
LD_LIBRARY_PATH='' run test -count 1 -tags lanepool_flags .
