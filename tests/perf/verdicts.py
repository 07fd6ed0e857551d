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

"""Are the verdicts of "ovs-fanbench run" right?

usage: verdicts.py [--guest] FANBENCH aa RUNS
       verdicts.py [--guest] FANBENCH cost RUNS [PERCENT]

"aa" compares a Linux bridge with another one like it, in short runs.  Of 100
runs at most 7 may say "slower" or "faster": 5 are to be expected of intervals
of 95 %, were there no margin.

"cost" gives the second bridge a known cost: at the first port of both is a
classifier that matches nothing and changes nothing, and that of the second
executes so many BPF instructions more for each packet.  Each needs the result
of the one before, but a processor executes the first few hundred beside
whatever follows, at no cost: so both bridges have those.  How many instructions
cost 3 % is estimated with a few times as many, and what they do cost is
measured by a run of several times the precision.  Nine of ten runs at default
settings must call that "slower", and the intervals of eight of ten must hold
it.

Needs root and tc(8); with --guest, user-mode-linux instead of root."""

import json
import math
import os
import subprocess
import sys
import tempfile

# BPF instructions that both bridges execute: more than processors look ahead...
BASE_INSNS = 600

# ...and those of the second with which the cost of one is measured: not so
# many that they push other code out of the processor's caches.
CALIBRATION_INSNS = 300

# How precisely the known cost is measured, in percent.  Runs at default
# settings reach 1.
PRECISE = ["--precision=0.3", "--max-time=180"]

# A run that is as short as one may be and still have an interval over builds.
QUICK = ["--trials=48", "--builds=8", "--duration=0.005", "--warmup=0.02"]

# Both bridges have the classifier, so that they differ in its instructions
# only: an empty one has a cost of its own, of some percent.  It is gone before
# the ports are compared.
HOOK = """#!/bin/sh
case "$1 $2" in
"before "*)
    tc qdisc add dev fb-port0 clsact &&
    tc filter add dev fb-port0 ingress protocol all prio 1 \\
      bpf bytecode-file "$FANBENCH_BYTECODE.$2" flowid 1:1
    ;;
"after "*)
    tc qdisc del dev fb-port0 clsact
    ;;
esac
"""


class Bench:
    """What runs "ovs-fanbench"."""

    def __init__(self, fanbench, guest, folder):
        self.fanbench = fanbench
        self.where = "--guest" if guest else "--no-guest"
        self.folder = folder
        self.hook = os.path.join(folder, "hook")
        with open(self.hook, "w") as f:
            f.write(HOOK)
        os.chmod(self.hook, 0o755)

    def run(self, options, insns=0):
        """Compares two bridges, of which the second executes 'insns'
        instructions more.  Returns the comparison and the sampling."""
        env = dict(os.environ)
        if insns:
            name = os.path.join(self.folder, "bytecode")
            for dut, n in (("linux-bridge", BASE_INSNS),
                           ("linux-bridge-2", BASE_INSNS + insns)):
                # "A += 1", again and again; then "return 0": no match.
                program = ["4 0 0 1"] * n + ["6 0 0 0"]
                with open("%s.%s" % (name, dut), "w") as f:
                    f.write("%d,%s" % (len(program), ",".join(program)))
            env["FANBENCH_BYTECODE"] = name
            env["OVS_FANBENCH_HOOK"] = self.hook
        p = subprocess.run([self.fanbench, "run", "fanout", self.where,
                            "--duts=linux-bridge,linux-bridge", "-f", "json"]
                           + options, env=env, stdout=subprocess.PIPE,
                           check=True)
        r = json.loads(p.stdout)
        return r["comparisons"][0], r["sampling"]


def show(i, c, s):
    """Prints run number 'i'."""
    print("%3d: %.4f (%.4f to %.4f) %s, %d builds, %.0f s"
          % (i + 1, c["ratio"], c["ci95"][0], c["ci95"][1], c["verdict"],
             s["builds"], s["seconds"]), flush=True)


def check_aa(bench, n):
    """'n' runs of equals.  Returns true if few enough see a difference."""
    n_false = n_beside = 0
    for i in range(n):
        c, s = bench.run(QUICK)
        show(i, c, s)
        n_false += c["verdict"] in ("slower", "faster")
        n_beside += not c["ci95"][0] <= 1 <= c["ci95"][1]
    print("equals: %d of %d runs say slower or faster; in %d the interval "
          "is beside 1" % (n_false, n, n_beside))
    return n_false <= math.ceil(0.07 * n)


def check_cost(bench, n, percent):
    """'n' runs with a cost of 'percent'.  Returns true if at least nine of ten
    see it."""
    c, s = bench.run([], CALIBRATION_INSNS)
    print("%d instructions: %.4f (%.4f to %.4f)"
          % (CALIBRATION_INSNS, c["ratio"], *c["ci95"]), flush=True)
    insns = round(CALIBRATION_INSNS * percent / 100 / (c["ratio"] - 1))
    c, s = bench.run(PRECISE, insns)
    known = c["ratio"]
    print("%d instructions: %.4f (%.4f to %.4f), known from now on"
          % (insns, known, *c["ci95"]), flush=True)
    n_slower = n_held = 0
    for i in range(n):
        c, s = bench.run([], insns)
        show(i, c, s)
        n_slower += c["verdict"] == "slower"
        n_held += c["ci95"][0] <= known <= c["ci95"][1]
    print("%.2f %%: %d of %d runs say slower; in %d the interval holds it"
          % (100 * (known - 1), n_slower, n, n_held))
    # Of ten intervals of 95 %, fewer than eight hold it once in a hundred.
    return n_slower >= 0.9 * n and n_held >= 0.8 * n


def main(args):
    """Returns an exit code."""
    guest = args[:1] == ["--guest"]
    if guest:
        del args[0]
    if len(args) < 3 or args[1] not in ("aa", "cost"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args[0], guest, folder)
        if args[1] == "aa":
            good = check_aa(bench, int(args[2]))
        else:
            good = check_cost(bench, int(args[2]),
                              float(args[3]) if len(args) > 3 else 3)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
