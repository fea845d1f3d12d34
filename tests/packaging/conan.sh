#!/usr/bin/env bash
# Packs the library by packaging/conan, shared and static, and runs the recipe's test_package.
#
#   conan.sh WORK_DIR      (CC and CXX from the environment)
#
# Only the baseline instruction set is compiled: the packaging is tested, not the kernels. Nothing of
# the user's Conan is touched, and no remote is asked. Exit status 77: there is no conan.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$here/../..
work=$1

PATH=$checkout/build/venv/bin:$PATH
command -v conan >/dev/null || { echo "skipped: there is no conan"; exit 77; }
case "$(conan --version)" in
  *"version 2."*) ;;
  *) echo "skipped: not Conan 2 but $(conan --version)"; exit 77 ;;
esac

rm -rf "$work"
mkdir -p "$work"
export CONAN_HOME=$work/home
conan profile detect >"$work/profile.log" 2>&1
targets="AVX10_2;AVX3_SPR;AVX3_ZEN4;AVX3_DL;AVX3;AVX2;SSE4;SSSE3"
for shared in True False; do
  echo "--- shared=$shared"
  conan create "$checkout/packaging/conan" --no-remote -o "lanepool/*:shared=$shared" \
    -c "tools.cmake.cmake_layout:test_folder=$work/test_$shared" \
    -c "tools.build:jobs=2" \
    -c "tools.cmake.cmaketoolchain:extra_variables={'LANEPOOL_DISABLED_TARGETS': '$targets'}" \
    >"$work/create_$shared.log" 2>&1 || { cat "$work/create_$shared.log"; exit 1; }
  grep ": max of \|: average of " "$work/create_$shared.log"
  [ "$(grep -c ": max of \|: average of " "$work/create_$shared.log")" = 3 ]
done
