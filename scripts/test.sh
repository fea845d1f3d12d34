#!/usr/bin/env bash
# Sets up, builds and runs every test. Safe to repeat.
#
#   scripts/test.sh [--preset release|ci|debug|asan|clang]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    --preset=*) preset=${1#*=}; shift ;;
    *) echo "usage: scripts/test.sh [--preset NAME]" >&2; exit 2 ;;
  esac
done

deps=()
[ "$preset" != clang ] || deps+=(--clang)
scripts/deps.sh "${deps[@]}"

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(nproc)"
ctest --preset "$preset" --parallel "$(nproc)"
