#!/usr/bin/env bash
# Fetches a photograph, pools it in many ways with every result checked, and draws the results on
# one sheet: build/photograph/contact_sheet.png. Safe to repeat; the photograph is kept.
#
#   examples/run_photograph.sh BUILD_DIRECTORY      (which has bin/photograph)
set -euo pipefail

[ $# = 1 ] || { echo "usage: examples/run_photograph.sh BUILD_DIRECTORY" >&2; exit 2; }
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${LANEPOOL_PYTHON:-build/venv/bin/python}
folder=build/photograph
program=$build/bin/photograph
[ -x "$program" ] || { echo "$program is missing: build the target 'photograph'" >&2; exit 1; }
[ -x "$python" ] || { echo "no Python environment: run scripts/deps.sh" >&2; exit 1; }

mkdir -p "$folder"
"$python" examples/photograph.py fetch "$folder"
rm -rf "$folder/results"
mkdir "$folder/results"
"$program" "$folder/photograph.npy" "$folder/results"
"$python" examples/photograph.py sheet "$folder"
