#!/usr/bin/env bash
# Proves that the two commands of the README work on a machine with nothing on it: makes a minimal
# Debian 12 root with debootstrap, clones the current HEAD into it, and runs both there. As root.
#
#   scripts/fresh_machine.sh DIR [COMMAND...]
#
# DIR is created, or reused with whatever an earlier run left there. How this machine reaches its
# package archives (apt sources, proxies, certificates, pip configuration) is copied.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: scripts/fresh_machine.sh DIR [COMMAND...]" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "fresh_machine: must run as root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "fresh_machine: install debootstrap" >&2; exit 2; }
if [ "${LANEPOOL_OWN_MOUNTS:-}" != yes ]; then
  exec env LANEPOOL_OWN_MOUNTS=yes unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi
mkdir -p "$1"
root=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shift
commands=("$@")
[ ${#commands[@]} -gt 0 ] || commands=(./scripts/quickstart.sh ./scripts/test.sh)
suite=bookworm

mirror() {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(COMPONENT) $(REPO_URI) $(SUITE)' |
    awk '$1 == "Packages" && $2 == "Debian" && $3 == "main" &&
         $5 !~ /security|updates|backports/ && !found { found = 1; print $4 }'
}

make_root() {
  # debootstrap keeps its own directory there until it has finished.
  [ ! -e "$root/etc/debian_version" ] || [ -e "$root/debootstrap" ] || return 0
  debootstrap --variant=minbase "$suite" "$root" "$(mirror)" >"$root.debootstrap.log" ||
    { tail -n 20 "$root.debootstrap.log" >&2; exit 1; }
}

# Copies files and directories, links resolved, of this machine to the same place in the root.
copy_same() {
  local path
  for path in "$@"; do
    [ -e "$path" ] || continue
    mkdir -p "$root$(dirname "$path")"
    cp -rL --no-target-directory "$path" "$root$path"
  done
}

copy_network_configuration() {
  rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
  copy_same /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} \
    /etc/apt/keyrings /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt \
    /etc/pip.conf /etc/resolv.conf /etc/hosts
  copy_same "${PIP_FIND_LINKS:-/nonexistent}"
  apt-config dump | grep -E '^Acquire::' | grep -v '^Acquire::IndexTargets' \
    >"$root/etc/apt/apt.conf.d/99host" || true
}

# The variables by which programs find proxies, certificates and package indexes.
network_environment() {
  env | grep -E '^(PIP_[A-Z_]+|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)=' || true
  env | grep -E '^(SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)=' || true
}

# In this process's own mount namespace: nothing is left mounted, whatever happens.
mount_kernel_files() {
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount --bind /dev "$root/dev"
  [ ! -d /dev/pts ] || mount --bind /dev/pts "$root/dev/pts"
  [ ! -d /dev/shm ] || mount -t tmpfs tmpfs "$root/dev/shm"
}

run_in_root() {
  local variables=()
  mapfile -t variables < <(network_environment)
  chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${variables[@]}" "$@"
}

echo "fresh_machine: Debian $suite in $root"
make_root
copy_network_configuration
mount_kernel_files
rm -rf "$root/root/lanepool"
git clone --quiet --no-hardlinks . "$root/root/lanepool"
echo "fresh_machine: HEAD is $(git -C "$root/root/lanepool" log -1 --format='%h %s')"

failed=0
for command in "${commands[@]}"; do
  start=$SECONDS
  log=$root.$(basename "${command%% *}" .sh).log
  if run_in_root /bin/sh -c "cd /root/lanepool && $command" >"$log" 2>&1; then
    echo "fresh_machine: passed: $command ($((SECONDS - start)) s, $log)"
  else
    echo "fresh_machine: FAILED: $command ($((SECONDS - start)) s, $log)"
    tail -n 40 "$log"
    failed=1
  fi
done
exit $failed
