#!/usr/bin/env bash
# Builds tests for other instruction sets with cross compilers and runs them under qemu.
#
#   scripts/platforms.sh [--install] [--quick] [PLATFORM...]
#
# Platforms: aarch64 sve arm-all riscv64 ppc64le s390x armv7; all of them but sve, which is a part of
# arm-all, if none is named. --quick: only digest_test, whose number is the same on every platform,
# and cases_test, on one CPU. --install gets what is missing: compilers and qemu by scripts/deps.sh,
# and where that qemu is older than 10 and its CPUs are too few, the one of Debian SUITE (default
# trixie) into build/deps/qemu. Without --install a platform whose compiler or emulator is not there
# is skipped. Exit status 0 when no test failed. docs/platforms.md has the results.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

every=(aarch64 arm-all riscv64 ppc64le s390x armv7)
install='' quick='' platforms=()
for argument in "$@"; do
  case "$argument" in
    --install) install=1 ;;
    --quick) quick=1 ;;
    aarch64 | sve | arm-all | riscv64 | ppc64le | s390x | armv7) platforms+=("$argument") ;;
    *) sed -n '4s/^# \{0,1\}/usage:/p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#platforms[@]} -gt 0 ] || platforms=("${every[@]}")

all=(digest_test cases_test kinds_test guard_test uninitialised_test)
short=(digest_test cases_test)
guard=("${short[@]}" guard_test)

# Runs, as "CPU|tests": "all", "short" or "guard", with "best" where only the best instruction set
# of that CPU is to be tested, as another run has the others. --quick takes the first, and of it
# what is short. Vectors of SVE and RISC-V have the length that the CPU says.
describe() { # PLATFORM
  least=7 # release of qemu
  case "$1" in
    aarch64)
      compiler=aarch64-linux-gnu-g++ emulator=qemu-aarch64 triple=aarch64-linux-gnu
      runs=("cortex-a72|all") ;;
    sve)
      compiler=clang++-19 emulator=qemu-aarch64 triple=aarch64-linux-gnu
      runs=("max|all") ;;
    arm-all)
      compiler=clang++-19 emulator=qemu-aarch64 triple=aarch64-linux-gnu least=10
      runs=("max|all"
        "max,sve128=on|short best"
        "max,sve256=on|short best"
        "max,sve2048=on,sve-default-vector-length=256|all best"
        "cortex-a72|short best"
        "neoverse-n1|short best"
        "neoverse-v1|all best"
        "neoverse-n2|guard best") ;;
    riscv64) # qemu 7.2 stops in vector code by an assertion of its own
      compiler=clang++-19 emulator=qemu-riscv64 triple=riscv64-linux-gnu least=10
      runs=("rv64,v=true,vlen=128|all" "rv64,v=true,vlen=256|short" "rv64,v=true,vlen=1024|short") ;;
    ppc64le) # qemu 7.2 as a POWER8 lacks an instruction that the C library uses
      compiler=powerpc64le-linux-gnu-g++ emulator=qemu-ppc64le triple=powerpc64le-linux-gnu least=10
      runs=("power10|all best" "power9|short best" "power8|short") ;;
    s390x) # max is a z15 in qemu 10, and without that one's vectors a z14; qemu 7.2 knows no z15
      compiler=s390x-linux-gnu-g++ emulator=qemu-s390x triple=s390x-linux-gnu least=10
      runs=("max|all" "max,vxeh2=off|short") ;;
    armv7)
      compiler=clang++-19 emulator=qemu-arm triple=arm-linux-gnueabihf
      runs=("max|all") ;;
  esac
  if [ -n "$quick" ]; then
    runs=("${runs[0]%|*}|short")
    [ "$1" = riscv64 ] || least=7
  fi
  [ ! -x "build/deps/qemu/usr/bin/$emulator" ] || emulator=build/deps/qemu/usr/bin/$emulator
}

release() {
  local version
  version=$("$emulator" --version 2> /dev/null | sed -n '1s/.*version \([0-9]*\).*/\1/p')
  echo "${version:-0}"
}

# Why a platform cannot be tested here, or nothing.
missing() {
  command -v "$compiler" > /dev/null || { echo "$compiler is not installed"; return; }
  command -v "$emulator" > /dev/null || { echo "$emulator (qemu-user) is not installed"; return; }
  [ -d "/usr/$triple" ] || { echo "g++-$triple is not installed"; return; }
  [ "$(release)" -ge "$least" ] || echo "$emulator is of release $(release), too old"
}

install_tools() {
  local platform
  scripts/deps.sh "${platforms[@]/#/--}" || return 1
  for platform in "${platforms[@]}"; do
    describe "$platform"
    [ "$(release)" -ge "$least" ] || {
      scripts/unpack_debian.sh "${SUITE:-trixie}" build/deps/qemu qemu-user
      return
    }
  done
}

# One line, as one write: other checks run at the same time.
check() { # PLATFORM CPU OPTIONS TEST
  local start=$SECONDS log="build/$1/$2.$4.log" count state=passed
  if [ "$4" = digest_test ]; then unset LANEPOOL_CASES; else export LANEPOOL_CASES=200; fi
  if [[ $3 = *best* ]]; then export LANEPOOL_ONLY_BEST=1; else unset LANEPOOL_ONLY_BEST; fi
  "$emulator" -cpu "$2" -L "/usr/$triple" "build/$1/bin/$4" > "$log" 2>&1 || state=FAILED
  count=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\.$/\1/p' "$log")
  [ "$4" != uninitialised_test ] || count=1 # a program without GoogleTest
  [ $state = passed ] && [ -n "$count" ] || { state=FAILED; count=0; sed "s/^/$1, $2: /" "$log"; }
  printf '%s, %s, %s: %s, tests: %d (%d s)%s\n' "$1" "$2" "$4" $state "$count" $((SECONDS - start)) \
    "$(sed -n 's/^\([0-9a-f]\{16\}\) .* jobs, \(.*\)/ \1 \2/p' "$log" | paste -sd ',')" |
    tee -a "build/$1/platform.txt"
}

failed=()
test_platform() { # PLATFORM
  local reason run cpu options tests name start=$SECONDS summary="build/$1/platform.txt"
  local programs=("${all[@]}")
  [ -z "$quick" ] || programs=("${short[@]}")
  describe "$1"
  reason=$(missing)
  [ -z "$reason" ] || { echo "$1: $reason: skipped"; return 0; }
  { cmake --preset "$1" && cmake --build --preset "$1" --parallel "$(nproc)" --target "${programs[@]}"; } > "build/$1.log" 2>&1 ||
    { tail -n 40 "build/$1.log"; echo "$1: the build FAILED, see build/$1.log"; failed+=("$1"); return 0; }
  echo "$1: built ($((SECONDS - start)) s)"
  : > "$summary"
  for run in "${runs[@]}"; do
    cpu=${run%|*} options=${run#*|} tests=("${all[@]}")
    [[ $options != short* ]] || tests=("${short[@]}")
    [[ $options != guard* ]] || tests=("${guard[@]}")
    for name in "${tests[@]}"; do
      while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n; done
      check "$1" "$cpu" "$options" "$name" &
    done
  done
  wait
  ! grep -q ': FAILED, ' "$summary" || failed+=("$1")
  echo "$1: $(sed 's/.*, tests: \([0-9]*\) .*/\1/' "$summary" | awk '{ n += $1 } END { print n }')" \
    "tests passed on CPUs: ${#runs[@]}, $(grep -c ': FAILED, ' "$summary") programs of" \
    "$(wc -l < "$summary") failed, in $((SECONDS - start)) s;" \
    "digest $(grep -o '[0-9a-f]\{16\}' "$summary" | sort -u | paste -sd ' ')"
}

[ -z "$install" ] || install_tools || exit 1
mkdir -p build
for platform in "${platforms[@]}"; do test_platform "$platform"; done
[ ${#failed[@]} = 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
