#!/usr/bin/env bash
# Checks the Python package with a library that is built already, in an environment of its own
# (build/python-venv), and what a call costs.
#
#   LANEPOOL_LIB_DIR=DIR bindings/python/test.sh            everything but what takes long
#   LANEPOOL_LIB_DIR=DIR bindings/python/test.sh pyramid    the pyramid of 8192x8192 on a cluster
#   bindings/python/test.sh build                           from the source archive, as a user's pip does
#
# LANEPOOL_PYTHON_DIR is where it is built and installed, PYTHON what the environment is made with.
# Exit status 77: not tried, for the reason that is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}

part=${1:-all}
base=${PYTHON:-python3}
command -v "$base" >/dev/null || skip "there is no $base"
"$base" -c 'import ensurepip, venv' 2>/dev/null || skip "$base has no venv"
"$base" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$base is older than 3.10"
"$base" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  skip "$base has no headers (python3-dev)"

venv=$root/build/python-venv
requirements=$here/requirements.txt
if ! cmp -s "$requirements" "$venv/requirements.txt" || ! "$venv/bin/python" -c ''; then
  echo "--- pip install -r requirements.txt"
  rm -rf "$venv"
  "$base" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" ||
    skip "the packages of requirements.txt cannot be had"
  cp "$requirements" "$venv/requirements.txt" # last: an interrupted installation is repeated
fi

# The package goes beside the build, so that builds do not disturb each other.
work=${LANEPOOL_PYTHON_DIR:-$root/build/python}
python=$venv/bin/python
run() {
  echo "--- $*"
  "$@"
}
install_package() { # what, pip's options
  rm -rf "$work/site"
  run "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --target "$work/site" "$@"
}
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work/site MYPY_CACHE_DIR=$work/mypy
pytest=("$python" -m pytest -q --durations 5 -p no:cacheprovider --rootdir "$here/tests" "$here/tests")

case "$part" in
  all | pyramid)
    [ -n "${LANEPOOL_LIB_DIR:-}" ] || { echo "LANEPOOL_LIB_DIR is not set" >&2; exit 2; }
    install_package "$root" -C "build-dir=$work/cmake" \
      -C "cmake.define.LANEPOOL_LIB_DIR=$LANEPOOL_LIB_DIR"
    export LANEPOOL_LIBRARY=$LANEPOOL_LIB_DIR/liblanepool.so
    ;;&
  all)
    run "${pytest[@]}"
    run "$python" "$here/bench/calls.py"
    ;;
  pyramid)
    export LANEPOOL_PYRAMID=8192
    run "${pytest[@]}" -s -k pyramid
    ;;
  build)
    rm -rf "$work/sdist"
    (cd "$root" && run "$python" -c 'import sys; from scikit_build_core.build import build_sdist
build_sdist(sys.argv[1])' "$work/sdist" >/dev/null)
    install_package "$work"/sdist/lanepool-*.tar.gz
    run "${pytest[@]}" -k "not pyramid and not workers"
    ;;
  *) echo "usage: test.sh [pyramid|build]" >&2; exit 2 ;;
esac
