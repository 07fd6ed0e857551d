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

# The distribution's ovs-vswitchd with DPDK, unpacked into the cache and not
# installed: its packages would start services and take the place of the
# ovs-vswitchd that the machine has.
#
# Needs step.sh, packages.sh and ovs.sh.

dpdk_package=openvswitch-switch-dpdk

# Prints the packages that ports over AF_PACKET need.  The libraries' names end
# with DPDK's ABI version, that of the EAL that the main package depends on.
dpdk_packages () {
    abi=$(apt-cache depends $dpdk_package 2>/dev/null \
        | sed -n 's/^ *Depends: librte-eal\(.*\)$/\1/p' | head -n 1)
    echo "$dpdk_package librte-net-af-packet$abi librte-mempool-ring$abi"
}

# Prints what it belongs to: the database tools must have the same version.
dpdk_key () {
    dpkg-query -W -f='${Version} ${Architecture}\n' openvswitch-switch
}

# dpdk_download DIR: fetches the packages, and those that they need and this
# machine lacks, into DIR/archives.  Takes no lock and installs nothing.
dpdk_download () {
    mkdir -p "$1/archives/partial" || return 1
    apt-get -q -y --download-only --no-install-recommends \
        -o Debug::NoLocking=1 -o Dir::Cache="$1" \
        -o Dir::Cache::Archives="$1/archives" -o APT::Sandbox::User=root \
        -o Acquire::Retries=1 -o Acquire::http::Timeout=20 \
        install $(dpdk_packages)
}

# dpdk_unpack DIR FINAL: makes DIR/ovs-vswitchd-dpdk of what was downloaded, a
# script that runs it with its libraries once DIR is called FINAL.  DPDK finds
# drivers in a folder of the system's, where these are not: they are loaded
# beforehand.
dpdk_unpack () {
    for deb in "$1"/archives/*.deb; do
        dpkg-deb -x "$deb" "$1/tree" || return 1
    done
    rm -rf "$1/archives" "$1"/*.bin
    program=$(cd "$1/tree" && find usr -name 'ovs-vswitchd*' -type f)
    drivers=$(cd "$1/tree" && find usr -path '*/dpdk/pmds-*' -prune -o \
                  \( -name 'librte_net_af_packet.so.*' -o \
                     -name 'librte_mempool_ring.so.*' \) -print \
                  | grep '\.so\.[0-9]*$')
    test "$(echo "$program" | wc -l)" = 1 && test -n "$drivers" || return 1
    preload=
    for driver in $drivers; do
        preload="$preload${preload:+:}$2/tree/$driver"
        libdir=$2/tree/${driver%/*}
    done
    cat >"$1/ovs-vswitchd-dpdk" <<EOT
#!/bin/sh
LD_LIBRARY_PATH=$libdir\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
LD_PRELOAD=$preload
export LD_LIBRARY_PATH LD_PRELOAD
exec $2/tree/$program "\$@"
EOT
    chmod 755 "$1/ovs-vswitchd-dpdk"
}

# Gets it all into the directory $1 anew.  The file "key" is written last.
dpdk_get () {
    rm -rf "$1.new" && mkdir "$1.new" && dpdk_download "$1.new" \
        && dpdk_unpack "$1.new" "$1" && dpdk_key >"$1.new/key" \
        && rm -rf "$1" && mv "$1.new" "$1" \
        && "$1/ovs-vswitchd-dpdk" --version | grep '^DPDK'
}

# Makes sure that an ovs-vswitchd with DPDK is there for ovs-fanbench run as
# root, the only one who can use it.  Does without one where there is none.
dpdk_fetch () {
    test "$(id -u)" = 0 || return 0
    cache=$(ovs_cache)
    mkdir -p "$cache" 2>/dev/null || return 0
    dpdk_dir=$(cd "$cache" && pwd)/dpdk
    exec 9<"$cache"
    flock 9
    if test "$(cat "$dpdk_dir/key" 2>/dev/null)" != "$(dpdk_key)" \
            && package_available $dpdk_package; then
        if dpdk_get "$dpdk_dir" >"$logdir/dpdk.log" 2>&1; then
            say "  Unpacking an ovs-vswitchd with DPDK: done"
        else
            say "  Unpacking an ovs-vswitchd with DPDK: FAILED, done without" \
                "it (see $logdir/dpdk.log)"
        fi
    fi
    exec 9<&-
}
