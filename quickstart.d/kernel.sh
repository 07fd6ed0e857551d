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

# The distribution's kernel for the QEMU guest, unpacked into the cache and not
# installed: the machine would boot it.
#
# Needs step.sh, user.sh, packages.sh and ovs.sh.

# Each names the package of the newest kernel: Debian's and Ubuntu's.
kernel_meta_packages="linux-image-amd64 linux-image-generic"

# Prints the package of the newest kernel, or nothing if apt knows none.
kernel_package () {
    for meta in $kernel_meta_packages; do
        if package_available $meta; then
            apt-cache depends $meta \
                | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' \
                | head -n 1
            return
        fi
    done
}

# Prints the packages of kernel package $1's files: Ubuntu has modules in
# packages of their own.
kernel_packages () {
    echo "$1"
    release=${1#linux-image-}
    for package in "linux-modules-$release" "linux-modules-extra-$release"; do
        if package_available "$package"; then
            echo "$package"
        fi
    done
}

# Prints what the unpacked kernel belongs to.
kernel_key () {
    for package in $(kernel_packages "$1"); do
        apt-cache policy "$package" \
            | sed -n "s/^ *Candidate: /$package /p"
    done
}

# kernel_unpack DIR PACKAGE...: downloads the packages and unpacks them below
# DIR, without the modules of devices that no guest has, and lists what
# modules need each other.
kernel_unpack () {
    dir=$1
    shift
    (cd "$dir" && apt-get -q -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
        -o Acquire::Retries=1 -o Acquire::http::Timeout=20 download "$@") \
        || return 1
    for deb in "$dir"/*.deb; do
        dpkg-deb -x "$deb" "$dir" && rm "$deb" || return 1
    done
    for modules in "$dir"/lib/modules/* "$dir"/usr/lib/modules/*; do
        test -d "$modules/kernel" || continue
        base=${modules%/lib/modules/*}
        for kind in gpu media scsi staging sound infiniband usb iio hwmon \
                input isdn; do
            rm -rf "$modules/kernel/drivers/$kind" "$modules/kernel/$kind"
        done
        depmod=$(PATH=$PATH:/usr/sbin:/sbin command -v depmod)
        "$depmod" -b "$base" "${modules##*/}" || return 1
    done
}

# kernel_get DIR PACKAGE: gets it all into the directory DIR anew.  The file
# "key" is written last.
kernel_get () {
    rm -rf "$1.new" && mkdir "$1.new" \
        && kernel_unpack "$1.new" $(kernel_packages "$2") \
        && kernel_key "$2" >"$1.new/key" \
        && rm -rf "$1" && mv "$1.new" "$1"
}

# Makes sure that there is a kernel for the QEMU guest, which is an x86-64
# machine.  Does without one where there is none.
kernel_fetch () {
    test "$(dpkg --print-architecture)" = amd64 || {
        say "  No QEMU guest: it is one for x86-64 machines"
        return 0
    }
    command -v qemu-system-x86_64 >/dev/null || return 0
    cache=$(ovs_cache)
    mkdir -p "$cache" 2>/dev/null || return 0
    kernel_dir=$(cd "$cache" && pwd)/kernel
    exec 9<"$cache"
    flock 9
    package=$(kernel_package)
    if test -n "$package" && test "$(cat "$kernel_dir/key" 2>/dev/null)" \
            != "$(kernel_key "$package")"; then
        if kernel_get "$kernel_dir" "$package" >"$logdir/kernel.log" 2>&1; then
            say "  Unpacking a kernel for the QEMU guest: done"
        else
            rm -rf "$kernel_dir.new"
            say "  Unpacking a kernel for the QEMU guest: FAILED, done without" \
                "it (see $logdir/kernel.log)"
        fi
    fi
    exec 9<&-
}
