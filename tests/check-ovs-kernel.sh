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

# check-ovs-kernel.sh OVS_SOURCE OVS_BUILD VSWITCHD_DIR WORK_DIR GUEST [ARG...]
#
# Runs Open vSwitch's own tests of the kernel datapath ("make check-kernel") in
# the guest, with the ovs-vswitchd in VSWITCHD_DIR: as it is ("plain"), and with
# OVS_FANBENCH=record and OVS_FANBENCH=record-flows in its environment.
# CHECK_OVS_RUNS may name fewer of these runs.  GUEST is the program
# "test-guest".
#
# ARG... is passed to the suite and selects tests; with the single ARG "all" or
# without any, the whole is run.
#
# Each guest serves ten tests, so that one that hangs or panics takes no more
# than those with it.  A test that did not end has failed.
#
# ovs-suite.sh says what it is compared with, and where it is built.

set -eu

. "${0%/*}/ovs-suite.sh"
test $# -ge 5 \
    || die "usage: $0 OVS_SOURCE OVS_BUILD VSWITCHD_DIR WORK_DIR GUEST" \
           "[ARG...]"
ovs_source=$1
ovs_build=$2
vswitchd_dir=$3
work=$4
guest=$5
shift 5
per_guest=10

# How long a guest may take: to boot, and for each test, in seconds.
boot_s=120
test_s=60

# Prints the numbers of the tests that the suite runs when given ARG...
numbers () {
    (cd "$work/build" && sh "$testsuite" -C tests --list "$@") \
        | sed -n 's/^ *\([0-9][0-9]*\): .*/\1/p'
}

# What is done in the guest.  Only variables called OVS_... get there.
#
# Before 11 s have passed, ovs-vswitchd may find no CPU for its handlers.  The
# guest has a modprobe of its own, for its own kernel's modules.
in_guest='
    PATH=$TMPDIR:$PATH
    while test "$(cut -d. -f1 /proc/uptime)" -lt 11; do sleep 1; done
    cd "$OVS_CHECK_BUILD" && sh "$OVS_CHECK_SUITE" -C tests -j1 \
        AUTOTEST_PATH="$OVS_CHECK_PATH" $OVS_CHECK_TESTS'

# in_one_guest NUMBER...: boots a guest for these tests.
in_one_guest () {
    export OVS_CHECK_TESTS="$*"
    "$guest" run "$rundir" $((boot_s + test_s * $#)) shell "$in_guest" \
        | tee "$rundir/log" || :
    for number; do
        grep -E "^ *$number: .* (ok|skipped|FAILED|failure|PASS)" \
                "$rundir/log" >/dev/null \
            || printf '\n%3d: %-50s %s\n' "$number" "(did not end)" "FAILED ()"
    done
    rm "$rundir/log"
}

run_suite () {
    export OVS_CHECK_BUILD="$work/build" OVS_CHECK_SUITE="$testsuite"
    export OVS_CHECK_PATH="$1:utilities:vswitchd:ovsdb:vtep:tests::"
    shift
    set -- $(numbers "$@")
    while test $# != 0; do
        group=
        while test $# != 0 && test "$(echo $group | wc -w)" -lt $per_guest; do
            group="$group $1"
            shift
        done
        in_one_guest $group
    done
}

cleanup () {
    "$guest" cleanup "$rundir" || :
    rm -rf "$rundir"
}

# Ends the script because its tests cannot run here.
skip () {
    echo "check-ovs-kernel: skipped: $*"
    exit 77
}

reason=$("$guest" find 2>&1) || skip "$reason"
for tool in ip ping tc; do
    command -v $tool >/dev/null \
        || skip "$tool is not in PATH; please install the package that has it" \
                "(iproute2, iputils-ping)"
done
rundir=$(mktemp -d "${TMPDIR:-/tmp}/ovs-kernel.XXXXXX")
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
prepare system-kmod-testsuite
if test "${1:-}" = all; then
    shift
fi
compare_all "$@"
