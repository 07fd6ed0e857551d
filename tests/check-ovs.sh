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

# check-ovs.sh OVS_SOURCE OVS_BUILD VSWITCHD_DIR WORK_DIR [ARG...]
#
# Runs Open vSwitch's own Autotest suite with the ovs-vswitchd in VSWITCHD_DIR:
# as it is ("plain"), and with OVS_FANBENCH=record and OVS_FANBENCH=record-flows
# in its environment.  CHECK_OVS_RUNS may name fewer of these runs.
#
# ARG... selects tests.  Without it, a representative part is run; with "all"
# as the first ARG, the whole; with "vswitchd", every test that starts an
# ovs-vswitchd, which the others cannot tell from the stock one.  What follows,
# or any other ARG, is passed to the suite.
#
# The standard is the ovs-vswitchd that OVS_BUILD's own makefile builds: what
# fails here is tried with that one, and here again.  Fails if a test that
# passes there fails here twice.
#
# ovs-suite.sh says what it is compared with, and where it is built.

set -eu

. "${0%/*}/ovs-suite.sh"
test $# -ge 4 \
    || die "usage: $0 OVS_SOURCE OVS_BUILD VSWITCHD_DIR WORK_DIR [ARG...]"
ovs_source=$1
ovs_build=$2
vswitchd_dir=$3
work=$4
shift 4

# Two tests a CPU, because most of them sleep more than they work.
run_suite () {
    path=$1:utilities:vswitchd:ovsdb:vtep:tests:ipsec:
    shift
    cd "$work/build"
    sh "$testsuite" -C tests AUTOTEST_PATH="$path" -j"$((2 * jobs))" "$@"
}

# Prints the selection that stands for the whole: all that is about the
# datapath interface and the parts of ovs-vswitchd that the probe touches, and
# every 24th of the many tests of ofproto-dpif.
representative () {
    for keyword in dpif-netdev pmd bridge unixctl mac-learning upcall; do
        echo "-k $keyword"
    done
    sh "$testsuite" --list -k ofproto-dpif \
        | awk '/^ *[0-9]+:/ && n++ % 24 == 0 { sub(/:.*/, ""); print }'
}

# Prints the numbers of the tests that start an ovs-vswitchd: those with the
# command in their part of the suite's script.
with_vswitchd () {
    awk '/^#AT_START_/ { number = substr($0, 11); found = 0 }
         /ovs-vswitchd / { found = 1 }
         /^#AT_STOP_/ && found { print number; found = 0 }' "$testsuite"
}

prepare testsuite
case ${1:-} in
    '')
        set -- $(representative) ;;
    all)
        shift ;;
    vswitchd)
        shift
        set -- $(with_vswitchd) "$@" ;;
esac
compare_all "$@"
