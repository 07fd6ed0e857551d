#!/bin/sh
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at:
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# fetch-ovs-source.sh SUITE DIR
#
# Puts the Open vSwitch source of the Debian suite SUITE (bookworm, trixie,
# sid, ...), its openvswitch-source package, into the new directory DIR, and
# prints its version.
#
# apt does the work and checks the archive's signatures, with lists, cache and
# sources of its own in a temporary directory: nothing of the machine's own
# package management is changed, and no root is needed.  The mirror is that of
# the machine where it is a Debian archive, else the one in
# OVS_FANBENCH_MIRROR.

set -eu
umask 022

die () {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

test $# = 2 || die "usage: $0 SUITE DIR"
suite=$1
dir=$2
case $suite in
    *[!a-z0-9-]* | '' | -*) die "\"$suite\" is not the name of a suite" ;;
esac
test ! -e "$dir" || die "$dir exists already"
for tool in apt-get apt-config dpkg-deb; do
    command -v $tool >/dev/null || die "$tool not found"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
test -f $keyring \
    || die "$keyring not found (package debian-archive-keyring)"

# Prints the URI of the first Debian archive among the machine's sources.
mirror () {
    apt-get indextargets --format '$(SITE) $(REPO_URI) $(ORIGIN) $(LABEL)' \
        2>/dev/null \
        | awk '$3 == "Debian" && $4 == "Debian" { print $2; exit }'
    sed -n 's/^URIs:[ 	]*\([^ 	]*\).*/\1/p
            s/^deb[ 	]\(\[[^]]*\][ 	]*\)\{0,1\}\([^ 	]*\).*/\2/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources 2>/dev/null \
        | grep '/debian/\{0,1\}$' || :
}
mirror=${OVS_FANBENCH_MIRROR:-$(mirror | head -n 1)}
test -n "$mirror" \
    || die "none of apt's sources is a Debian archive: please name one in" \
           "OVS_FANBENCH_MIRROR"

work=$(mktemp -d "${TMPDIR:-/tmp}/ovs-source.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$work/etc/parts" "$work/state/lists/partial" \
    "$work/cache/archives/partial"
: >"$work/state/status"
echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/etc/sources.list"

# apt-get on the temporary directory.  The sandbox user could not write there.
apt () {
    apt-get -q -o Dir::Etc::SourceList="$work/etc/sources.list" \
        -o Dir::Etc::SourceParts="$work/etc/parts" \
        -o Dir::Etc::Preferences="$work/etc/preferences" \
        -o Dir::Etc::PreferencesParts="$work/etc/parts" \
        -o Dir::State="$work/state" \
        -o Dir::State::Lists="$work/state/lists" \
        -o Dir::State::Status="$work/state/status" \
        -o Dir::Cache="$work/cache" \
        -o Dir::Cache::Archives="$work/cache/archives" \
        -o APT::Sandbox::User="$(id -un)" \
        -o Acquire::Languages=none -o Acquire::Retries=3 \
        -o APT::Update::Error-Mode=any \
        -o Acquire::AllowInsecureRepositories=false "$@"
}

apt update >&2 || die "cannot get the package lists of $suite from $mirror"
(cd "$work" && apt download openvswitch-source) >&2 \
    || die "cannot get openvswitch-source of $suite from $mirror"
deb=$(find "$work" -maxdepth 1 -name 'openvswitch-source_*.deb')
test -f "$deb" || die "apt has not left openvswitch-source of $suite"
dpkg-deb -x "$deb" "$work/unpacked"

origin=$work/unpacked/usr/src/openvswitch
mkdir -p "$dir"
if test -f "$origin/openvswitch.tar.gz"; then
    tar -xzf "$origin/openvswitch.tar.gz" -C "$dir" --strip-components=1 \
        --no-same-owner
elif test -f "$origin/configure.ac"; then
    cp -R --preserve=mode,timestamps,links "$origin/." "$dir"
else
    die "openvswitch-source of $suite has no source tree that is known here"
fi
dpkg-deb -f "$deb" Version
