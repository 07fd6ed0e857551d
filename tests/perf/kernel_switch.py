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

"""A private ovs-vswitchd that serves a kernel datapath, for probe-cost.py.

Each has a network namespace, and so a datapath, of its own.  Needs root and a
kernel with the openvswitch module, as that of a guest.  Modules that it has
loaded stay."""

import ctypes
import os
import socket
import subprocess
import time

from dummy_switch import FLOW_LIMIT, TIMEOUT, Switch, find, packet

# Modules of a User-Mode Linux guest, by kernel release.
GUEST_MODULES = "/usr/lib/uml/modules/"

# An ovs-vswitchd that starts earlier than this after the boot, in seconds,
# may take the machine for one without CPUs.
BOOT_SECONDS = 11

# Packets that are sent at a time, each of which is an upcall.
BURST = 32

# Packets of a burst that made no flow are sent again after so many seconds.
PATIENCE = 1


def run(*argv):
    """Runs a program of the system's."""
    subprocess.run([find(argv[0])] + list(argv[1:]), check=True,
                   stdin=subprocess.DEVNULL, timeout=TIMEOUT)


def load(module):
    """Loads a module, if the guest has not."""
    if os.path.isdir("/sys/module/" + module):
        return
    args = []
    if os.path.isdir(GUEST_MODULES + os.uname().release):
        root = "/run/modules"
        os.makedirs(root + "/lib/modules", exist_ok=True)
        link = root + "/lib/modules/" + os.uname().release
        if not os.path.islink(link):
            os.symlink(GUEST_MODULES + os.uname().release, link)
        args = ["-d", root]
    run("modprobe", *args, module)


def prepare_kernel():
    """Loads the modules, and waits until Open vSwitch can start."""
    load("openvswitch")
    load("veth")
    while True:
        with open("/proc/uptime") as f:
            if float(f.read().split()[0]) > BOOT_SECONDS:
                break
        time.sleep(0.2)


def enter(namespace):
    """Moves the calling thread to the network namespace whose file is open as
    'namespace'."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace.fileno(), 0):
        raise OSError(ctypes.get_errno(), "setns")


class KernelSwitch(Switch):
    """An ovsdb-server and an ovs-vswitchd that serves a kernel datapath."""

    datapath = "system@ovs-system"
    options = []
    n_namespaces = 0

    def __init__(self, directory, vswitchd, schema, env=None):
        if not KernelSwitch.n_namespaces:
            prepare_kernel()
        KernelSwitch.n_namespaces += 1
        self.name = "fb-perf%d-%d" % (os.getpid(), KernelSwitch.n_namespaces)
        self.socket = None
        run("ip", "netns", "add", self.name)
        self.namespace = open("/run/netns/" + self.name)
        run("ip", "netns", "exec", self.name, "sysctl", "-q", "-w",
            "net.ipv6.conf.all.disable_ipv6=1",
            "net.ipv6.conf.default.disable_ipv6=1")
        super().__init__(directory, vswitchd, schema, env)

    def prepare(self):
        """Puts a daemon into the namespace."""
        super().prepare()
        enter(self.namespace)

    def stop(self):
        """Ends both daemons and removes what they and this have made."""
        super().stop()
        if self.socket:
            self.socket.close()
        self.namespace.close()
        run("ip", "netns", "del", self.name)

    def open_socket(self, port):
        """Returns a socket that sends through a port."""
        with open("/proc/self/ns/net") as own:
            enter(self.namespace)
            try:
                sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
                sock.bind((port, 0))
            finally:
                enter(own)
        return sock

    def add_ports(self, n):
        """Adds br0 with two ports; each packet that comes in by one is to be
        a flow of its own and leaves by the other."""
        args = ["add-br", "br0", "--", "set", "bridge", "br0",
                "fail-mode=secure"]
        for port in ("p0", "p1"):
            peer = port.replace("p", "q")
            run("ip", "-n", self.name, "link", "add", port, "type", "veth",
                "peer", "name", peer)
            for name in (port, peer):
                run("ip", "-n", self.name, "link", "set", name, "up")
            args += ["--", "add-port", "br0", port]
        self.vsctl(*args)
        self.ofctl("add-flow", "unix:%s/br0.mgmt" % self.directory,
                   "in_port=p0,actions=output:p1")
        self.call("upcall/disable-megaflows")
        self.socket = self.open_socket("q0")

    def fill(self, n_flows, n_ports):
        """Installs 'n_flows' flows."""
        self.call("upcall/set-flow-limit", FLOW_LIMIT)
        for first in range(0, n_flows, BURST):
            last = min(first + BURST, n_flows)
            self.send(first, last)
            sent = time.monotonic()
            give_up = sent + TIMEOUT
            while self.flows() < last:
                if time.monotonic() > sent + PATIENCE:
                    self.send(first, last)
                    sent = time.monotonic()
                if time.monotonic() > give_up:
                    raise RuntimeError("%d of %d flows"
                                       % (self.flows(), last))
        self.sent = n_flows

    def send(self, first, last):
        """Sends a packet of each flow from number 'first' to 'last' - 1."""
        for flow in range(first, last):
            self.socket.send(bytes.fromhex(packet(flow)))
