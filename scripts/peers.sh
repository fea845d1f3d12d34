#!/usr/bin/env bash
# Compares lanepool with other libraries on this machine: sets them up in a folder, builds, runs,
# and writes one JSON file (bench/peers/README.md). Safe to repeat; what is set up stays.
#
#   scripts/peers.sh [--dir FOLDER] [--json FILE] [--suite SUITE] [--filter TEXT]... [--seconds S]
#
# FOLDER is build/peers; it takes about 2 GB. Nothing is installed outside of it but what
# scripts/deps.sh installs. A library that cannot be had is named, and left out.
#   oneDNN, XNNPACK, PyTorch   packages of Debian SUITE (forky), unpacked; without apt-get: what the
#                              system has
#   ONNX Runtime, OpenVINO     wheels of PyPI; ONNX Runtime's headers are in a package of SUITE
#   ncnn                       its release from GitHub, built in a minute
set -euo pipefail
project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")

folder=$project/build/peers json="" suite=forky
filters=() options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --dir) folder=$(realpath -m "${2:?}") ;;
    --json) json=$(realpath -m "${2:?}") ;;
    --suite) suite=${2:?} ;;
    --filter) filters+=("$1" "${2:?}") ;;
    --seconds) options+=("$1" "${2:?}") ;;
    *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
mkdir -p "$folder"
cd "$project"
json=${json:-$folder/peers.json}
bench_peers=$folder/build/bin/bench_peers
root=$folder/debian pypi=$folder/pypi ncnn=$folder/ncnn
packages=(libdnnl-dev libxnnpack-dev libpthreadpool-dev libonnxruntime-dev libtorch-dev)
wheels=(onnxruntime openvino)
ncnn_version=20260526

skip() { echo "peers: skipping $1: $2"; }

unpack_packages() {
  scripts/unpack_debian.sh "$suite" "$root" "${packages[@]}" ||
    skip "the packages of Debian $suite" "what the system has is used instead"
}

install_wheels() {
  local wheel
  for wheel in "${wheels[@]}"; do
    [ ! -d "$pypi/$wheel" ] || continue
    echo "peers: installing $wheel of PyPI into $pypi"
    build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
      --upgrade --target "$pypi" "$wheel" || skip "$wheel" "pip could not install it"
  done
}

# Only the layers that pool, and those that they use.
build_ncnn() {
  [ ! -e "$ncnn/lib/cmake/ncnn" ] || return 0
  local source=$folder/ncnn-source
  if [ ! -e "$source/CMakeLists.txt" ]; then
    echo "peers: downloading ncnn $ncnn_version into $source"
    git clone --quiet --depth 1 --branch "$ncnn_version" \
      https://github.com/Tencent/ncnn "$source" ||
      { skip ncnn "no source in $source"; return 0; }
  fi
  local off
  off=$(sed -n 's/^ncnn_add_layer(\([A-Za-z0-9_]*\).*/\1/p' "$source/src/CMakeLists.txt" |
    grep -vE '^(Pooling|Pooling1D|Pooling3D|Padding|Packing|Cast)$' | tr '[:upper:]' '[:lower:]')
  echo "peers: building ncnn"
  # shellcheck disable=SC2086,SC2046
  { cmake -S "$source" -B "$folder/ncnn-build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_INSTALL_PREFIX="$ncnn" -DCMAKE_INSTALL_LIBDIR=lib -DNCNN_SHARED_LIB=ON \
      -DNCNN_VERSION="$ncnn_version" \
      -DNCNN_VULKAN=OFF -DNCNN_PYTHON=OFF -DNCNN_BUILD_TOOLS=OFF -DNCNN_BUILD_EXAMPLES=OFF \
      -DNCNN_BUILD_BENCHMARK=OFF -DNCNN_BUILD_TESTS=OFF $(printf -- '-DWITH_LAYER_%s=OFF ' $off) &&
    cmake --build "$folder/ncnn-build" --target install --parallel "$(nproc)"
  } >"$folder/ncnn.log" 2>&1 || skip ncnn "its build failed, see $folder/ncnn.log"
}

# The first file of a pattern, or nothing.
first() { compgen -G "$1" | head -n 1 || true; }

configure_and_build() {
  local onnxruntime openvino hints=()
  onnxruntime=$(first "$pypi/onnxruntime/capi/libonnxruntime.so.*")
  openvino=$(first "$pypi/openvino/libs/libopenvino.so*")
  [ -z "$onnxruntime" ] || hints+=("-DLANEPOOL_ORT_LIBRARY=$onnxruntime")
  [ -z "$openvino" ] || hints+=("-DLANEPOOL_OPENVINO_LIBRARY=$openvino"
                                "-DLANEPOOL_OPENVINO_INCLUDE_DIR=$pypi/openvino/include")
  cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLANEPOOL_BENCH_PEERS=ON \
    -DLANEPOOL_BUILD_TESTS=OFF -DLANEPOOL_BUILD_EXAMPLES=OFF \
    "-DCMAKE_PREFIX_PATH=$root/usr;$ncnn" "${hints[@]}" >"$folder/configure.log"
  grep -e '-- Peer' "$folder/configure.log"
  cmake --build "$folder/build" --target bench/peers/all --parallel "$(nproc)"
}

# With the libraries of all folders, and by the loader of the C library in $root if there is one.
run_bench() {
  local triplet paths loader
  loader=$(first "$root/usr/lib/*/ld-linux-*.so.*")
  triplet=$(basename "$(dirname "${loader:-none/none}")")
  paths=$pypi/openvino/libs:$ncnn/lib
  if [ -z "$loader" ]; then
    LD_LIBRARY_PATH=$paths "$@"
    return
  fi
  local lib=$root/usr/lib
  "$loader" --library-path "$lib/$triplet:$lib/$triplet/blas:$lib/$triplet/lapack:$lib:$paths" "$@"
}

measure() { # file, then options
  local file=$1
  shift
  run_bench "$bench_peers" --json "$file" "${filters[@]}" "${options[@]}" "$@" \
    --cpu "$(lscpu | sed -n 's/^Model name: *//p' | head -n 1)"
}

scripts/deps.sh
unpack_packages
install_wheels
build_ncnn
configure_and_build

# On one core that stays the same; two threads go where they like.
( taskset --pid --cpu-list "$(($(nproc) - 1))" "$BASHPID" >/dev/null
  measure "$folder/one-thread.json" )
parts=("$folder/one-thread.json")
has_rows() { run_bench "$bench_peers" --list --threads 2 "${filters[@]}" >/dev/null 2>&1; }
if [ "$(nproc)" -gt 1 ] && has_rows; then
  measure "$folder/two-threads.json" --threads 2
  parts+=("$folder/two-threads.json")
fi
bench/peers/merge.py "$json" "${parts[@]}"
echo "peers: wrote $json"
