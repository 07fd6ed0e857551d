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

# Long commands, run one at a time with their output in a log and a line a step
# on standard output.
#
# Needs $logdir, a directory that exists by the time of the first step.

step_spinner=

# Prints the arguments as one line.
say () {
    printf '%s\n' "$*"
}

# Ends the script with an error.
die () {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Shows on the terminal, until it is ended, that the step named $1 is still
# under way.  Ends by itself when the script is gone.
step_spin () {
    seconds=0
    while kill -0 $$ 2>/dev/null; do
        printf '\r  %.60s ... %d s ' "$1" "$seconds"
        sleep 1
        seconds=$((seconds + 1))
    done
}

# Ends the progress display, if there is one.  Also serves an EXIT trap.
step_cleanup () {
    if test -n "$step_spinner"; then
        kill "$step_spinner" 2>/dev/null || :
        wait "$step_spinner" 2>/dev/null || :
        step_spinner=
        printf '\r\033[K'
    fi
}

# step LOG TITLE COMMAND...
#
# Runs COMMAND, a program or a function, in a subshell with its output in
# $logdir/LOG.log.  If it fails, prints the last lines of the log and ends the
# script.
step () {
    step_log=$logdir/$1.log
    step_title=$2
    shift 2
    step_start=$(date +%s)
    if test -t 1; then
        step_spin "$step_title" &
        step_spinner=$!
    fi
    step_status=0
    ("$@") >"$step_log" 2>&1 </dev/null || step_status=$?
    step_cleanup
    if test $step_status != 0; then
        say "  $step_title: FAILED"
        {
            say "----- last lines of $step_log:"
            tail -n 25 "$step_log"
            say "-----"
        } >&2
        die "\"$step_title\" failed (exit status $step_status);" \
            "the whole log is $step_log"
    fi
    say "  $step_title: done ($(($(date +%s) - step_start)) s)"
}
