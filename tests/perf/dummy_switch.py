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

"""A private ovs-vswitchd with dummy ports, and what its threads spend.

For the scripts in tests/perf.  Nothing in it needs
root: all ports and datapaths are dummies."""

import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time

# Packets for each port: its receive queue holds 100.
PACKETS_PER_PORT = 90

# Beyond the flows that are ever installed.
FLOW_LIMIT = "2000000000"

# How long a daemon may take for anything, in seconds.
TIMEOUT = 120


def die_with_parent():
    """Makes the calling process, a new child, end when its parent does."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def find(program):
    """Returns the path of a program of OVS's."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    found = shutil.which(program, path=path)
    if not found:
        raise SystemExit("%s: not found" % program)
    return found


class Connection:
    """A connection to a daemon's control socket, for JSON-RPC."""

    def __init__(self, path):
        deadline = time.monotonic() + TIMEOUT
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(TIMEOUT)
            try:
                self.socket.connect(path)
                break
            except ConnectionRefusedError:
                # The daemon has made the socket but does not listen yet.
                self.socket.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.buffer = ""
        self.decoder = json.JSONDecoder()

    @staticmethod
    def request(method, *params):
        """Returns a request, as bytes."""
        return json.dumps({"id": 0, "method": method,
                           "params": list(params)}).encode()

    def reply(self):
        """Waits for a reply and returns its text."""
        while True:
            try:
                message, end = self.decoder.raw_decode(self.buffer)
                self.buffer = self.buffer[end:].lstrip()
                break
            except ValueError:
                data = self.socket.recv(1 << 20)
                if not data:
                    raise ConnectionError("ovs-vswitchd is gone")
                self.buffer += data.decode()
        if message["error"] is not None:
            raise RuntimeError(message["error"])
        return message["result"]

    def send(self, requests, n):
        """Sends 'n' requests, as bytes, at once and waits for all replies."""
        self.socket.sendall(requests)
        return [self.reply() for _ in range(n)]

    def call(self, method, *params):
        """Runs one command and returns its reply."""
        return self.send(self.request(method, *params), 1)[0]


class Switch:
    """An ovsdb-server and an ovs-vswitchd that serves a dummy datapath."""

    datapath = "dummy@ovs-dummy"
    options = ["--enable-dummy=override", "--disable-system"]

    def __init__(self, directory, vswitchd, schema, env=None):
        self.directory = directory
        self.vswitchd_program = vswitchd
        self.processes = []
        self.sent = 0
        os.makedirs(directory)
        self.env = dict(os.environ, **{
            name: directory for name in ("OVS_RUNDIR", "OVS_LOGDIR",
                                         "OVS_DBDIR", "OVS_SYSCONFDIR")})
        self.env.pop("OVS_FANBENCH", None)
        self.env.update(env or {})
        self.log = os.path.join(directory, "ovs-vswitchd.log")
        self.db = "unix:" + os.path.join(directory, "db.sock")
        conf = os.path.join(directory, "conf.db")
        self.run("ovsdb-tool", "create", conf, schema)
        self.start(find("ovsdb-server"), "--remote=p" + self.db,
                   "-vconsole:off", conf)
        self.wait_for(os.path.join(directory, "db.sock"))
        self.vsctl("--no-wait", "init")
        control = self.control = os.path.join(directory, "ovs-vswitchd.ctl")
        self.vswitchd = self.start(
            vswitchd, "-vconsole:off", *self.options,
            "--log-file=" + self.log, "-vfile:info",
            "--unixctl=" + control, self.db)
        self.wait_for(control)
        self.connection = Connection(control)
        self.call = self.connection.call

    def start(self, *argv):
        """Starts a daemon and returns its process."""
        process = subprocess.Popen(argv, env=self.env,
                                   stdin=subprocess.DEVNULL,
                                   preexec_fn=self.prepare)
        self.processes.append(process)
        return process

    def prepare(self):
        """Is called in a new process, before it is a daemon."""
        die_with_parent()

    def wait_for(self, path):
        """Waits until a daemon has made its socket."""
        deadline = time.monotonic() + TIMEOUT
        while not os.path.exists(path):
            if time.monotonic() > deadline or any(
                    p.poll() is not None for p in self.processes):
                raise SystemExit("%s: no daemon made it" % path)
            time.sleep(0.01)

    def run(self, program, *args):
        """Runs a program to its end and returns its output."""
        return subprocess.run([find(program)] + list(args), env=self.env,
                              stdin=subprocess.DEVNULL, check=True,
                              stdout=subprocess.PIPE, text=True,
                              timeout=TIMEOUT).stdout

    def vsctl(self, *args):
        """Changes or asks the database."""
        return self.run("ovs-vsctl", "--db=" + self.db, *args).strip()

    def ofctl(self, *args):
        """Runs ovs-ofctl."""
        return self.run("ovs-ofctl", *args)

    def stop(self):
        """Ends both daemons and removes what they have left."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.directory)

    def threads(self):
        """Returns a dictionary from thread id to name."""
        names = {}
        base = "/proc/%d/task" % self.vswitchd.pid
        for tid in os.listdir(base):
            try:
                with open("%s/%s/comm" % (base, tid)) as f:
                    names[int(tid)] = f.read().strip()
            except FileNotFoundError:
                pass
        return names

    def cpu_ns(self, tid):
        """Returns the CPU time of thread 'tid', in ns, once it sleeps: the
        kernel adds a thread's time up when it leaves the CPU."""
        base = "/proc/%d/task/%d/" % (self.vswitchd.pid, tid)
        last = None
        while True:
            with open(base + "stat") as f:
                state = f.read().rsplit(")", 1)[1].split()[0]
            with open(base + "schedstat") as f:
                now = int(f.read().split()[0])
            if state != "S":
                last = None
            elif now == last:
                return now
            else:
                last = now
            time.sleep(0.0003)

    def rss_kb(self):
        """Returns the resident memory of ovs-vswitchd, in kB."""
        with open("/proc/%d/status" % self.vswitchd.pid) as f:
            for line in f:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
        raise RuntimeError("no VmRSS")

    def misses(self):
        """Returns how many packets matched no flow."""
        return self.statistics()["missed"]

    def flows(self):
        """Returns how many flows the datapath holds."""
        return self.statistics()["flows"]

    def statistics(self):
        """Returns the datapath's counters, by name."""
        text = self.call("dpctl/show", self.datapath)
        return {name: int(value) for name, value in
                re.findall(r"(hit|missed|lost|flows):\s*(\d+)", text)}

    def storm(self, requests, n_ports):
        """Sends what storm_requests() made, and returns when the datapath
        has processed it all."""
        self.connection.send(requests, n_ports)
        self.sent += n_ports * PACKETS_PER_PORT
        deadline = time.monotonic() + TIMEOUT
        while True:
            self.cpu_ns(self.vswitchd.pid)
            counters = self.statistics()
            seen = counters["hit"] + counters["missed"] + counters["lost"]
            if seen >= self.sent:
                break
            if time.monotonic() > deadline:
                raise RuntimeError("%d of %d packets" % (seen, self.sent))

    def fill(self, n_flows, n_ports):
        """Sends packets of 'n_flows' flows, or a few more, through 'n_ports'
        ports."""
        for first in range(0, n_flows, n_ports * PACKETS_PER_PORT):
            self.storm(storm_requests(n_ports, first), n_ports)

    def round(self):
        """Has the revalidators, which pause, make one round and pause again:
        they heed a pause only when the next round begins."""
        # The pause makes the last round seem long, for which ovs-vswitchd
        # lowers its limit, and over the limit it deletes flows.
        self.call("upcall/set-flow-limit", FLOW_LIMIT)
        request = self.connection.request
        self.connection.send(request("revalidator/resume")
                             + request("revalidator/pause"), 2)

    def add_ports(self, n):
        """Adds br0 with dummy ports p0 to p(n - 1), whose packets all leave
        by another, "sink"; each packet is to be a flow of its own."""
        args = ["add-br", "br0", "--", "set", "bridge", "br0",
                "datapath-type=dummy", "fail-mode=secure",
                "--", "add-port", "br0", "sink",
                "--", "set", "interface", "sink", "type=dummy",
                "ofport_request=1000"]
        for i in range(n):
            args += ["--", "add-port", "br0", "p%d" % i,
                     "--", "set", "interface", "p%d" % i, "type=dummy"]
        self.vsctl(*args)
        self.ofctl("add-flow", "unix:%s/br0.mgmt" % self.directory,
                   "actions=output:1000")
        self.call("upcall/disable-megaflows")


def packet(flow):
    """Returns the UDP packet of a flow, given by its number, in hex."""
    ip = bytearray.fromhex("4500002e0000000040110000")
    ip += (0x0a000000 + flow).to_bytes(4, "big") + bytes([10, 255, 0, 1])
    total = sum(int.from_bytes(ip[i:i + 2], "big") for i in range(0, 20, 2))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    ip[10:12] = (total ^ 0xffff).to_bytes(2, "big")
    return ("505400000001" "505400000002" "0800" + ip.hex()
            + "00010002001a0000" + "00" * 18)


def storm_requests(n_ports, first):
    """Returns requests, as bytes, that send PACKETS_PER_PORT packets to each
    of 'n_ports' ports, of flows that are numbered from 'first'."""
    return b"".join(
        Connection.request(
            "netdev-dummy/receive", "p%d" % port,
            *(packet(first + port * PACKETS_PER_PORT + i)
              for i in range(PACKETS_PER_PORT)))
        for port in range(n_ports))
