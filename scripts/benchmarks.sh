#!/usr/bin/env bash
# Measures lanepool and its peers on this machine, x86-64 or 64-bit Arm, from nothing: sets up the
# peers, builds, times everything that docs/benchmarks.md has, and writes the like of it. An hour or
# two on a machine that does nothing else.
#
#   scripts/benchmarks.sh [--out FOLDER] [options of scripts/peers.sh]
#
# FOLDER (build/report) gets benchmarks.md and pictures, as docs has them; report.html, a page of the
# same figures; peers.json, everything that was measured about peers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/report options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out=${2:?}; shift 2 ;;
    --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) options+=("$1"); shift ;;
  esac
done
mkdir -p "$out/pictures"

scripts/peers.sh --json "$out/peers.json" "${options[@]}"
cmake --preset release >"$out/configure.log"
cmake --build --preset release --parallel "$(nproc)" --target bench_call bench_pool sweep_times
cp docs/benchmarks.md "$out/benchmarks.md"
OUT=$out DOCUMENT=$out/benchmarks.md PICTURES=$out/pictures \
  bench/report/measure.sh "$out/peers.json" -- taskset -c "$(($(nproc) - 1))"
echo "benchmarks: wrote $out/benchmarks.md and $out/report.html"
