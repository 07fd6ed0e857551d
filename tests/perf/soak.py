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

"""A soak of the fanbench commands, for "make check-soak".

For "--seconds" it starts, stops, clears and shows recordings at random, while
flows come and go, the numbers of handlers and revalidators change, a bridge is
deleted and added again, and flows are purged.  It fails if

  - ovs-vswitchd ends or does not answer;
  - a command fails in another way than it should;
  - a reply in JSON does not parse;
  - a counter shrinks within a recording;
  - ovs-vswitchd's log has a warning or worse, but for those that only say
    that the machine is slow and the like;
  - its memory grows after the first half, by more than 5 % and 4 MB, unless
    the soak is too short to tell.

The order of events depends on "--seed" alone."""

import argparse
import json
import random
import re
import sys
import tempfile
import time

from dummy_switch import PACKETS_PER_PORT, Switch, storm_requests

N_PORTS = 8

# Flows are taken from this many numbers, so that some packets hit.
N_FLOWS = 500

# Warnings that mean nothing: that the machine is slow; that a packet came
# whose flow was gone from the datapath while its ukey was not yet, as after a
# purge; and that messages were dropped, which feature probes of a new datapath
# may cause that log nothing (if it were others, some of them would not have
# been dropped).
HARMLESS = re.compile(r"reached the dynamic limit|Dropped \d+ log messages"
                      r"|upcall_cb failure: ukey installation fails"
                      r"|\|timeval(\(\S+\))?\|WARN\|")

# Growth of resident memory that is no leak: in per cent and in kB.
GROWTH_PERCENT = 5
GROWTH_KB = 4096

# How often memory is read, in seconds.
SAMPLE_SECONDS = 0.5

# What it takes to tell whether memory grows.
MIN_SAMPLES = 40


class Soak:
    """A switch, and what is known of the recording in it."""

    def __init__(self, args, directory):
        # With one heap, and large blocks always on their own, resident memory
        # shows what is in use rather than malloc()'s habits.
        self.switch = Switch(directory + "/ovs", args.probed, args.schema,
                             env={"MALLOC_ARENA_MAX": "1",
                                  "MALLOC_MMAP_THRESHOLD_": "131072"})
        self.call = self.switch.call
        self.switch.add_ports(N_PORTS)
        self.switch.vsctl("set", "open_vswitch", ".",
                          "other_config:max-idle=300")
        self.random = random.Random(args.seed)
        self.recording = False
        self.last = {}
        self.counts = {}
        self.rss = []

    def commands(self):
        """Returns the functions that make one event each, with weights."""
        return [(self.storm, 40), (self.show, 12), (self.rounds, 8),
                (self.status, 5), (self.start, 8), (self.stop, 5),
                (self.clear, 4), (self.threads, 2), (self.purge, 3),
                (self.bridge, 1), (self.others, 8)]

    def expect_error(self, *argv):
        """Runs a command that is to fail in a regular way."""
        try:
            self.call(*argv)
        except RuntimeError:
            return
        raise SystemExit("%s: did not fail" % (argv,))

    def storm(self):
        """Sends packets, some of which match no flow."""
        first = self.random.randrange(N_FLOWS)
        self.switch.storm(storm_requests(N_PORTS, first), N_PORTS)

    def start(self):
        """Starts a recording, or fails if one is going on."""
        if self.recording:
            self.expect_error("fanbench/start")
            return
        self.call("fanbench/start", *self.random.choice(
            [[], ["dummy@ovs-dummy"], ["ovs-dummy"], ["--flows"],
             ["--no-flows"], ["--flows=3"],
             ["--max-flows=50", "ovs-dummy"], ["--exact=2"],
             ["--max-births=100"], ["--max-births=0"]]))
        self.recording = True
        self.last = {}

    def stop(self):
        """Stops the recording, or fails if none is going on."""
        if not self.recording:
            self.expect_error("fanbench/stop")
            return
        self.call("fanbench/stop")
        self.recording = False

    def clear(self):
        """Forgets what was recorded."""
        self.call("fanbench/clear")
        self.last = {}

    def document(self, *argv):
        """Runs a command and returns its reply in JSON, decoded."""
        self.call(*argv)
        document = json.loads(self.call(*argv, "--json"))
        if document["recording"] != self.recording:
            raise SystemExit("%s: recording is %s" % (argv[0],
                                                      self.recording))
        return document

    def show(self):
        """Checks that no counter shrinks."""
        now = {}
        for dp in self.document("fanbench/show")["datapaths"]:
            counters = dict(dp["upcalls"])
            for name, op in dp["operations"].items():
                counters.update({name + "." + k: v for k, v in op.items()})
            counters.update({"rounds." + k: v
                             for k, v in dp["rounds"].items()
                             if not re.match("(min|last)", k)})
            now.update({dp["name"] + ":" + k: v
                        for k, v in counters.items()})
        for name, value in self.last.items():
            # The clock's rate is measured again each time, which may change
            # the same time by a little.
            slack = value // 1000 + 1 if name.endswith("_ns") else 0
            if now.get(name, 0) < value - slack:
                raise SystemExit("%s shrank from %d to %d"
                                 % (name, value, now.get(name, 0)))
        self.last = now

    def rounds(self):
        """Shows the history."""
        document = self.document("fanbench/rounds", "-n",
                                 str(self.random.choice([1, 10, 2000])))
        ids = [r["id"] for r in document["rounds"]]
        if ids != sorted(set(ids)):
            raise SystemExit("fanbench/rounds: ids are %s" % ids)

    def status(self):
        """Shows the status."""
        self.document("fanbench/status")

    def others(self):
        """Runs whatever other commands that show something there are."""
        for name in re.findall(r"^  (fanbench/\S+)",
                               self.call("list-commands"), re.M):
            if name.split("/")[1] not in ("start", "stop", "clear"):
                try:
                    self.call(name)
                except RuntimeError as e:
                    # Not every recording has one.
                    if "no flow ledger" not in str(e):
                        raise

    def threads(self):
        """Changes the numbers of threads."""
        self.switch.vsctl(
            "set", "open_vswitch", ".",
            *("other_config:n-%s-threads=%d" % (kind,
                                                self.random.randint(1, 4))
              for kind in ("handler", "revalidator")))

    def purge(self):
        """Deletes all flows.  A revalidator that meanwhile holds some of
        them in its hands would warn that it cannot get them."""
        self.call("revalidator/pause")
        self.call("revalidator/purge")
        self.call("revalidator/resume")

    def bridge(self):
        """Deletes the bridge and with it the datapath, and adds it again."""
        self.switch.vsctl("del-br", "br0")
        self.show()
        # A new datapath counts from zero; those of ours go on.
        self.switch.sent = 0
        self.switch.add_ports(N_PORTS)

    def sample(self):
        """Reads the memory."""
        self.rss.append(self.switch.rss_kb())

    def run(self, seconds):
        """Makes events for so long."""
        functions, weights = zip(*self.commands())
        end = time.monotonic() + seconds
        next_sample = 0
        while time.monotonic() < end:
            function = self.random.choices(functions, weights)[0]
            self.counts[function.__name__] = 1 + self.counts.get(
                function.__name__, 0)
            function()
            if self.switch.vswitchd.poll() is not None:
                raise SystemExit("ovs-vswitchd ended with status %d"
                                 % self.switch.vswitchd.returncode)
            if time.monotonic() >= next_sample:
                self.sample()
                next_sample = time.monotonic() + SAMPLE_SECONDS

    def check_log(self):
        """Fails if the log has a warning or worse."""
        with open(self.switch.log) as f:
            bad = [line for line in f
                   if re.search(r"\|(WARN|ERR|EMER)\|", line)
                   and not HARMLESS.search(line)]
        if bad:
            raise SystemExit("in the log:\n" + "".join(bad[:10]))

    def check_memory(self):
        """Fails if memory grows.  The first half is for warming up; of the
        second, the highest value in its first and last third count."""
        if len(self.rss) < MIN_SAMPLES:
            print("resident memory: %d kB; too short to tell whether it grows"
                  % self.rss[-1])
            return
        rss = self.rss[len(self.rss) // 2:]
        third = len(rss) // 3
        early, late = max(rss[:third]), max(rss[-third:])
        print("resident memory: %d kB, then %d kB" % (early, late))
        if late - early > max(GROWTH_KB, early * GROWTH_PERCENT // 100):
            raise SystemExit("memory grows: %s" % self.rss)


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description="Runs the fanbench commands at random for a while.")
    parser.add_argument("--probed", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fb.") as directory:
        soak = Soak(args, directory)
        try:
            soak.run(args.seconds)
            soak.check_log()
            soak.check_memory()
            print(", ".join("%d %s" % (n, name)
                            for name, n in sorted(soak.counts.items()))
                  + ", %d packets" % (soak.counts.get("storm", 0)
                                      * N_PORTS * PACKETS_PER_PORT))
        except BaseException:
            with open(soak.switch.log) as f:
                sys.stderr.write("".join(f.readlines()[-20:]))
            raise
        finally:
            soak.switch.stop()


if __name__ == "__main__":
    main()
