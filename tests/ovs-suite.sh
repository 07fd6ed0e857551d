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

# Open vSwitch's own Autotest suites, run with another ovs-vswitchd than its
# tree's.
#
# To be sourced, with $ovs_source, $ovs_build, $vswitchd_dir and $work set.  The
# script that does also defines
#
#     run_suite DIR ARG...
#
# which runs the suite $testsuite with the ovs-vswitchd in DIR, its tests being
# selected by ARG..., and writes to stdout what Autotest does.
#
# The standard is the ovs-vswitchd that the tree's own makefile builds: what
# fails with ours is tried with that one, and again with ours.
#
# What a suite needs is built in a copy of the two trees in $work, which later
# runs use again.  The trees themselves are only read.
#
# Prints a line a test in the form that Autotest has, with "skipped" for tests
# that fail with the stock ovs-vswitchd too.

die () {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

name=${0##*/}
name=${name%.sh}
jobs=$(nproc 2>/dev/null || echo 1)

# Tests that fail here twice and pass with the stock ovs-vswitchd.
n_bad=0

# Copies the directory $1 to $2.
copy () {
    mkdir -p "$2" && cp -R --preserve=mode,timestamps,links "$1/." "$2"
}

# Makes the copies in $work/source and $work/build a tree that builds there.
# config.status knows by absolute path where it has to work.
prepare_copy () {
    rm -rf "$work/source" "$work/build" "$work/complete"
    copy "$ovs_build" "$work/build"
    old=$(sed -n "s/^srcdir='\(.*\)'\$/\1/p" "$work/build/config.status" \
          | head -n 1)
    new=.
    if test "$(cd "$ovs_source" && pwd -P)" \
            != "$(cd "$ovs_build" && pwd -P)"; then
        copy "$ovs_source" "$work/source"
        new=$work/source
    fi
    cd "$work/build"
    sed -i -e "s|^srcdir='.*'\$|srcdir='$new'|" \
        -e "s|^ac_pwd='.*'\$|ac_pwd='$work/build'|" config.status
    if test "$old" != "$new"; then
        find . -name '*.P[lo]*' -path '*/.deps/*' \
            -exec sed -E -i "s,(^|[[:space:]])$old/,\1$new/,g" {} +
    fi
    ./config.status Makefile tests/atconfig tests/atlocal
}

# Builds what the suite runs.
prepare_build () {
    make -C "$work/build" -j"$jobs" all
}

# Prints what changes when the copies are out of date.
identity () {
    echo "$ovs_source $ovs_build"
    stat -c '%n %Y %s' "$ovs_build/config.status" \
        "$ovs_build/lib/libopenvswitch.la" "$ovs_build/vswitchd/bridge.o"
}

# prepare SUITE: gets ready, and sets $testsuite to the suite of that name.
prepare () {
    test -x "$vswitchd_dir/ovs-vswitchd" \
        || die "$vswitchd_dir/ovs-vswitchd cannot be executed"
    mkdir -p "$work"
    work=$(cd "$work" && pwd)
    if test "$(cat "$work/complete" 2>/dev/null)" != "$(identity)"; then
        echo "$name: building the rest of Open vSwitch in $work"
        for step in copy build; do
            (set -e; prepare_$step) >"$work/$step.log" 2>&1 </dev/null || {
                tail -n 25 "$work/$step.log" >&2
                die "cannot prepare Open vSwitch's tests; the whole log is" \
                    "$work/$step.log"
            }
        done
        identity >"$work/complete"
    fi
    testsuite=$work/build/tests/$1
    test -f "$testsuite" || testsuite=$work/source/tests/$1
    test -f "$testsuite" || die "Open vSwitch's tests/$1 is missing"
    results=$work/$name
    rm -rf "$results"
    mkdir "$results"
}

# suite LABEL DIR ARG...
#
# Runs the suite with the ovs-vswitchd in DIR.  Writes what became of each test
# to LABEL.results, a line "NUMBER STATUS TITLE" each, where STATUS is "ok",
# "skipped" or "FAILED", and keeps what the failed ones left in LABEL.dir.
suite () {
    label=$1
    shift
    (run_suite "$@") >"$results/$label.log" 2>&1 </dev/null || :
    sed -n 's/^ *\([0-9]*\): \(.*[^ ]\)  *ok *$/\1 ok \2/p
            s/^ *\([0-9]*\): \(.*[^ ]\)  *expected failure.*/\1 ok \2/p
            s/^ *\([0-9]*\): \(.*[^ ]\)  *skipped (.*/\1 skipped \2/p
            s/^ *\([0-9]*\): \(.*[^ ]\)  *FAILED (.*/\1 FAILED \2/p
            s/^ *\([0-9]*\): \(.*[^ ]\)  *UNEXPECTED PASS.*/\1 FAILED \2/p' \
        "$results/$label.log" | sort -n >"$results/$label.results"
    mkdir -p "$results/$label.dir"
    for failed in $(with_status FAILED "$label"); do
        cp -R "$work/build/tests/${testsuite##*/}.dir/"*"$failed" \
            "$results/$label.dir" 2>/dev/null || :
    done
    test -s "$results/$label.results" || {
        tail -n 25 "$results/$label.log" >&2
        die "no test was run; the whole log is $results/$label.log"
    }
}

# with_status STATUS LABEL: prints the numbers of those tests.
with_status () {
    awk -v status="$1" '$2 == status { print $1 }' "$results/$2.results"
}

# stock_passes NUMBER: whether that test passes with the stock ovs-vswitchd.
stock_passes () {
    if ! test -f "$results/stock-$1.results"; then
        suite "stock-$1" "" "$1"
    fi
    test -n "$(with_status ok "stock-$1")"
}

# Prints the line for test $1 of the run $2, called $3, whose end is $4.
report () {
    printf '%5d: %-50s %s\n' "$1" "$3 [$2]" "$4"
}

# compare RUN ARG...: runs and judges one run.  Adds to $n_bad.
compare () {
    run=$1
    shift
    start=$(date +%s)
    suite "$run" "$vswitchd_dir" "$@"
    seconds=$(($(date +%s) - start))
    while read -r number status title; do
        case $status in
            ok)
                report "$number" "$run" "$title" ok ;;
            skipped)
                report "$number" "$run" "$title" "skipped (by the test)" ;;
        esac
    done <"$results/$run.results"
    n_stock=0
    n_unstable=0
    for number in $(with_status FAILED "$run"); do
        title=$(sed -n "s/^$number FAILED //p" "$results/$run.results")
        if ! stock_passes "$number"; then
            n_stock=$((n_stock + 1))
            report "$number" "$run" "$title" "skipped (fails in stock, too)"
            continue
        fi
        suite "again-$run-$number" "$vswitchd_dir" "$number"
        if test -n "$(with_status ok "again-$run-$number")"; then
            n_unstable=$((n_unstable + 1))
            report "$number" "$run" "$title (the second time)" ok
        else
            n_bad=$((n_bad + 1))
            report "$number" "$run" "$title" \
                "FAILED ($results/$run.dir, but passes in stock)"
        fi
    done
    echo "$name, $run: $(wc -l <"$results/$run.results") tests," \
         "$(with_status ok "$run" | wc -l) passed," \
         "$(with_status skipped "$run" | wc -l) skipped," \
         "$n_stock failed as with the stock ovs-vswitchd," \
         "$n_unstable passed the second time; $seconds s"
    test $n_stock = 0 || test $n_unstable != 0 \
        || grep "^[0-9]* ok " "$results/$run.results" >/dev/null \
        || die "no test passes, not even with the stock ovs-vswitchd"
}

# compare_all ARG...: does what CHECK_OVS_RUNS asks for with the tests selected
# by ARG..., and ends the script.
compare_all () {
    for run in ${CHECK_OVS_RUNS:-plain record record-flows}; do
        unset OVS_FANBENCH
        case $run in
            plain) ;;
            record | record-flows) export OVS_FANBENCH=$run ;;
            *) die "CHECK_OVS_RUNS: there is no run \"$run\"" ;;
        esac
        compare "$run" "$@"
    done
    test $n_bad = 0 \
        || die "$n_bad failed that pass with the stock ovs-vswitchd"
    exit 0
}
