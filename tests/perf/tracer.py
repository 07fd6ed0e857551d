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

"""Has bpftrace observe an ovs-vswitchd, for tests/perf/probe-cost.py.

It observes what Open vSwitch's own scripts for USDT probes do, and what the
probe records: how long each upcall takes, and each revalidation round, with
the number of flows in it.  A USDT probe is a breakpoint, as those are that
bpftrace puts at the functions here, so no other build of Open vSwitch is
needed."""

import os
import re
import shutil
import signal
import subprocess

# How long it may take to end, in seconds.
TIMEOUT = 30

# The interval comes first because bpftrace begins with the last.
PROGRAM = """
interval:ms:200 /!@ready/ { @ready = 1; printf("ready\\n"); }
BEGIN { @upcalls = 0; @rounds = 0; @flows = 0; }
uprobe:%(exe)s:upcall_cb { @upcall_start[tid] = nsecs; }
uretprobe:%(exe)s:upcall_cb /@upcall_start[tid]/ {
    @upcall_ns = hist(nsecs - @upcall_start[tid]);
    delete(@upcall_start[tid]);
    @upcalls++;
}
uprobe:%(exe)s:dpif_flow_dump_create { @round_start[tid] = nsecs; }
uprobe:%(exe)s:dpif_flow_dump_destroy /@round_start[tid]/ {
    @round_ns = hist(nsecs - @round_start[tid]);
    delete(@round_start[tid]);
    @rounds++;
}
uretprobe:%(exe)s:dpif_flow_dump_next /(int32) retval > 0/ {
    @flows += (int32) retval;
}
END { clear(@upcall_ns); clear(@round_ns); clear(@upcall_start);
      clear(@round_start); }
"""


def why_not():
    """Returns why there can be no tracer, or None."""
    if not shutil.which("bpftrace"):
        return "bpftrace is not installed"
    if os.geteuid():
        return "bpftrace wants root"
    test = subprocess.run(["bpftrace", "-e", "BEGIN { exit(); }"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return "bpftrace: " + test.stdout.strip() if test.returncode else None


class Tracer:
    """A bpftrace that observes the process 'pid', which runs 'program'."""

    def __init__(self, program, pid):
        self.process = subprocess.Popen(
            ["bpftrace", "-p", str(pid),
             "-e", PROGRAM % {"exe": os.path.abspath(program)}],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        output = ""
        for line in self.process.stdout:
            output += line
            if line == "ready\n":
                return
        raise SystemExit("bpftrace: " + output.strip())

    def stop(self):
        """Ends it.  Returns what it has counted, by name."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        output = self.process.communicate(timeout=TIMEOUT)[0]
        return {name: int(value) for name, value in
                re.findall(r"^@(\w+): (\d+)$", output, re.MULTILINE)}
