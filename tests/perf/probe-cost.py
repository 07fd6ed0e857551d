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

"""Measures what the probe in ovs-vswitchd costs, for "make check-perf".

Each block times the same work a few times ("--trials") in each of these, in
random order, and takes the best of each:

  stock   Open vSwitch's own ovs-vswitchd, without the probe
  again   another one like it: what "no difference" looks like
  off     the ovs-vswitchd with the probe, which does not record
  on      the same process while it records, as by default
  bare    the same with "--no-flows", and in "storm" with "--max-births=0"
  all     "storm" only: the same as "on" with "--max-births=0", so that each
          flow's set-up goes into the flow ledger
  counts  "storm" only, if asked for: the same with "--max-births=1", so that
          hardly any does
  every   "rounds" only: the same with "--flows", so that the flow ledger looks
          at the flows in every round
  after   "rounds" only: the same as "on", but in the round after one in which
          the ledger looked, which has put other things into caches
  exact   "rounds" only: the same with "--exact"

  traced  with "--trace": another stock one that bpftrace observes, for the
          cost of the same observation by breakpoints; see tests/perf/tracer.py

All processes live all the time.  Times are CPU times of the threads that do
the work, which other programs disturb less than the clock on the wall, and
ratios are taken block by block, as lib/fb-stats.h explains.  The switches have
a CPU to themselves where there are several.  Where in memory a process finds
itself changes its speed too: so all are started anew a few times
("--sessions").

With "--kernel", the switches serve the kernel datapath; see
tests/perf/kernel_switch.py.  "storm" then is what the handler takes for a flow
set-up, batches of packets that match no flow being sent.  In some guests only
the clock on the wall tells the time: their kernel counts CPU time in clock
ticks of 10 ms.  Where a guest's clock counts instructions, all times are in
instructions.

The works:

  storm   flow set-up: packets that match no flow are sent to dummy ports,
          while the revalidators are paused; then the same packets again,
          which now match.  The difference is what the upcalls and the flow
          installations took, of the main thread.  Each time, the recording is
          a new one, so that all flows are new to it.  A recording has a
          second's worth of set-ups to tell the ledger of at once; they are
          used up before, so that this is a storm that goes on.  What the
          thread takes that takes events to the flow ledger, on another CPU if
          there is one, is told by itself.
  rounds  revalidation rounds over many idle flows ("--flows"): the
          revalidators' time for one round.  By default, the flow ledger looks
          at flows in one of N rounds only, where the probe itself measures and
          tells N.  "on" is timed in rounds in which it does not look, nor did
          in the one before, and "mean" is "on", "after" and "every", weighted
          by N."""

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import tracer
from dummy_switch import FLOW_LIMIT, PACKETS_PER_PORT, Switch, storm_requests
from kernel_switch import BURST, KernelSwitch

# What is measured, and how a recording starts.
START = {"on": [], "bare": ["--no-flows", "--max-births=0"],
         "all": ["--max-births=0"], "counts": ["--max-births=1"],
         "after": [], "every": ["--flows"], "exact": ["--flows", "--exact"]}

# Rounds after which all is as it will stay: when a recording starts, the round
# that was begun before is not recorded, the next makes records of flows, and
# after that caches hold other things than they will.
SETTLE = 3

# Storms before the one that is timed: more flow set-ups than a recording has
# saved up to begin with.
WARM_UPS = 2

# What a recording costs on the whole is the mean of these.
MEAN_OF = {"on", "after", "every"}

# With fewer blocks, no two of them make a 95 % interval.
MIN_BLOCKS = 6

# Flow set-ups in a trial of a kernel datapath.
KERNEL_STORM = 640

# Packets that are sent to fill the datapath for "rounds", at most at a time.
N_PORTS = 40


def best(trials):
    """Returns the least of each column: whatever else the machine does only
    ever adds."""
    return [min(column) for column in zip(*trials)]


def cpu_clock_is_fine():
    """Says whether the kernel knows a thread's CPU time better than in whole
    milliseconds."""
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        with open("/proc/self/schedstat") as f:
            if int(f.read().split()[0]) % 1000000:
                return True
    return False


def known(bench):
    """Returns the names of all that 'bench', a class, can measure."""
    return {name for pair in bench.pairs for name in pair} - {"mean"}


def chosen_duts(args, bench):
    """Returns what to measure in 'bench', a class or an object of it."""
    duts = bench.duts
    if args.duts:
        duts = [name for name in args.duts.split(",") if name in known(bench)]
    return duts + ["traced"] * args.trace


def chosen_pairs(args, bench):
    """Returns what to compare in 'bench', a class."""
    duts = chosen_duts(args, bench)
    if MEAN_OF <= set(duts):
        duts += ["mean"]
    return [pair for pair in bench.pairs + [("traced", "stock")]
            if set(pair) <= set(duts)]


class Bench:
    """The processes of one session."""

    def __init__(self, args, directory):
        self.args = args
        self.directory = directory
        self.switches = {}
        self.tracer = None
        self.traced = 0
        self.duts = chosen_duts(args, self)
        programs = {name: args.stock for name in ("stock", "again", "traced")
                    if name in self.duts}
        programs["off"] = args.probed
        if "traced" in programs:
            programs["traced"] = self.copy_stock()
        for name, program in programs.items():
            make = KernelSwitch if args.kernel else Switch
            self.switches[name] = make("%s/%s" % (directory, name), program,
                                       args.schema)
        for name in START:
            self.switches[name] = self.switches["off"]
        self.unique = [self.switches[name] for name in programs]
        for switch in self.unique:
            switch.vsctl("set", "open_vswitch", ".",
                         "other_config:n-handler-threads=1",
                         "other_config:n-revalidator-threads=%d"
                         % args.revalidators,
                         "other_config:flow-limit=" + FLOW_LIMIT,
                         "other_config:max-idle=100000000",
                         "other_config:max-revalidator=100000000")
            switch.add_ports(N_PORTS)
            switch.call("revalidator/pause")
            switch.call("upcall/set-flow-limit", FLOW_LIMIT)
        self.recording = None
        self.helper = []
        self.helped = []
        self.pin()

    def copy_stock(self):
        """Returns a copy of the stock program: a breakpoint in a file is one
        for all processes that run it."""
        copy = self.directory + "/copy/ovs-vswitchd"
        os.makedirs(os.path.dirname(copy))
        return shutil.copy(self.args.stock, copy)

    def pin(self):
        """Gives the switches a CPU to themselves."""
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) > 1:
            os.sched_setaffinity(0, cpus[:-1])
            for switch in self.unique:
                for tid in switch.threads():
                    os.sched_setaffinity(tid, cpus[-1:])

    def trace(self):
        """Has bpftrace observe one of the switches, if that is wanted."""
        if self.args.trace:
            switch = self.switches["traced"]
            self.tracer = tracer.Tracer(switch.vswitchd_program,
                                        switch.vswitchd.pid)

    def stop(self):
        """Ends all processes."""
        if self.tracer:
            self.traced = self.tracer.stop().get(self.counted, 0)
        for switch in self.unique:
            switch.stop()

    def select(self, dut):
        """Begins a new recording if one is due for "dut", and ends any other.
        Returns the switch."""
        switch = self.switches[dut]
        if switch is not self.switches["off"]:
            return switch
        if self.recording:
            switch.call("fanbench/stop")
            switch.call("fanbench/clear")
        self.recording = dut if dut in START else None
        if self.recording:
            switch.call("fanbench/start", *START[dut])
            switch.cpu_ns(switch.vswitchd.pid)
            self.pin_helper(switch)
            # It sleeps when the ledger has its memory.
            self.helper_ns(switch)
        return switch

    def pin_helper(self, switch):
        """Finds the thread that takes events to the flow ledger, and gives it
        a CPU that the others do not use: where all are busy, the threads that
        it helps do its work."""
        # A thread that writes a log message for it has its name, but does not
        # live as long.
        self.helper = sorted(tid for tid, name in switch.threads().items()
                             if name.startswith("fanbench"))[:1]
        cpus = os.sched_getaffinity(0)
        for tid in self.helper:
            os.sched_setaffinity(tid, cpus)

    def helper_ns(self, switch):
        """Returns the CPU time of that thread, in ns."""
        return sum(map(switch.cpu_ns, self.helper))


class Storm(Bench):
    """Flow set-up."""

    unit = "ns per flow set-up"
    duts = ["stock", "again", "off", "bare", "on", "all"]
    pairs = [("again", "stock"), ("off", "stock"), ("counts", "off"),
             ("bare", "off"), ("on", "off"), ("all", "off"), ("on", "stock")]
    limited = "cpu: on/off"
    counted = "upcalls"

    def __init__(self, args, directory):
        super().__init__(args, directory)
        self.requests = storm_requests(N_PORTS, 0)
        self.n = N_PORTS * PACKETS_PER_PORT
        self.warm_up = [storm_requests(N_PORTS, i * self.n)
                        for i in range(1, WARM_UPS + 1)]
        self.recorded = None

    def inject(self, switch):
        """Sends all packets.  Returns the main thread's CPU time for that
        and the time by the clock, in ns."""
        main = switch.vswitchd.pid
        cpu, wall = switch.cpu_ns(main), time.monotonic_ns()
        switch.storm(self.requests, N_PORTS)
        return switch.cpu_ns(main) - cpu, time.monotonic_ns() - wall

    def measure(self, dut):
        """Makes one trial.  Returns [miss, hit], each [cpu, wall]."""
        switch = self.select(dut)
        # The start of a recording empties the processor's caches, since it
        # fills the ledger's memory with zeros.  So flows are to find memory
        # that others had since, whether a recording has started or not.  The
        # deletion of all flows is work for the ledger, too, so the storm that
        # is timed comes after another one.
        for requests in self.warm_up:
            switch.storm(requests, N_PORTS)
        switch.call("revalidator/purge")
        switch.storm(self.warm_up[0], N_PORTS)
        before = switch.misses()
        # To ask costs caches, too: once a session, in the trial that does not
        # count.
        ask = dut == "on" and self.recorded is None
        unrecorded = self.unrecorded(switch) if ask else 0
        helped = self.helper_ns(switch) if dut == "on" else 0
        miss = self.inject(switch)
        if dut == "on":
            self.helped.append((self.helper_ns(switch) - helped) / self.n)
        if ask:
            self.recorded = 1 - (self.unrecorded(switch) - unrecorded) / self.n
        hit = self.inject(switch)
        misses = switch.misses() - before
        if misses != self.n:
            raise SystemExit("%s: %d upcalls, not %d" % (dut, misses, self.n))
        switch.call("revalidator/purge")
        return [miss, hit]

    def unrecorded(self, switch):
        """Returns how many misses the flow ledger was not told of."""
        show = json.loads(switch.call("fanbench/show", "--json"))
        return show["datapaths"][0]["upcalls"]["misses_not_recorded"]

    def complete(self, costs):
        """Adds what follows from other costs to those of a block."""

    def cost(self, trials):
        """Returns ns of CPU time and of the wall, from the trials of a
        block.  The latter is that of all the packets that miss, commands
        included: on a busy machine the difference may be anything."""
        miss, hit = zip(*trials)
        return [(best(miss)[0] - best(hit)[0]) / self.n,
                best(miss)[1] / self.n]


class KernelStorm(Bench):
    """Flow set-up in a kernel datapath."""

    unit = "ns of the handler per flow set-up"
    duts = ["stock", "again", "off", "counts", "all"]
    pairs = [("again", "stock"), ("off", "stock"), ("counts", "off"),
             ("all", "off")]
    # Where it can be told, in a guest that counts instructions, the probe has
    # no invariant counter to read the time from, which is dear.
    limited = None
    counted = "upcalls"

    def __init__(self, args, directory):
        super().__init__(args, directory)
        self.n = KERNEL_STORM

    def measure(self, dut):
        """Makes one trial.  Returns [cpu, wall]."""
        switch = self.select(dut)
        # This starts all threads anew, which then have their first upcalls.
        switch.call("revalidator/purge")
        switch.fill(BURST, N_PORTS)
        tids = [tid for tid, name in switch.threads().items()
                if name.startswith("handler")]
        before = switch.misses()
        cpu, wall = sum(map(switch.cpu_ns, tids)), time.monotonic_ns()
        switch.fill(BURST + self.n, N_PORTS)
        wall = time.monotonic_ns() - wall
        cpu = sum(map(switch.cpu_ns, tids)) - cpu
        # A packet may be sent again before its flow is seen.
        return [cpu * self.n / (switch.misses() - before), wall]

    def complete(self, costs):
        """Adds what follows from other costs to those of a block."""

    def cost(self, trials):
        """Returns ns of CPU time and of the wall, from the trials of a
        block."""
        return [t / self.n for t in best(trials)]


class Rounds(Bench):
    """Revalidation rounds."""

    unit = "ns per flow and round"
    duts = ["stock", "again", "off", "bare", "on", "after", "every", "exact"]
    pairs = [("again", "stock"), ("off", "stock"), ("bare", "off"),
             ("on", "off"), ("after", "off"), ("every", "off"),
             ("exact", "off"),
             ("mean", "off"), ("mean", "stock")]
    limited = "cpu: mean/off"
    counted = "flows"

    def __init__(self, args, directory):
        super().__init__(args, directory)
        # Taken now: a thread that writes a log message for another is called
        # as that is.
        self.every = []
        self.revalidators = {
            switch: [tid for tid, name in switch.threads().items()
                     if name.startswith("revalidator")]
            for switch in self.unique}
        for switch in self.unique:
            switch.fill(args.flows, N_PORTS)
            self.n = switch.sent
            self.round(switch)

    def round(self, switch):
        """Has one round made.  Returns the revalidators' CPU time and the
        time by the clock, in ns.  They pause before and after."""
        tids = self.revalidators[switch]
        cpu, wall = sum(map(switch.cpu_ns, tids)), time.monotonic_ns()
        switch.round()
        wall = time.monotonic_ns() - wall
        cpu = sum(map(switch.cpu_ns, tids)) - cpu
        if switch.flows() != self.n:
            raise SystemExit("%d flows, not %d" % (switch.flows(), self.n))
        return cpu, wall

    def measure(self, dut):
        """Makes one trial.  Returns [cpu, wall]."""
        switch = self.select(dut)
        for _ in range(SETTLE - (dut == "after")):
            self.round(switch)
        times = self.round(switch)
        if dut == "on":
            self.learn(switch)
        return times

    def learn(self, switch):
        """Asks in how many rounds the ledger would look at flows once."""
        ledger = json.loads(switch.call("fanbench/flows", "--json"))
        dp = ledger["datapaths"][0]
        if dp["rounds"] != SETTLE:
            raise SystemExit("%d rounds were recorded, not %d"
                             % (dp["rounds"], SETTLE))
        self.every.append(dp["look_every"])

    def complete(self, costs):
        """Adds what follows from other costs to those of a block."""
        if not MEAN_OF <= set(costs):
            return
        n = median(self.every)
        costs["mean"] = [
            ((n - 2) * on + after + every) / n if n >= 2 else every
            for on, after, every in zip(*(costs[dut] for dut in
                                          ("on", "after", "every")))]

    def cost(self, trials):
        """Returns ns of CPU time and of the wall, from the trials of a
        block."""
        return [t / self.n for t in best(trials)]


BENCHES = [Storm, KernelStorm, Rounds]


def interval(args, a, b):
    """Returns the median of the ratios a[i]/b[i] and its interval, as
    percentages of change.  The latter are None if there are too few."""
    pairs = "".join("%f %f\n" % pair for pair in zip(a, b))
    out = subprocess.run([args.interval], input=pairs, check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return [None if math.isnan(float(x)) else 100 * (float(x) - 1)
            for x in out.split()]


def format_change(change):
    """Returns what interval() returned, as text."""
    if change[1] is None:
        return ("%+6.2f %% (no interval: fewer than %d blocks)"
                % (change[0], MIN_BLOCKS))
    return "%+6.2f %% (%+.2f to %+.2f)" % tuple(change)


def median(values):
    """Returns the median of a list."""
    values = sorted(values)
    n = len(values)
    return (values[(n - 1) // 2] + values[n // 2]) / 2


def run_session(args, bench, times):
    """Measures all blocks of one session, and appends to 'times'."""
    duts = bench.duts
    bench.trace()
    for dut in duts:
        bench.measure(dut)
    for _ in range(args.blocks):
        trials = {dut: [] for dut in duts}
        for _ in range(args.trials):
            for dut in random.sample(duts, len(duts)):
                trials[dut].append(bench.measure(dut))
        costs = {dut: bench.cost(trials[dut]) for dut in duts}
        if args.fine and min(c[0] for c in costs.values()) <= 0:
            raise SystemExit("the machine is too busy: a flow set-up took "
                             "less than nothing")
        bench.complete(costs)
        for dut, cost in costs.items():
            times.setdefault(dut, []).append(cost)


def run(args, bench_class):
    """Runs one benchmark.  Returns {dut: [[cpu, wall], ...]}; in how many
    rounds the flow ledger would look at flows once, as it was told each time;
    what the thread took that takes events to the ledger; and the share of the
    flow set-ups that was recorded by flow, in each session."""
    times = {}
    every = []
    helped = []
    recorded = []
    for _ in range(args.sessions):
        with tempfile.TemporaryDirectory(prefix="fb.") as directory:
            bench = bench_class(args, directory)
            try:
                run_session(args, bench, times)
                every += getattr(bench, "every", [])
                helped += bench.helped
                recorded.append(getattr(bench, "recorded", None))
            finally:
                bench.stop()
            if args.trace and not bench.traced:
                raise SystemExit("bpftrace has observed nothing")
    return times, every, helped, [r for r in recorded if r is not None]


def report(args, name, bench_class, times, every, helped, recorded):
    """Prints the table of one benchmark.  Returns it as plain data."""
    n = args.sessions * args.blocks
    print("%s: %s, %d blocks in %d sessions" % (name, bench_class.unit, n,
                                                args.sessions))
    result = {"benchmark": name, "unit": bench_class.unit, "blocks": n,
              "sessions": args.sessions, "medians": {}, "changes": {}}
    if every:
        result["looked_at_every"] = every
        print("  flows looked at in one of %g rounds (%d to %d)"
              % (median(every), min(every), max(every)))
    if helped:
        result["helper_ns"] = median(helped)
        print("  %.1f more for each in the thread that takes events to the "
              "ledger" % median(helped))
    if recorded:
        result["recorded_by_flow"] = recorded
        print("  on: %.0f %% of the flow set-ups were recorded by flow (%.0f to "
              "%.0f)" % tuple(100 * x for x in (median(recorded),
                                                min(recorded),
                                                max(recorded))))
    for clock, clock_name in enumerate(["cpu", "wall"]):
        if not args.fine and clock_name == "cpu":
            continue
        column = {dut: [t[clock] for t in times[dut]] for dut in times}
        medians = {dut: median(column[dut]) for dut in times}
        result["medians"][clock_name] = medians
        print("  %-4s  " % clock_name
              + "  ".join("%s %.1f" % (d, medians[d]) for d in medians))
        for a, b in chosen_pairs(args, bench_class):
            change = interval(args, column[a], column[b])
            by_session = [
                100 * (median([x / y for x, y in zip(
                    column[a][i:i + args.blocks],
                    column[b][i:i + args.blocks])]) - 1)
                for i in range(0, n, args.blocks)]
            result["changes"]["%s: %s/%s" % (clock_name, a, b)] = {
                "percent": change[0], "lo": change[1], "hi": change[2],
                "sessions": by_session}
            print("        %-12s %s, by session %s"
                  % (a + "/" + b, format_change(change),
                     " ".join("%+.2f" % x for x in by_session)))
    sys.stdout.flush()
    return result


def over_limit(args, result, limited):
    """Says whether recording costs more than "--max-on" for sure, by CPU
    time: the whole interval of the change 'limited' is above."""
    low = result["changes"].get(limited, {}).get("lo")
    if low is None or low <= args.max_on:
        return False
    print("%s: recording costs more than %g %%"
          % (result["benchmark"], args.max_on), file=sys.stderr)
    return True


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description="Measures what the probe in ovs-vswitchd costs.")
    parser.add_argument("--stock", required=True)
    parser.add_argument("--probed", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--interval", required=True)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=3)
    parser.add_argument("--flows", type=int, default=200000)
    parser.add_argument("--revalidators", type=int, default=1)
    parser.add_argument("--max-on", type=float, default=2.0, metavar="PERCENT")
    parser.add_argument("--trace", action="store_true",
                        help="compare with bpftrace, too")
    parser.add_argument("--kernel", action="store_true",
                        help="of the kernel datapath, as in a guest")
    parser.add_argument("--duts", metavar="NAME,...",
                        help="measure these, see above, and no others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("benchmark", nargs="*", choices=["storm", "rounds",
                                                         []])
    args = parser.parse_args()
    random.seed(args.seed)
    args.fine = cpu_clock_is_fine()
    for name in args.duts.split(",") if args.duts else []:
        if not any(map(lambda bench: name in known(bench), BENCHES)):
            parser.error("--duts: there is no \"%s\"" % name)
    if args.trace:
        problem = tracer.why_not()
        if problem:
            print("not compared with bpftrace: " + problem)
            args.trace = False
    results = []
    over = False
    for name, bench_class in [("storm", KernelStorm if args.kernel else Storm),
                              ("rounds", Rounds)]:
        if not args.benchmark or name in args.benchmark:
            result = report(args, name, bench_class, *run(args, bench_class))
            over |= over_limit(args, result, bench_class.limited)
            results.append(result)
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"schema": "ovs-fanbench-perf/2", "seed": args.seed,
                       "flows": args.flows, "results": results}, f, indent=2)
            f.write("\n")
    return over


if __name__ == "__main__":
    sys.exit(main())
