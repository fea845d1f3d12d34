#!/usr/bin/env bash
# Unpacks the sources of Highway into build/deps/highway-<version>, where CMake finds them.
#
# Debian 12 has Highway 1.0.3, which is too old. The source package of a newer Debian suite comes
# from the mirror that this machine already uses, checked by apt against Debian's keyring, with a
# package list of its own: the machine's configuration stays as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minimum=1.2
pinned_version=1.3.0
pinned_sha256=07b3c1ba2c1096878a85a31a5b9b3757427af963b1141ca904db2f9f4afe0bc2
suites=(forky sid trixie)
deps=build/deps
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

mkdir -p "$deps"
unpacked=$(find "$deps" -maxdepth 1 -name 'highway-[0-9]*' | sort -V | tail -n 1)
if [ -n "$unpacked" ]; then
  echo "highway: using $unpacked"
  exit 0
fi

if ! { command -v apt-get >/dev/null && [ -r "$keyring" ]; }; then
  echo "highway: not a Debian machine" >&2
  exit 1
fi

# The mirror of the main archive, as this machine's apt has it. Knows none before the first update.
mirror() {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(COMPONENT) $(REPO_URI) $(SUITE)' |
    awk '$1 == "Packages" && $2 == "Debian" && $3 == "main" &&
         $5 !~ /security|updates|backports/ && !found { found = 1; print $4 }'
}
uri=$(mirror)
if [ -z "$uri" ]; then
  if [ "$(id -u)" = 0 ]; then apt-get -qq update; else sudo apt-get -qq update; fi
  uri=$(mirror)
fi
[ -n "$uri" ] || { echo "highway: apt names no Debian mirror" >&2; exit 1; }

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state"/{lists/partial,cache/archives/partial,parts,download}
apt=(-qq -o Acquire::Retries=3 -o Dir::Etc::sourcelist=/dev/null
     -o Dir::Etc::sourceparts="$state/parts" -o Dir::State::lists="$state/lists"
     -o Dir::Cache="$state/cache" -o APT::Sandbox::User="$(id -un)")

# Makes apt see the source packages of one suite.
use_suite() {
  printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$uri" "$1" "$keyring" >"$state/parts/source.sources"
  apt-get "${apt[@]}" update
}

# Versions of the source package in that suite, newest first, Debian revision included.
offered() {
  apt-cache "${apt[@]}" showsrc --only-source highway 2>/dev/null |
    sed -n 's/^Version: //p' | sort -rV
}

# Downloads highway=$1 and moves its upstream tree to build/deps/highway-<upstream version>.
unpack() {
  local version=${1%-*}
  (cd "$state/download" && apt-get "${apt[@]}" source --download-only "highway=$1")
  local tarball=$state/download/highway_$version.orig.tar.gz
  if [ "$version" = "$pinned_version" ]; then
    echo "$pinned_sha256  $tarball" | sha256sum --check --quiet
  fi
  mkdir -p "$state/tree"
  tar -xzf "$tarball" -C "$state/tree" --strip-components=1
  rm -rf "$deps/.incoming"
  cp -r "$state/tree" "$deps/.incoming" # beside its place, so that the move is atomic
  mv "$deps/.incoming" "$deps/highway-$version"
}

is_wanted() { # version, lowest or exact version
  case "$2" in
    exactly) [ "${1%-*}" = "$pinned_version" ] ;;
    at_least) dpkg --compare-versions "$1" ge "$minimum" ;;
  esac
}

for rule in exactly at_least; do
  for suite in "${suites[@]}"; do
    use_suite "$suite" || continue
    for version in $(offered); do
      is_wanted "$version" "$rule" || continue
      unpack "$version"
      echo "highway: unpacked $version of Debian $suite into $deps/highway-${version%-*}"
      exit 0
    done
  done
done
echo "highway: no version >= $minimum in Debian ${suites[*]}" >&2
exit 1
