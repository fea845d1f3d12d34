#!/usr/bin/env bash
# Runs clang-tidy on the project's own C++ sources, by default all that the release build compiles.
#   scripts/tidy.sh [FILE...]
# One instruction set is enough for the checks, and eight times as fast: HWY_COMPILE_ONLY_STATIC.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidy=$(command -v clang-tidy-19 || command -v clang-tidy || true)
if [ -z "$tidy" ]; then
  echo "tidy: no clang-tidy; scripts/deps.sh --clang installs it on Debian" >&2
  exit 1
fi
preset=release
[ -e "build/$preset/compile_commands.json" ] || cmake --preset "$preset" >/dev/null

# The compilation database without what GCC alone knows.
database="build/$preset/tidy"
mkdir -p "$database"
sed 's/ -mmem[a-z]*-strategy=[^ ]*//g' "build/$preset/compile_commands.json" \
  >"$database/compile_commands.json"

# The files of the compilation database that belong to the project.
sources() {
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "build/$preset/compile_commands.json" |
    sed -n "s#^$PWD/##p" | grep -v '^build/' | sort -u
}

files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(sources)
printf '%s\n' "${files[@]}" |
  xargs -P "$(nproc)" -n 1 "$tidy" --quiet -p "$database" \
    --extra-arg=-DHWY_COMPILE_ONLY_STATIC --extra-arg=-Wno-unknown-warning-option
echo "tidy: ${#files[@]} files are clean"
