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

"""Counts the probe's instructions, for "make check-instructions".

ovs-vswitchd runs in valgrind's callgrind, which attributes each user-space
instruction to a function.  Those of the probe's own source files are shown as
a share of all that the same work takes: to set up a flow, of the main thread,
and to revalidate one in a round, of the revalidator.  Unlike a comparison of
two processes by the clock, this is exact on the busiest machine.  It takes
each instruction for as long as any other, which does the probe too much good:
reading the time stamp counter counts as one and takes as long as dozens.

Open vSwitch's own ovs-vswitchd is measured, too: its objects are the same, so
that beside it a probe that is off costs what is executed of the probe itself,
which is exact.  The difference of the totals is not: it has in it how flows
fall into hash tables, which differs from process to process.

With "--event=I1mr", it counts how often an instruction was not found in the
first-level cache instead, of 32 kB, as callgrind simulates it: the code of a
flow set-up does not fit in there, and what the probe adds has to be loaded
each time, too.  Other events of callgrind's serve as well, e.g. D1mr, for data
that is read.  Nothing fails then.

Fails if the share while nothing is recorded is more than "--max-off" per cent;
if that while recording is more than "--max-on" per cent of a flow in a round,
or more than "--max-setup" of the set-up of a flow that is new to the
recording.  For one that the flow ledger is not told of, as in a storm of
upcalls, that is how much more the share is than while nothing is recorded, and
must not be more than "--max-on" either.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

from dummy_switch import (FLOW_LIMIT, PACKETS_PER_PORT, Switch, find,
                          storm_requests)

N_PORTS = 20

# Source files of the probe, as debug information has them.
OURS = re.compile(r"(^|/)(plugin|lib)/fb-[^/]*\.[ch]$")


class Profile:
    """How many of one event a thread had, from a file of callgrind's."""

    def __init__(self, path, event):
        self.total = 0
        self.ours = {}
        self.names = {}
        ours = function = None
        skip = False
        column = 1
        with open(path) as f:
            for line in f:
                if line.startswith("events:"):
                    column = line.split().index(event)
                key, _, value = line.rstrip("\n").partition("=")
                if key == "fl":
                    ours = OURS.search(self.name("file", value))
                elif key in ("fi", "fe", "cfi", "cfl"):
                    self.name("file", value)
                elif key == "fn":
                    function = self.name("function", value)
                elif key == "cfn":
                    self.name("function", value)
                elif key == "calls":
                    # What the callee did follows, and is in its own lines.
                    skip = True
                elif re.match(r"[-+*0-9]", line):
                    if skip:
                        skip = False
                        continue
                    # Zeros at the end are left out.
                    numbers = line.split()
                    n = int(numbers[column]) if column < len(numbers) else 0
                    self.total += n
                    if ours:
                        self.ours[function] = self.ours.get(function, 0) + n

    def name(self, kind, value):
        """Returns a name that may be abbreviated, "(ID) NAME" or "(ID)"."""
        ident, _, name = value.partition(" ")
        if name:
            self.names[kind, ident] = name
        return self.names.get((kind, ident), value)


class Counted(Switch):
    """A switch whose ovs-vswitchd runs in callgrind."""

    event = "Ir"

    def start(self, *argv):
        """Starts a daemon."""
        if os.path.basename(argv[0]) == "ovs-vswitchd":
            caches = ("--cache-sim=yes", "--I1=32768,8,64")
            argv = (find("valgrind"), "-q", "--tool=callgrind",
                    *(caches if self.event != "Ir" else ()),
                    "--separate-threads=yes",
                    "--callgrind-out-file=%s/callgrind" % self.directory,
                    *argv)
        return super().start(*argv)

    def tell(self, argument):
        """Tells callgrind to do something."""
        subprocess.run([find("callgrind_control"), argument,
                        str(self.vswitchd.pid)], env=self.env, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def profile(self, work):
        """Does 'work'.  Returns the main thread's profile and that of the
        busiest other thread."""
        self.tell("--zero")
        work()
        self.tell("--dump")
        main, others = None, []
        for path in glob.glob(self.directory + "/callgrind.*-*"):
            profile = Profile(path, self.event)
            if path.endswith("-01"):
                main = profile
            else:
                others.append(profile)
            os.unlink(path)
        return main, max(others, key=lambda p: p.total, default=None)


def report(what, total, probe, n):
    """Prints one result.  Returns the probe's share in per cent."""
    count = sum(probe.values())
    share = 100 * count / total
    print("%-32s %8.1f %8.1f %7.2f %%" % (what, total / n, count / n, share))
    for name, value in sorted(probe.items(), key=lambda x: -x[1])[:4]:
        if value / n >= 0.1:
            print("    %-28s          %8.1f" % (name, value / n))
    return share


def measure_setup(switch, what, first):
    """Measures the set-up of flows that are numbered from 'first'.  Returns
    the probe's share."""
    n = N_PORTS * PACKETS_PER_PORT
    requests = storm_requests(N_PORTS, first)

    def storm():
        switch.storm(requests, N_PORTS)

    switch.call("revalidator/purge")
    miss, hit = switch.profile(storm)[0], switch.profile(storm)[0]
    # What packets cost that need no set-up, commands included, is no part of
    # it; the probe's part is taken in full.
    return report("flow set-up, " + what, miss.total - hit.total, miss.ours, n)


def measure(switch, state, first):
    """Measures both works while the probe is in 'state', the first with flows
    that are numbered from 'first'.  Returns the probe's shares."""
    n = N_PORTS * PACKETS_PER_PORT
    setup = measure_setup(switch, state, first)
    switch.round()
    # A round in which each flow is translated again, or looked at by the flow
    # ledger, costs more than one in which nothing has changed: the latter
    # counts.
    reval = min((switch.profile(switch.round)[1] for _ in range(4)),
                key=lambda p: p.total)
    return [setup,
            report("flow in a round, " + state, reval.total, reval.ours, n)]


def start(directory, program, schema):
    """Returns a switch that is ready to be measured."""
    switch = Counted(directory, program, schema)
    switch.vsctl("set", "open_vswitch", ".",
                 "other_config:n-handler-threads=1",
                 "other_config:n-revalidator-threads=1",
                 "other_config:flow-limit=" + FLOW_LIMIT,
                 "other_config:max-idle=100000000",
                 "other_config:max-revalidator=100000000")
    switch.add_ports(N_PORTS)
    switch.call("revalidator/pause")
    return switch


def record(switch, *options):
    """Starts a new recording."""
    switch.call("fanbench/start", *options)
    switch.cpu_ns(switch.vswitchd.pid)


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description="Counts the probe's instructions.")
    parser.add_argument("--stock", required=True)
    parser.add_argument("--probed", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--event", default="Ir", choices=[
        "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw"],
                        help="what to count: by default, instructions")
    parser.add_argument("--max-off", type=float, default=1.0,
                        metavar="PERCENT")
    parser.add_argument("--max-on", type=float, default=2.0,
                        metavar="PERCENT")
    parser.add_argument("--max-setup", type=float, default=5.0,
                        metavar="PERCENT")
    args = parser.parse_args()
    Counted.event = args.event
    what = "instructions" if args.event == "Ir" else args.event
    print("%-32s %8s %8s %9s" % (what + " for each", "all", "probe", "share"))
    with tempfile.TemporaryDirectory(prefix="fb.") as directory:
        switch = start(directory + "/stock", args.stock, args.schema)
        try:
            measure(switch, "stock", 0)
        finally:
            switch.stop()
        switch = start(directory + "/ovs", args.probed, args.schema)
        try:
            off = measure(switch, "not recorded", 0)
            record(switch, "--max-births=0")
            # All flows are new to the recording.
            on = measure(switch, "recorded", N_PORTS * PACKETS_PER_PORT)
            switch.call("fanbench/stop")
            record(switch, "--max-births=1")
            storm = measure_setup(switch, "only counted", 0) - off[0]
        finally:
            switch.stop()
    over = [(what, limit) for what, share, limit in
            (("flow set-up while it is off", off[0], args.max_off),
             ("flow in a round while it is off", off[1], args.max_off),
             ("flow set-up", on[0], args.max_setup),
             ("flow in a round", on[1], args.max_on),
             ("flow set-up in a storm", storm, args.max_on))
            if share > limit and args.event == "Ir"]
    for what, limit in over:
        print("%s: the probe takes more than %g %%" % (what, limit),
              file=sys.stderr)
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
