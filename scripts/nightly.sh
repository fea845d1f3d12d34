#!/usr/bin/env bash
# The long checks: what .ci/run has no time for. Sets up what it needs itself; safe to repeat.
#
#   scripts/nightly.sh [--minutes N] [STEP...]
#
# --minutes is how long each fuzzer runs (default 15). Steps: long coverage mutation generated
# seeded asan tsan msan fuzz afl valgrind qemu platforms wasm; all of them if none is named.
# Exit status 0 when nothing was found. Beside other work on two cores mutation has taken 85
# minutes, seeded 40, of which 19 minutes of CPU time.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

minutes=15
steps=()
while [ $# -gt 0 ]; do
  case "$1" in
    --minutes) minutes=${2:?--minutes needs a number}; shift 2 ;;
    --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    long | coverage | mutation | generated | seeded | asan | tsan | msan | fuzz | afl | valgrind | \
      qemu | platforms | wasm)
      steps+=("$1")
      shift
      ;;
    *) echo "usage: scripts/nightly.sh [--minutes N] [STEP...]" >&2; exit 2 ;;
  esac
done
[ ${#steps[@]} -gt 0 ] ||
  steps=(long coverage mutation generated seeded asan tsan msan fuzz afl valgrind qemu platforms
         wasm)

jobs=$(nproc)
failed=()
check() {
  local start=$SECONDS
  printf '\n=== %s\n' "$*"
  if "$@"; then
    printf '=== passed (%d s)\n' $((SECONDS - start))
  else
    printf '=== FAILED: %s\n' "$*"
    failed+=("$*")
  fi
}
build() { # PRESET TARGET...
  cmake --preset "$1" && cmake --build --preset "$1" --parallel "$jobs" --target "${@:2}"
}

# What the presets leave out of the everyday tests, such as building all of tract.
step_long() {
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check 'conan>=2.4,<3' ||
    echo "no Conan: its test is skipped"
  build release all && check ctest --test-dir build/release -L '^long$' --output-on-failure
}

# Every branch of the planner is taken, and nearly every small fault in it is noticed.
step_coverage() { check scripts/coverage.sh; }
step_mutation() {
  build coverage all && check build/venv/bin/python tests/mutation.py --build build/coverage
}

# Many more random jobs than the tests make, with other seeds: guard pages, every kind against the
# oracle, plans against 128-bit arithmetic.
step_generated() {
  build release guard_test items_test kinds_test contract_test digest_test \
    fuzz_plan_replay fuzz_run_replay fuzz_desc_replay fuzz_npy_replay || return
  local bin=build/release/bin seed=${RANDOM}${RANDOM}
  echo "seed $seed"
  LANEPOOL_SEED=$seed LANEPOOL_CASES=150000 check "$bin/guard_test"
  LANEPOOL_SEED=$seed LANEPOOL_CASES=200000 check "$bin/items_test"
  LANEPOOL_SEED=$seed LANEPOOL_CASES=100000 check "$bin/kinds_test"
  LANEPOOL_SEED=$seed LANEPOOL_CASES=20000 check "$bin/contract_test"
  LANEPOOL_SEED=$seed LANEPOOL_CASES=200000 check "$bin/digest_test"
  check "$bin/fuzz_plan_replay" --generate 100000000 --seed "$seed"
  check "$bin/fuzz_desc_replay" --generate 50000000 --seed "$seed"
  check "$bin/fuzz_npy_replay" --generate 50000000 --seed "$seed"
  check "$bin/fuzz_run_replay" --generate 200000 --seed "$seed"
}

# The instruction sets that sanitized builds leave out, see cmake/LanepoolTargets.cmake.
step_asan() {
  cmake --preset asan -B build/asan-avx2 \
    "-DLANEPOOL_DISABLED_TARGETS=AVX10_2;AVX3_SPR;AVX3_ZEN4;AVX3_DL;AVX3;SSE4;SSSE3" &&
    cmake --build build/asan-avx2 --parallel "$jobs" --target all &&
    check ctest --test-dir build/asan-avx2 -LE '^long$' --output-on-failure
}

step_tsan() {
  build tsan threads_test && LANEPOOL_CASES=1000 check build/tsan/bin/threads_test
}

step_msan() {
  build msan uninitialised_test && LANEPOOL_CASES=20000 check build/msan/bin/uninitialised_test
}

# Every check notices what it is there for.
step_seeded() { check build/venv/bin/python tests/seeded_defects.py; }

# PRESET NAME...: coverage-guided, from the stored corpus; what is new and small stays in
# build/PRESET/corpus.
guided() {
  local preset=$1 name words
  shift
  build "$preset" "$@" || return
  for name; do
    mkdir -p "build/$preset/corpus/$name"
    words=()
    [ ! -f "fuzz/$name.dict" ] || words=(-dict="fuzz/$name.dict")
    check "build/$preset/bin/$name" "build/$preset/corpus/$name" "fuzz/corpus/$name" \
      "${words[@]}" -max_total_time=$((minutes * 60)) -jobs="$jobs" -workers="$jobs" \
      -print_final_stats=1 -artifact_prefix="build/$preset/" -max_len=4096
  done
}

# With sanitizers, and the planner again with as many inputs as possible.
step_fuzz() {
  local failures=0
  guided fuzz fuzz_plan fuzz_run fuzz_desc fuzz_npy || failures=1
  guided fuzz-fast fuzz_plan fuzz_desc || failures=1
  return $failures
}

# The same inputs by AFL++, which stops for the first crash.
step_afl() {
  command -v afl-fuzz > /dev/null || { echo "afl-fuzz is not installed (afl++): skipped"; return 0; }
  build afl fuzz_plan fuzz_desc || return
  local name
  for name in fuzz_plan fuzz_desc; do
    AFL_AUTORESUME=1 AFL_BENCH_UNTIL_CRASH=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
      AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
      check afl-fuzz -V $((minutes * 60)) -i "fuzz/corpus/$name" -o "build/afl/$name" \
      "build/afl/bin/$name"
    check test -z "$(find "build/afl/$name/default/crashes" "build/afl/$name/default/hangs" -name 'id:*')"
    grep -h execs_done "build/afl/$name/default/fuzzer_stats"
  done
}

step_valgrind() {
  command -v valgrind > /dev/null || { echo "valgrind is not installed: skipped"; return 0; }
  build release kinds_test || return
  LANEPOOL_CASES=300 check valgrind --quiet --error-exitcode=1 \
    build/release/bin/kinds_test --gtest_filter='*RandomJobs'
}

# CPUs without what this one has: nothing that they lack is executed, and results are the same.
step_qemu() {
  command -v qemu-x86_64 > /dev/null || { echo "qemu-x86_64 is not installed: skipped"; return 0; }
  [ "$(uname -m)" = x86_64 ] || return 0
  build release digest_test || return
  local native cpu digests
  native=$(LANEPOOL_CASES=600 build/release/bin/digest_test | sed -n 's/ .* jobs.*//p' | sort -u)
  echo "here: $native"
  for cpu in qemu64,-pni,-sse4.1,-sse4.2,-popcnt Opteron_G1 Conroe Penryn Nehalem Haswell-noTSX; do
    digests=$(LANEPOOL_CASES=600 qemu-x86_64 -cpu "$cpu" build/release/bin/digest_test 2> /dev/null |
      grep ' jobs, ')
    echo "$cpu: $digests"
    check test "$(sed 's/ .*//' <<< "$digests" | sort -u)" = "$native"
  done
}

# Other instruction sets under qemu, docs/platforms.md.
step_platforms() { check scripts/platforms.sh --install; }

# WebAssembly: the same results in Node, and the explorer in a browser beside this machine's library.
step_wasm() {
  scripts/deps.sh --wasm || return
  command -v em++ > /dev/null || { echo "Emscripten is not installed: skipped"; return 0; }
  local tests=(digest_test cases_test kinds_test) name
  build wasm "${tests[@]}" || return
  for name in "${tests[@]}"; do
    check node --no-experimental-fetch "build/wasm/bin/$name.js"
  done
  build release all || return
  check ctest --test-dir build/release -R '^(python|explorer)_test$' --output-on-failure
}

scripts/deps.sh --clang || exit 1
for step in "${steps[@]}"; do
  printf '\n##### %s\n' "$step"
  "step_$step" || failed+=("$step")
done

printf '\n'
if [ ${#failed[@]} -gt 0 ]; then
  printf 'nightly: failed: %s\n' "${failed[@]}"
  exit 1
fi
printf 'nightly: nothing found in %d s\n' "$SECONDS"
