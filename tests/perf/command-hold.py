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

"""Measures for how long the fanbench commands hold up the main thread of
ovs-vswitchd, and what memory a recording takes, for "make check-perf".

With "--flows" flows recorded, each command is given a few times, while another
client asks ovs-vswitchd for its version without end: the longest that it waits
meanwhile is for how long the main thread was held up, be it by the command or
by something else.  So the least of a few such times counts.  "nothing" is what
that client waits for when there is no other command.

Memory is what ovs-vswitchd has resident, before the recording and after the
ledger has seen all flows.

Fails if a command holds the main thread for more than "--max-ms", if the
recording takes more than "--max-mb", or if a flow was not recorded."""

import argparse
import json
import sys
import tempfile
import threading
import time

from dummy_switch import FLOW_LIMIT, Connection, Switch

N_PORTS = 40

# Commands, by what is in their place in the table.
COMMANDS = [
    ["fanbench/show"], ["fanbench/show", "--json"],
    ["fanbench/flows"], ["fanbench/flows", "--json"],
    ["fanbench/flows", "-n", "1000"], ["fanbench/flows", "-n", "1000",
                                       "--json"],
    ["fanbench/flows", "--sort=repay"], ["fanbench/flows", "--match=src=1"],
    ["fanbench/rounds"], ["fanbench/rounds", "--json"],
    ["fanbench/rounds", "--events"], ["fanbench/revalidators"],
    ["fanbench/upcalls"], ["fanbench/ports"], ["fanbench/metrics"],
    ["fanbench/status"],
    # These change what is recorded, so they come last.
    ["fanbench/clear"], ["fanbench/stop"], ["fanbench/start"],
    ["fanbench/stop"],
]


class Pinger:
    """A client that measures for how long the main thread is held up."""

    def __init__(self, control):
        self.connection = Connection(control)
        self.worst = 0.0
        self.going_on = True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        """Asks for the version, without end."""
        while self.going_on:
            start = time.monotonic()
            self.connection.call("version")
            self.worst = max(self.worst, time.monotonic() - start)

    def measure(self, work):
        """Does 'work'.  Returns the longest wait meanwhile, in ms."""
        time.sleep(0.02)
        self.worst = 0.0
        work()
        time.sleep(0.02)
        return self.worst * 1000

    def stop(self):
        """Ends it."""
        self.going_on = False
        self.thread.join()


def wait_for_flows(switch, n):
    """Waits until the ledger has 'n' flows.  Returns how many found no
    room."""
    deadline = time.monotonic() + 60
    while True:
        flows = json.loads(switch.call("fanbench/flows", "--json"))
        if flows["live"] >= n or time.monotonic() > deadline:
            return flows["live"], flows["no_room"]
        switch.round()


def measure(args, switch, flows):
    """Installs the flows, and measures memory and commands.  Returns what is
    wrong, as a list of strings."""
    wrong = []
    switch.fill(flows, N_PORTS)
    n = switch.sent
    room = ["--max-flows=%d" % args.max_flows] if args.max_flows else []
    before = switch.rss_kb()
    switch.call("fanbench/start", "--flows", *room)
    switch.round()
    live, no_room = wait_for_flows(switch, n)
    # The plugin's thread sleeps when the ledger has all of its memory.
    for tid, name in switch.threads().items():
        if name.startswith("fanbench"):
            switch.cpu_ns(tid)
    memory = (switch.rss_kb() - before) / 1024
    print("%d flows, %d recorded, %d found no room; the recording takes "
          "%.1f MiB" % (n, live, no_room, memory))
    if live != n or no_room:
        wrong.append("%d flows were not recorded" % (n - live))
    if memory > args.max_mb:
        wrong.append("the recording takes more than %g MiB" % args.max_mb)

    pinger = Pinger(switch.control)
    print("%-34s %10s %10s" % ("ms that the main thread is held", "least",
                               "most"))
    idle = [pinger.measure(lambda: time.sleep(0.2)) for _ in range(5)]
    print("%-34s %10.2f %10.2f" % ("nothing", min(idle), max(idle)))
    for command in COMMANDS:
        repeats = 1 if command[0].split("/")[1] in (
            "start", "stop", "clear") else args.repeats
        held = [pinger.measure(lambda: switch.call(*command))
                for _ in range(repeats)]
        print("%-34s %10.2f %10.2f" % (" ".join(command), min(held),
                                       max(held)))
        if min(held) > args.max_ms:
            wrong.append("%s holds the main thread" % " ".join(command))
    pinger.stop()
    return wrong


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description="Measures how long commands hold the main thread.")
    parser.add_argument("--probed", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--flows", type=int, default=200000)
    parser.add_argument("--max-flows", type=int, metavar="N",
                        help="argument for fanbench/start")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--max-ms", type=float, default=20)
    parser.add_argument("--max-mb", type=float, default=64)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fb.") as directory:
        switch = Switch(directory + "/ovs", args.probed, args.schema)
        try:
            switch.vsctl("set", "open_vswitch", ".",
                         "other_config:flow-limit=" + FLOW_LIMIT,
                         "other_config:max-idle=100000000",
                         "other_config:max-revalidator=100000000")
            switch.add_ports(N_PORTS)
            switch.call("revalidator/pause")
            switch.call("upcall/set-flow-limit", FLOW_LIMIT)
            wrong = measure(args, switch, args.flows)
        finally:
            switch.stop()
    for problem in wrong:
        print(problem, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
