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

# ovs-fanbench itself, configured and built in the tree's own _build folder.
#
# Needs step.sh and user.sh, $topdir, $builddir, and what ovs_build() sets.

# Whether the file $1 is missing or older than one of the files that follow.
out_of_date () {
    target=$1
    shift
    test -f "$target" || return 0
    test -n "$(find "$@" -newer "$target" 2>/dev/null)"
}

fanbench_boot () {
    as_user "$topdir/boot.sh"
}

# fanbench_configure ARG...
fanbench_configure () {
    cd "$builddir" && as_user "$topdir/configure" "$@"
}

fanbench_make () {
    as_user make -C "$builddir" -j"$jobs" all
}

# Configures what is new or has changed, and builds.
fanbench_build () {
    exec 8<"$builddir"
    if ! flock -n 8; then
        say "Waiting for another quickstart that builds in $builddir"
        flock 8
    fi
    if out_of_date "$topdir/configure" "$topdir/boot.sh" \
            "$topdir/configure.ac" "$topdir/Makefile.am" \
            "$topdir"/m4/fanbench*.m4 "$topdir"/*/automake.mk; then
        step boot "Preparing ovs-fanbench's build system" fanbench_boot
    fi
    set -- --with-ovs-source="$ovs_source" --with-ovs-build="$ovs_builddir" \
        ${OVS_FANBENCH_CONFIGURE:-}
    stamp=$builddir/configured-with
    if out_of_date "$builddir/config.status" "$topdir/configure" \
            || test "$(cat "$stamp" 2>/dev/null)" != "$*"; then
        step configure "Configuring ovs-fanbench" fanbench_configure "$@"
        echo "$*" >"$stamp"
    fi
    step build "Building ovs-fanbench" fanbench_make
    exec 8<&-
}
