#!/usr/bin/env bash
# Counts instructions on 64-bit Arm under qemu, asks llvm-mca what cores would make of them, and
# fills the tables of docs/arm.md. Safe to repeat; what is set up stays in build/arm.
#
#   scripts/arm_counts.sh [--suite SUITE] [--filter TEXT] [--json FILE] [--document FILE]
#
# Debian 12: apt-get install g++-aarch64-linux-gnu qemu-user llvm-19 clang-19. XNNPACK comes as
# packages for arm64 of Debian SUITE (forky), unpacked; without, there is nothing to compare with.
# Without clang-19 there is no SVE. Other releases of qemu-user take no plugins, as their programs
# are linked statically.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/arm suite=forky filter="" json="" document=docs/arm.md
while [ $# -gt 0 ]; do
  case "$1" in
    --suite) suite=${2:?} ;;
    --filter) filter=${2:?} ;;
    --json) json=${2:?} ;;
    --document) document=${2:?} ;;
    *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
json=${json:-$out/counts.json}
mkdir -p "$out"
root=$out/debian

for tool in qemu-aarch64 aarch64-linux-gnu-g++ llvm-mc-19 llvm-mca-19; do
  command -v "$tool" >/dev/null || { echo "arm_counts: $tool is not installed" >&2; exit 1; }
done

build() { # PRESET, then options for CMake
  cmake --preset "$1" -DLANEPOOL_BUILD_COUNTS=ON "${@:2}" >"$out/$1.log"
  cmake --build --preset "$1" --parallel "$(nproc)" --target pool_calls
}

scripts/deps.sh
cc -shared -fPIC -O2 -o "$out/count_blocks.so" bench/arm/count_blocks.c
options=(--plugin "$out/count_blocks.so" --neon build/aarch64/bin/pool_calls)

if ARCHITECTURE=arm64 scripts/unpack_debian.sh "$suite" "$root" \
  libxnnpack-dev libpthreadpool-dev libstdc++6; then
  lib=$PWD/$root/usr/lib/aarch64-linux-gnu include=$PWD/$root/usr/include
  build aarch64 -DLANEPOOL_BENCH_PEERS=ON \
    "-DLANEPOOL_XNNPACK_LIBRARY=$lib/libXNNPACK.so" "-DLANEPOOL_XNNPACK_INCLUDE_DIR=$include" \
    "-DLANEPOOL_PTHREADPOOL_LIBRARY=$lib/libpthreadpool.so" \
    "-DLANEPOOL_PTHREADPOOL_INCLUDE_DIR=$include"
  cmake --build --preset aarch64 --target peer_xnnpack
  options+=(--root "$root")
else
  echo "arm_counts: no XNNPACK for arm64, so nothing to compare with"
  build aarch64
fi
if command -v clang++-19 >/dev/null; then
  build sve
  options+=(--sve build/sve/bin/pool_calls)
fi

python3 bench/arm/counts.py "${options[@]}" --filter "$filter" --json "$json"
python3 bench/arm/tables.py "$json" "$document"
echo "arm_counts: wrote $json and the tables of $document"
