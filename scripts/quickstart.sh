#!/usr/bin/env bash
# Sets up, builds, and pools a real photograph. Safe to repeat.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh
cmake --preset release
cmake --build --preset release --parallel "$(nproc)" --target lanepool lanepool_tool photograph
examples/run_photograph.sh build/release
