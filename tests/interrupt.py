#!/usr/bin/env python3
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

"""Runs a command, sends it a signal, and checks that it dies of that.

usage: interrupt.py SIGNAL DELAY COMMAND [ARG...]

Sends SIGNAL (INT, KILL...) DELAY seconds after COMMAND was started.  A
command that has caught the signal may also exit with 128 plus its number.
Prints what COMMAND printed."""

import signal
import subprocess
import sys
import time


def main(name, delay, *command):
    """Does the job.  Returns an exit code."""
    number = getattr(signal, "SIG" + name)
    if name != "KILL":
        # A shell makes jobs in the background ignore some signals.
        signal.signal(number, signal.SIG_DFL)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                               start_new_session=True)
    time.sleep(float(delay))
    if process.poll() is not None:
        print("ended by itself with %d" % process.returncode)
        return 1
    process.send_signal(number)
    try:
        status = process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        print("does not end")
        process.kill()
        return 1
    print("ended with %d" % status)
    return 0 if status in (-number, 128 + number) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
