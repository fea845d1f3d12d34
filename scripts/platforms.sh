#!/usr/bin/env bash
# Builds tests for other instruction sets with cross compilers and runs them under qemu.
#
#   scripts/platforms.sh [--install] [--quick] [PLATFORM...]
#
# Platforms: aarch64 sve riscv64 ppc64le s390x armv7, all of them if none is named. --quick: only
# digest_test, whose number is the same on every platform, and cases_test, on one CPU. --install
# gets what is missing by scripts/deps.sh; without it a platform whose compiler or emulator is not
# there is skipped. Exit status 0 when no test failed. docs/platforms.md has the results.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

every=(aarch64 sve riscv64 ppc64le s390x armv7)
install='' quick='' platforms=()
for argument in "$@"; do
  case "$argument" in
    --install) install=1 ;;
    --quick) quick=1 ;;
    aarch64 | sve | riscv64 | ppc64le | s390x | armv7) platforms+=("$argument") ;;
    *) sed -n '4s/^# \{0,1\}/usage:/p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#platforms[@]} -gt 0 ] || platforms=("${every[@]}")

# CPUs for qemu: the first is what --quick takes. Vectors of SVE and RISC-V have the length that the
# CPU says.
describe() { # PLATFORM
  tests=(digest_test cases_test kinds_test guard_test uninitialised_test)
  cases=200 # random jobs of each test but the digest: emulation is slow
  case "$1" in
    aarch64)
      compiler=aarch64-linux-gnu-g++ emulator=qemu-aarch64 triple=aarch64-linux-gnu
      cases=''
      cpus=(cortex-a72) ;;
    sve)
      compiler=clang++-19 emulator=qemu-aarch64 triple=aarch64-linux-gnu
      cpus=(max "max,sve128=on" "max,sve256=on" "max,sve2048=on,sve-default-vector-length=256") ;;
    riscv64)
      compiler=clang++-19 emulator=qemu-riscv64 triple=riscv64-linux-gnu
      cpus=("rv64,v=true,vlen=128" "rv64,v=true,vlen=256" "rv64,v=true,vlen=1024") ;;
    ppc64le)
      compiler=powerpc64le-linux-gnu-g++ emulator=qemu-ppc64le triple=powerpc64le-linux-gnu
      cpus=(power10 power9) ;;
    s390x)
      compiler=s390x-linux-gnu-g++ emulator=qemu-s390x triple=s390x-linux-gnu cpus=(max) ;;
    armv7)
      # No long double there that is larger than double: the oracle cannot judge floats.
      compiler=clang++-19 emulator=qemu-arm triple=arm-linux-gnueabihf cpus=(max)
      tests=(digest_test uninitialised_test) ;;
  esac
  [ -z "$quick" ] || cpus=("${cpus[0]}")
  [ -z "$quick" ] || tests=("${tests[@]:0:2}")
}

# Why a platform cannot be tested here, or nothing.
missing() {
  command -v "$compiler" > /dev/null || { echo "$compiler is not installed"; return; }
  command -v "$emulator" > /dev/null || { echo "$emulator (qemu-user) is not installed"; return; }
  [ -d "/usr/$triple" ] || { echo "g++-$triple is not installed"; return; }
  # qemu 7.2 stops in vector code of RISC-V by an assertion of its own.
  local version
  version=$("$emulator" --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
  [ "$1" != riscv64 ] || [ "$version" -ge 8 ] || echo "$emulator is of version $version, too old"
}

failed=()
check() { # NAME COMMAND...
  local start=$SECONDS name=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf '%s: passed (%d s) %s\n' "$name" $((SECONDS - start)) \
      "$(sed -n 's/^\([0-9a-f]\{16\}\) .* jobs, \(.*\)/\1 \2/p' <<< "$output" | paste -sd ' ')"
  else
    printf '%s\n%s: FAILED\n' "$output" "$name"
    failed+=("$name")
  fi
}

test_platform() { # PLATFORM
  local reason cpu name
  describe "$1"
  reason=$(missing "$1")
  [ -z "$reason" ] || { echo "$1: $reason: skipped"; return 0; }
  { cmake --preset "$1" && cmake --build --preset "$1" --parallel "$(nproc)" --target "${tests[@]}"; } > "build/$1.log" 2>&1 ||
    { tail -n 40 "build/$1.log"; echo "$1: the build FAILED, see build/$1.log"; failed+=("$1"); return 0; }
  for cpu in "${cpus[@]}"; do
    for name in "${tests[@]}"; do
      if [ "$name" = digest_test ] || [ -z "$cases" ]; then
        unset LANEPOOL_CASES
      else
        export LANEPOOL_CASES=$cases
      fi
      check "$1, $cpu, $name" "$emulator" -cpu "$cpu" -L "/usr/$triple" "build/$1/bin/$name"
    done
  done
}

[ -z "$install" ] || scripts/deps.sh "${platforms[@]/#/--}" || exit 1
mkdir -p build
for platform in "${platforms[@]}"; do test_platform "$platform"; done
[ ${#failed[@]} = 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
