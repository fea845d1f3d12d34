#!/usr/bin/env bash
# Installs a build into a fresh prefix and uses it as strangers would: the tool, find_package, and
# pkg-config; C and C++; shared and static.
#   check.sh BUILD_DIR WORK_DIR      (CC, CXX, CMAKE and CTEST from the environment)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
work=$2
prefix=$work/prefix
static=$work/static
: "${CC:=cc}" "${CXX:=c++}" "${CMAKE:=cmake}" "${CTEST:=ctest}"

rm -rf "$work"
mkdir -p "$work"
"$CMAKE" --install "$build" --prefix "$work/staging" >"$work/install.log"
mv "$work/staging" "$prefix" # nothing may depend on the directory it was installed into

say() { printf -- '--- %s\n' "$*"; }

if [ -x "$prefix/bin/lanepool" ]; then
  say "$prefix/bin/lanepool --version"
  "$prefix/bin/lanepool" --version
fi

say find_package
"$CMAKE" -G Ninja -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >"$work/cmake.log"
"$CMAKE" --build "$work/cmake" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
"$CTEST" --test-dir "$work/cmake" --output-on-failure --no-tests=error

# Builds and runs main.c, main.cc and typed.cc with the flags given, the library's directory being $1.
compile_and_run() {
  local name=$1 libdir=$2
  shift 2
  "$CC" -std=c99 -Wall -Wextra -Werror "$here/main.c" "$@" -o "$work/pc_c_$name"
  "$CXX" -std=c++11 -Wall -Wextra -Werror "$here/main.cc" "$@" -o "$work/pc_cxx_$name"
  "$CXX" -std=c++17 -Wall -Wextra -Werror "$here/typed.cc" "$@" -o "$work/pc_typed_$name"
  local path=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  LD_LIBRARY_PATH=$path "$work/pc_c_$name"
  LD_LIBRARY_PATH=$path "$work/pc_cxx_$name"
  LD_LIBRARY_PATH=$path "$work/pc_typed_$name"
}

libdir=$(dirname "$(find "$prefix" -name liblanepool.a)")
others=${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH=$libdir/pkgconfig$others
say "pkg-config, shared"
read -ra flags <<<"$(pkg-config --cflags --libs lanepool)"
compile_and_run shared "$libdir" "${flags[@]}"

say "pkg-config, static" # a copy without the shared library, so that the linker has no choice
cp -r "$prefix" "$static"
rm "$static${libdir#"$prefix"}"/liblanepool.so*
export PKG_CONFIG_PATH=$static${libdir#"$prefix"}/pkgconfig$others
read -ra flags <<<"$(pkg-config --static --cflags --libs lanepool)"
compile_and_run static "" -DLANEPOOL_STATIC "${flags[@]}"
