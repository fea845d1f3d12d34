#!/usr/bin/env bash
# Branch coverage of the planner, by llvm-cov 19: builds planner and runner with counters, runs the
# planner's tests, prints the table, and what was never taken. Exit status 0 when every branch was.
#   scripts/coverage.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources=(src/planner.cc src/axis.h src/api.cc src/desc.cc src/requant.cc src/requant.h
         src/requant_apply.cc src/requant_search.cc src/requant_steps.cc)
tests=(axis_test requant_test machine_test bad_input_test bad_ops_test bad_quantization_test
       sentences_test quantized_plan_test quantized_environment_test api_test cases_test table_test unpool_test index_call_test
       fuzz_plan_replay fuzz_desc_replay)

scripts/deps.sh --coverage
cmake --preset coverage
cmake --build --preset coverage --parallel "$(nproc)" --target "${tests[@]}"

build=build/coverage
counts=$build/counts
rm -rf "$counts"
# %m: one file for each program and library, which repeated runs add to.
LLVM_PROFILE_FILE="$PWD/$counts/%m.profraw" ctest --test-dir "$build" --output-on-failure \
  --no-tests=error --parallel "$(nproc)" -R "^($(IFS='|'; echo "${tests[*]}"))\$"
llvm-profdata-19 merge -o "$counts/all.profdata" "$counts"/*.profraw

objects=("$build/lib/liblanepool.so"
         -object "$build/bin/axis_test" -object "$build/bin/requant_test")
cov() { llvm-cov-19 "$@" -instr-profile "$counts/all.profdata" "${objects[@]}" "${sources[@]}"; }

# Columns: file, then count, missed and covered share of regions, functions, lines, branches.
cov report --show-branch-summary | awk '
  NF == 13 { printf "%-22s %5d branches, %3d missed, %s\n", $1, $11, $12, $13 }
  $1 == "TOTAL" { missed = $12 }
  END { exit missed != 0 }' && exit 0
echo "coverage: never taken:"
cov show --show-branches=count --show-instantiations=false | awk -F'|' '
  /^[^ |]+:$/ { sub(".*/", ""); file = $0 }
  /^ *[0-9]+\|/ { line = $0; sub(/^[^|]*\|[^|]*\|/, "", line); number = $1 + 0 }
  /: 0[],]/ { sub(/^[ |]*/, ""); print file number ":" line "   " $0 }' | sort -u
exit 1
