#!/usr/bin/env bash
# Unpacks packages of a Debian suite, with all that they need, into a folder. Installs nothing and
# needs no root: this is how a machine with an older release gets at the libraries of a newer one.
#
#   [ARCHITECTURE=arm64] unpack_debian.sh SUITE FOLDER PACKAGE...
#
# ARCHITECTURE is the machine's own if it is not named. apt checks the packages against Debian's
# keyring; its state is private, the machine's stays as it is. The newer C library comes along, so
# programs have to be started by the folder's own dynamic loader. Safe to repeat.
set -euo pipefail

suite=${1:?suite} root=${2:?folder}
shift 2
what="$suite${ARCHITECTURE:+ $ARCHITECTURE} $*"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
stamp=$root/unpacked.txt

if [ "$(cat "$stamp" 2>/dev/null)" = "$what" ]; then
  echo "unpack_debian: $root has $* of Debian $suite"
  exit 0
fi
if ! { command -v apt-get dpkg >/dev/null && [ -r "$keyring" ]; }; then
  echo "unpack_debian: no apt-get, or no Debian keyring" >&2
  exit 1
fi

# DEBIAN_MIRROR, else the mirror that this machine uses if it is a Debian machine.
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(COMPONENT) $(REPO_URI) $(SUITE)' |
  awk '$1 == "Packages" && $2 == "Debian" && $3 == "main" &&
       $5 !~ /security|updates|backports/ && !found { found = 1; print $4 }')
mirror=${DEBIAN_MIRROR:-$mirror}
[ -n "$mirror" ] || { echo "unpack_debian: apt names no Debian mirror; DEBIAN_MIRROR may" >&2; exit 1; }

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state"/{lists/partial,cache/archives/partial,parts}
: >"$state/status" # nothing is installed: everything that is needed gets downloaded
printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
  "$mirror" "$suite" "$keyring" >"$state/parts/suite.sources"
apt=(-qq -o Acquire::Retries=3 -o Dir::Etc::sourcelist=/dev/null
     -o Dir::Etc::sourceparts="$state/parts" -o Dir::State::lists="$state/lists"
     -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" -o Debug::NoLocking=1
     -o APT::Sandbox::User="$(id -un)")
[ -z "${ARCHITECTURE:-}" ] ||
  apt+=(-o APT::Architecture="$ARCHITECTURE" -o APT::Architectures="$ARCHITECTURE")
apt-get "${apt[@]}" update
echo "unpack_debian: unpacking $* of Debian $suite into $root"
apt-get "${apt[@]}" --yes --download-only --no-install-recommends install "$@"

# Of the C library only what runs programs: they are compiled with the machine's own headers.
rm -rf "$root"
mkdir -p "$root"
for package in "$state"/cache/archives/*.deb; do
  case $(basename "$package") in
    libc6-dev_* | libc-dev-bin_* | linux-libc-dev_* | python3* | libpython3* | tzdata_*) ;;
    *) dpkg -x "$package" "$root" ;;
  esac
done
echo "$what" >"$stamp" # last: an interrupted run is repeated
