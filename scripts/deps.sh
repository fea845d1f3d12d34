#!/usr/bin/env bash
# Installs what a build, the tests and the quickstart need. Safe to repeat: does nothing, and asks
# no network, when everything is there.
#
#   scripts/deps.sh            the ordinary build
#   scripts/deps.sh --clang    also clang 19 with its sanitizer run-time, clang-tidy, clang-format
#   scripts/deps.sh --coverage also clang 19 and llvm-cov
#   scripts/deps.sh --wasm     also Emscripten, and a browser for the explorer's tests
#   scripts/deps.sh --aarch64 --sve --arm-all --riscv64 --ppc64le --s390x --armv7
#                              also cross compilers for these, and qemu (scripts/platforms.sh)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(abigail-tools ca-certificates cmake g++ libbenchmark-dev libcli11-dev libcpuinfo-dev
          libgtest-dev ninja-build pkg-config)
for argument in "$@"; do
  case "$argument" in
    --clang) packages+=(clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev) ;;
    --coverage) packages+=(clang-19 libclang-rt-19-dev llvm-19) ;;
    --wasm) packages+=(chromium-headless-shell emscripten node-acorn) ;;
    --aarch64) packages+=(g++-aarch64-linux-gnu qemu-user) ;;
    --sve | --arm-all) packages+=(clang-19 g++-aarch64-linux-gnu qemu-user) ;;
    --riscv64) packages+=(clang-19 g++-riscv64-linux-gnu qemu-user) ;;
    --ppc64le) packages+=(g++-powerpc64le-linux-gnu qemu-user) ;;
    --s390x) packages+=(g++-s390x-linux-gnu qemu-user) ;;
    --armv7) packages+=(clang-19 g++-arm-linux-gnueabihf qemu-user) ;;
    *) sed -n '/^#   scripts/s/^# \{0,1\}/usage:/p' "$0" >&2; exit 2 ;;
  esac
done
# A Python of the user's own, with venv, is as good as Debian's.
python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() {
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() {
  local missing=()
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "deps: installing ${missing[*]}"
  as_root apt-get -qq -o Acquire::Retries=3 update
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 \
    install --no-install-recommends "${missing[@]}" >/dev/null
}

explain_packages() {
  cat <<'TEXT'
deps: this machine has no apt-get. Please install with its own package manager:
        a C++17 compiler (g++ >= 12 or clang >= 14), CMake >= 3.25, Ninja, pkg-config,
        Python >= 3.10 with venv; cpuinfo is optional.
      CMake downloads the rest: Highway, and GoogleTest, Google Benchmark, CLI11 if not installed.
TEXT
  local missing=()
  for tool in cmake ninja python3 c++; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  [ ${#missing[@]} = 0 ] || { echo "deps: missing: ${missing[*]}" >&2; exit 1; }
}

create_python_environment() {
  local venv=build/venv stamp=build/venv/requirements.txt
  cmp -s scripts/requirements.txt "$stamp" && "$venv/bin/python" -c '' 2>/dev/null && return 0
  echo "deps: Python environment in $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --requirement scripts/requirements.txt
  cp scripts/requirements.txt "$stamp" # last: an interrupted installation is repeated
}

if command -v apt-get >/dev/null; then install_packages; else explain_packages; fi
mkdir -p build
scripts/fetch_highway.sh ||
  echo "deps: no Highway sources from a Debian archive; CMake will look for it or download it"
create_python_environment
echo "deps: ready"
