#!/usr/bin/env bash
# Measures what docs/benchmarks.md says, fills it in, and makes the page and the pictures.
#
#   bench/report/measure.sh PEERS.json... [-- COMMAND...]
#
# PEERS.json is what scripts/peers.sh has written. COMMAND runs each program, as `taskset -c 1`.
# About ten minutes. Page and raw results: build/report. scripts/benchmarks.sh names other places by
# OUT, DOCUMENT and PICTURES.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

peers=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  peers+=("$(realpath "$1")")
  shift
done
[ $# = 0 ] || shift
under=("$@")
[ ${#peers[@]} -gt 0 ] || { sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0" >&2; exit 2; }

bin=build/release/bin out=${OUT:-build/report}
document=${DOCUMENT:-docs/benchmarks.md} pictures=${PICTURES:-docs/pictures}
mkdir -p "$out"
"${under[@]}" "$bin/bench_call" --benchmark_format=json >"$out/call.json"
rows='inception_a|googlenet28|resnet_stem|gap_resnet|qavg_inception_a'
"${under[@]}" "$bin/bench_pool" --targets all --benchmark_format=json \
  --benchmark_filter="^($rows)/n(chw|hwc)(/u8)?/[A-Z0-9_]+\$" >"$out/targets.json"
# Cliffs are a finding, not a failure: exit status 1.
python3 bench/sweep.py --program "$bin/sweep_times" --under "${under[*]}" \
  --json "$out/sweep.json" >"$out/sweep.txt" || [ $? = 1 ]

python3 bench/report/document.py "${peers[@]/#/--peers=}" --call "$out/call.json" \
  --targets "$out/targets.json" --sweep "$out/sweep.json" "$document"
python3 bench/report/report.py --html "$out/report.html" --svg "$pictures" "${peers[@]}"
