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

"""What the measurement of latency costs each packet.

Runs "ovs-fanbench run fanout" with frames marked in every other block only, so
that a block with marks and the next one without are the same topology, on the
same machine, a fraction of a second apart.  Prints for each DUT the ratio of
the times per packet, with marks to without, and its 95 % interval.  Fails if
that interval is wholly above 1.01: if the cost is certainly above 1 %."""

import argparse
import json
import os
import subprocess
import sys

LIMIT = 1.01


def run(args):
    """Returns the result of a run with marks in every other block."""
    command = [args.fanbench, "run", "fanout", "-f", "json",
               "--duts=" + args.duts, "--trials=%d" % (2 * args.pairs),
               "--builds=1", "--duration=%g" % args.duration]
    command.append("--guest" if args.guest else "--no-guest")
    env = dict(os.environ, OVS_FANBENCH_LATENCY="alternate")
    process = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                             check=True)
    return json.loads(process.stdout)


def time_per_packet(trial):
    """Returns the time per packet of 'trial' in ns."""
    return 1e9 * trial["duration_s"] / max(trial["delivered_in_time"], 1)


def ratio(args, trials):
    """Returns the median of the ratios of the trials with marks to those
    without, and its interval."""
    marked, plain = trials[0::2], trials[1::2]
    assert all(t["marked"] for t in marked), "no marks"
    assert not any(t["marked"] for t in plain), "marks"
    pairs = "".join("%f %f\n" % (time_per_packet(a), time_per_packet(b))
                    for a, b in zip(marked, plain))
    out = subprocess.run([args.interval], input=pairs, check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return [float(x) for x in out.split()]


def main():
    """Returns an exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fanbench", default="ovs-fanbench")
    parser.add_argument("--interval", required=True)
    parser.add_argument("--duts", default="wire,linux-bridge,ovs-userspace")
    parser.add_argument("--guest", action="store_true")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--duration", type=float, default=0.05)
    args = parser.parse_args()

    code = 0
    for dut in run(args)["duts"]:
        median, low, high = ratio(args, dut["trials"])
        if low > LIMIT:
            verdict, code = "FAILED: above %g" % LIMIT, 1
        elif high <= LIMIT:
            verdict = "at most %g" % LIMIT
        else:
            verdict = "not told apart from %g" % LIMIT
        print("%-16s with marks / without %.4f (%.4f to %.4f)  %s"
              % (dut["name"], median, low, high, verdict))
    return code


if __name__ == "__main__":
    sys.exit(main())
