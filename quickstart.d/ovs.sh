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

# The parts of Open vSwitch that are linked, built from the distribution's
# openvswitch-source package, or that of the Debian suite in
# $OVS_FANBENCH_OVS_SUITE, and kept in a cache outside the tree.
#
# Needs step.sh, user.sh and packages.sh.  ovs_build() sets $ovs_source and
# $ovs_builddir.

ovs_package=openvswitch-source
ovs_origin=/usr/src/openvswitch
ovs_oldest=3.1

# Headers that other targets include, then what ovs-vswitchd consists of.
ovs_headers="include/odp-netlink.h include/odp-netlink-macros.h
             ofproto/ipfix-entities.def lib/vswitch-idl.h
             lib/ovsdb-server-idl.h"
ovs_targets="ofproto/libofproto.la lib/libsflow.la lib/libopenvswitch.la
             vswitchd/bridge.o vswitchd/ovs-vswitchd.o
             vswitchd/system-stats.o"

# The distribution's folders, so that this ovs-vswitchd and the distribution's
# ovs-appctl agree on where control sockets are.
ovs_options="--disable-shared --prefix=/usr --sysconfdir=/etc
             --localstatedir=/var"

# The distribution's ovs-appctl does not serve every other version's daemon.
if test -n "${OVS_FANBENCH_OVS_SUITE:-}"; then
    ovs_targets="$ovs_targets utilities/ovs-appctl"
fi

# Prints the directory in which builds are kept.
ovs_cache () {
    if test -n "${OVS_FANBENCH_CACHE:-}"; then
        echo "$OVS_FANBENCH_CACHE"
    elif test "$(id -u)" = 0; then
        echo /var/cache/ovs-fanbench
    else
        echo "${XDG_CACHE_HOME:-$HOME/.cache}/ovs-fanbench"
    fi
}

# Prints the version of the source package.
ovs_version () {
    if test -n "${OVS_FANBENCH_OVS_SUITE:-}"; then
        cat "${ovs_origin%/*}/version"
    else
        dpkg-query -W -f='${Version}' $ovs_package
    fi
}

# ovs_fetch SUITE DIR: gets another suite's source into DIR/source.  The file
# DIR/version is written last.
ovs_fetch () {
    rm -rf "$2"
    mkdir "$2" || return 1
    "$topdir/quickstart.d/fetch-ovs-source.sh" "$1" "$2/source" \
        >"$2/version.new" && mv "$2/version.new" "$2/version"
}

# Where a suite is asked for, makes its source $ovs_origin.
ovs_find_suite () {
    test -n "${OVS_FANBENCH_OVS_SUITE:-}" || return 0
    case $OVS_FANBENCH_OVS_SUITE in
        *[!a-z0-9-]* | -*)
            die "OVS_FANBENCH_OVS_SUITE: \"$OVS_FANBENCH_OVS_SUITE\" is not" \
                "the name of a Debian suite" ;;
    esac
    cache=$(ovs_cache)
    mkdir -p "$cache" 2>/dev/null || die "cannot create the directory $cache"
    cache=$(cd "$cache" && pwd)
    suite_dir=$cache/suite-$OVS_FANBENCH_OVS_SUITE
    exec 9<"$cache"
    flock 9
    if test ! -f "$suite_dir/version"; then
        step ovs-fetch "Fetching Open vSwitch of $OVS_FANBENCH_OVS_SUITE" \
            ovs_fetch "$OVS_FANBENCH_OVS_SUITE" "$suite_dir"
    fi
    exec 9<&-
    ovs_origin=$suite_dir/source
}

# Prints a name for the build: it changes with whatever changes the outcome.
ovs_key () {
    version=$(ovs_version)
    hash=$(
        {
            echo "$version" $ovs_options $ovs_headers $ovs_targets
            "${CC:-gcc}" --version | head -n 1
            dpkg-query -W -f='${Package} ${Version} ${db:Status-Status}\n' \
                libc6-dev libssl-dev $(packages_optional) 2>/dev/null
        } | sha256sum | cut -c 1-12
    )
    echo "$version-$hash" | tr -c 'A-Za-z0-9.\n-' _
}

# Prints the entry of OVS's configure options that asks for AF_XDP, where it is
# not looked for anyway.  $1 is the source directory.
ovs_afxdp_option () {
    if package_installed libxdp-dev && package_installed libbpf-dev \
            && package_installed libnuma-dev \
            && "$1/configure" --help | grep -e '--enable-afxdp' >/dev/null
    then
        echo --enable-afxdp
    fi
}

# Copies OVS's source, which is a tarball or a folder, to the directory $1.
ovs_unpack () {
    mkdir "$1" || return 1
    if test -f $ovs_origin/openvswitch.tar.gz; then
        tar -xzf $ovs_origin/openvswitch.tar.gz -C "$1" --strip-components=1 \
            --no-same-owner || return 1
    elif test -f $ovs_origin/configure.ac; then
        cp -R --preserve=mode,timestamps,links $ovs_origin/. "$1" || return 1
    else
        echo "$ovs_package has neither $ovs_origin/openvswitch.tar.gz" \
             "nor a source tree in $ovs_origin"
        return 1
    fi
    chmod -R go+rX "$1" || return 1
    test -x "$1/configure" || (cd "$1" && ./boot.sh)
}

# ovs_configure SOURCE BUILD
ovs_configure () {
    mkdir "$2" && cd "$2" && "$1/configure" $ovs_options \
        $(ovs_afxdp_option "$1")
}

# ovs_make BUILD
ovs_make () {
    make -C "$1" $ovs_headers && make -C "$1" -j"$jobs" $ovs_targets
}

# Makes sure that there is a finished build of OVS.  The stamp "complete" is
# written last; what lacks it was interrupted, and is built anew.
ovs_build () {
    ovs_find_suite
    dpkg --compare-versions "$(ovs_version)" ge $ovs_oldest \
        || die "$ovs_package is version $(ovs_version), but ovs-fanbench" \
               "needs $ovs_oldest or later"
    cache=$(ovs_cache)
    key=$(ovs_key)
    for dir in "$cache" /var/cache/ovs-fanbench; do
        if test -f "$dir/$key/complete"; then
            ovs_source=$dir/$key/source
            ovs_builddir=$dir/$key/build
            return
        fi
    done

    mkdir -p "$cache" 2>/dev/null || die "cannot create the directory $cache"
    cache=$(cd "$cache" && pwd)
    exec 9<"$cache"
    if ! flock -n 9; then
        say "Waiting for another quickstart that builds in $cache"
        flock 9
    fi
    ovs_source=$cache/$key/source
    ovs_builddir=$cache/$key/build
    if test ! -f "$cache/$key/complete"; then
        rm -rf "${cache:?}/$key"
        mkdir "$cache/$key" || die "cannot write to $cache"
        step ovs-source "Unpacking Open vSwitch" ovs_unpack "$ovs_source"
        step ovs-configure "Configuring Open vSwitch" \
            ovs_configure "$ovs_source" "$ovs_builddir"
        step ovs-build "Building Open vSwitch (some minutes, once)" \
            ovs_make "$ovs_builddir"
        : >"$cache/$key/complete"
    fi
    exec 9<&-
}
