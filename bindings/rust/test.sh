#!/usr/bin/env bash
# Checks the Rust crates with a library that is built already.
#
#   LANEPOOL_LIB_DIR=DIR bindings/rust/test.sh crates     lanepool and lanepool-sys: tests, documents,
#                                                         clippy, format
#   LANEPOOL_LIB_DIR=DIR bindings/rust/test.sh tract      the example with tract, optimised; clippy of
#                                                         it and of the benchmarks
#   bindings/rust/test.sh build                           builds the library as a user's cargo does
#
# Exit status 77: not tried, for the reason that is printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
  echo "skipped: $*"
  exit 77
}

cargo_of_default_home() { [ -x "$HOME/.cargo/bin/cargo" ] && PATH=$HOME/.cargo/bin:$PATH; }
command -v cargo >/dev/null || cargo_of_default_home || skip "there is no cargo"

part=${1:?crates, tract or build}
needed=1.91 # of the tests' own dependencies; the crates themselves need 1.81
version=$(cargo --version | cut -d' ' -f2)
[ "$(printf '%s\n' "$needed" "$version" | sort -V | head -n 1)" = "$needed" ] ||
  skip "cargo $version is older than $needed"
cargo fetch --locked --quiet || skip "the crates that Cargo.lock names cannot be had"

if [ -n "${LANEPOOL_LIB_DIR:-}" ]; then
  export LD_LIBRARY_PATH=$LANEPOOL_LIB_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
run() {
  echo "--- cargo $*"
  command cargo "$@"
}
features=(--features "half,ndarray,rayon")

case "$part" in
  crates)
    [ -n "${LANEPOOL_LIB_DIR:-}" ] || { echo "LANEPOOL_LIB_DIR is not set" >&2; exit 2; }
    run fmt --all --check
    run test --locked --offline --quiet "${features[@]}"
    run check --locked --offline --quiet -p lanepool --no-default-features
    # Lints and documents of these crates, not of those that they use.
    run clippy --locked --offline --quiet --all-targets "${features[@]}" -- -D warnings
    RUSTDOCFLAGS="-D warnings" run doc --locked --offline --quiet --no-deps "${features[@]}"
    ;;
  tract)
    [ -n "${LANEPOOL_LIB_DIR:-}" ] || { echo "LANEPOOL_LIB_DIR is not set" >&2; exit 2; }
    run test --locked --offline --quiet --release -p lanepool-tract
    run run --locked --offline --quiet --release -p lanepool-tract
    run clippy --locked --offline --quiet --release -p lanepool-tract -p lanepool-benches \
      --all-targets --no-deps -- -D warnings
    ;;
  build)
    unset LANEPOOL_LIB_DIR LANEPOOL_PKG_CONFIG
    run test --locked --offline --quiet -p lanepool-sys
    run test --locked --offline --quiet -p lanepool --test refusals
    ;;
  *) echo "usage: test.sh crates|tract|build" >&2; exit 2 ;;
esac
