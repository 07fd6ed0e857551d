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

"""Compares the load generator with trafgen and pktgen on one veth pair.

usage: load-rate.py FANBENCH_TEST [BLOCKS]

Needs root.  In a network namespace of its own, sends 64-byte frames in turn by
each backend, by trafgen (netsniff-ng) and, where the kernel has it, by pktgen,
all on the same CPU, in BLOCKS blocks (default 9).  What counts is what arrived
at the other end of the pair.  Prints the median rates and the median, least
and greatest of the block-wise ratios to each of the two peers; then the error
of the gaps at 100,000 packets per second.  Fails if the best backend is less
than 1.5 times as fast as trafgen, or if in the median block the 99th
percentile of the gaps' error is 20 us or more.

pktgen is a backend, too: what is compared with it are the others, which send
frames of ours.  Its module is loaded for the time if it is not."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BACKENDS = ("sendmmsg", "ring", "xdp")
PEERS = ("trafgen", "pktgen")
SECONDS = 0.5
FRAME = ("{ 0x02,0xfb,1,0,0,1, 0x02,0xfb,0,0,0,1, 0x08,0x00, 0x45,0,0,50, "
         "0,0,0,0, 64,17,csumip(14,33), 198,18,0,1, 198,19,0,1, 0xc0,0, 0,9, "
         "0,30,0,0, fill(0x00,22) }\n")


def run(*argv, **kwargs):
    """Runs 'argv' and returns what it prints."""
    return subprocess.run(argv, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **kwargs).stdout


def received():
    """Returns the number of packets that have arrived at fb1."""
    for line in open("/proc/self/net/dev"):
        name, _, rest = line.partition(":")
        if name.strip() == "fb1":
            return int(rest.split()[1])
    raise RuntimeError("fb1: no such interface")


def ours(program, cpu, backend):
    """Returns the rate of 'backend' in packets per second."""
    before = received()
    out = run("taskset", "-c", cpu, program, "load-rate", "fb0", "0",
              str(SECONDS), env=dict(os.environ, BACKEND=backend))
    seconds = float(re.search(r"seconds=(\S+)", out).group(1))
    return (received() - before) / seconds


def trafgen(config):
    """Returns the rate of trafgen in packets per second, by its own clock.
    Its one process binds itself to CPU 0."""
    before = received()
    out = run("trafgen", "-i", config, "-o", "fb0", "-n", "600000", "-P", "1")
    match = re.search(r"(\d+) sec, (\d+) usec", out)
    return (received() - before) / (int(match.group(1))
                                    + int(match.group(2)) / 1e6)


def pktgen(program, cpu):
    """Returns the rate of the kernel's pktgen in packets per second, on the
    CPU of who starts it.  It would keep the device for as long as that is
    there."""
    before = received()
    out = run("taskset", "-c", cpu, program, "pktgen-rate", "fb0",
              str(SECONDS))
    seconds = float(re.search(r"seconds=(\S+)", out).group(1))
    with open("/proc/self/net/pktgen/kpktgend_" + cpu, "w") as f:
        f.write("rem_device_all\n")
    return (received() - before) / seconds


def gap_error(program, cpu):
    """Returns the 99th percentile of the gaps' error at 100 kpps, in ns."""
    out = run("taskset", "-c", cpu, program, "load-rate", "fb0", "100000",
              str(SECONDS))
    return int(re.search(r"p99=(\d+)", out).group(1))


def set_up():
    """Makes the pair of fb0 and fb1."""
    with open("/proc/sys/net/ipv6/conf/default/disable_ipv6", "w") as f:
        f.write("1")
    run("ip", "link", "add", "fb0", "type", "veth", "peer", "name", "fb1")
    for name in "fb0", "fb1":
        run("ip", "link", "set", name, "up")
    time.sleep(1)


def show_ratios(rates, peer):
    """Prints the block-wise ratios to 'peer'.  Returns the best backend's
    median one."""
    best = 0
    for name in rates:
        ratios = [a / b for a, b in zip(rates[name], rates[peer])]
        ratio = statistics.median(ratios)
        print("%-9s %8.0f kpps, %.2f times %s (%.2f to %.2f)"
              % (name, statistics.median(rates[name]) / 1e3, ratio, peer,
                 min(ratios), max(ratios)))
        if name in BACKENDS:
            best = max(best, ratio)
    return best


def measure(program, n_blocks):
    """Measures and judges, in this network namespace.  Returns an exit
    code."""
    set_up()
    cpu = "0"
    with tempfile.NamedTemporaryFile("w", suffix=".cfg", delete=False) as f:
        config = f.name
        f.write(FRAME)
    senders = {name: lambda name=name: ours(program, cpu, name)
               for name in BACKENDS}
    if shutil.which("trafgen"):
        senders["trafgen"] = lambda: trafgen(config)
    if os.path.exists("/proc/self/net/pktgen"):
        senders["pktgen"] = lambda: pktgen(program, cpu)
    rates = {name: [] for name in senders}
    gaps = []
    try:
        for _ in range(n_blocks):
            for name, send in senders.items():
                rates[name].append(send())
            gaps.append(gap_error(program, cpu))
    finally:
        os.unlink(config)
    best = {peer: show_ratios(rates, peer) for peer in PEERS if peer in rates}
    for peer in PEERS:
        if peer not in best:
            print("%s: is not here" % peer)
    gap = statistics.median(gaps) / 1e3
    print("100 kpps: p99 of the gaps' error %.2f us (%.2f to %.2f)"
          % (gap, min(gaps) / 1e3, max(gaps) / 1e3))
    ok = best.get("trafgen", 1.5) >= 1.5 and gap < 20
    print("ok" if ok else "FAILED: 1.5 times trafgen and 20 us were to be met")
    return 0 if ok else 1


def main(program, n_blocks):
    """Has a namespace of its own made, with pktgen in it if that can be.
    Returns an exit code."""
    if os.environ.get("FB_LOAD_RATE"):
        return measure(program, n_blocks)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    loaded = (not os.path.exists("/sys/module/pktgen")
              and shutil.which("modprobe")
              and not subprocess.call(["modprobe", "pktgen"], **quiet))
    try:
        return subprocess.call(
            ["unshare", "--net", sys.executable] + sys.argv,
            env=dict(os.environ, FB_LOAD_RATE="inside"))
    finally:
        if loaded:
            subprocess.call(["modprobe", "-r", "pktgen"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9))
