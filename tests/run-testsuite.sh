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

# Usage: run-testsuite.sh TESTSUITE ARG...
#
# Runs the Autotest suite TESTSUITE with the ARGs, from the directory "tests".
# With RECHECK=yes in the environment, tests that fail are run once more, one
# at a time, after the log of each was shown: a test that waits for something
# may fail on a machine that stalls.  Only those that fail again count.

suite=$1
shift

# Shows why each test failed.
show_failures () {
    for log in "$suite.dir"/*/"${suite##*/}.log"; do
        if test -f "$log"; then
            echo "----- $log:"
            tail -n 80 "$log"
        fi
    done
}

"${CONFIG_SHELL:-/bin/sh}" "$suite" -C tests "$@" && exit
status=$?
test "$RECHECK" = yes || exit $status
show_failures

# Of the arguments, those that select tests would add to what failed.
for arg; do
    shift
    case $arg in
        -*) ;;
        *=*) set -- "$@" "$arg" ;;
    esac
done
echo "----- Once more, those that failed:"
exec "${CONFIG_SHELL:-/bin/sh}" "$suite" -C tests "$@" --recheck
