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

"""Sets what no installed program may be able to set at an interface.

usage: set-knob.py xdp|tso INTERFACE

"xdp" attaches an XDP program that passes every packet; "tso" switches TCP
segmentation offload off.  Exits with 77 if this machine cannot do it."""

import ctypes
import fcntl
import os
import platform
import socket
import struct
import sys

# <linux/bpf.h>, <linux/rtnetlink.h>, <linux/if_link.h>.
BPF_PROG_LOAD = 5
BPF_PROG_TYPE_XDP = 6
BPF_SYSCALL = {"x86_64": 321, "aarch64": 280}
RTM_SETLINK = 19
NLM_F_REQUEST, NLM_F_ACK = 1, 4
NLA_F_NESTED = 0x8000
IFLA_XDP, IFLA_XDP_FD, IFLA_XDP_FLAGS = 43, 1, 3
XDP_FLAGS_SKB_MODE = 2

# <linux/ethtool.h>, <linux/sockios.h>.
SIOCETHTOOL = 0x8946
ETHTOOL_STSO = 0x1f


def load_program():
    """Loads "return XDP_PASS" and returns its file descriptor."""
    insns = ctypes.create_string_buffer(
        struct.pack("<BBhi", 0xb7, 0, 0, 2)     # r0 = XDP_PASS
        + struct.pack("<BBhi", 0x95, 0, 0, 0))  # exit
    license_ = ctypes.create_string_buffer(b"Apache-2.0")
    attr = struct.pack("<IIQQIIQII", BPF_PROG_TYPE_XDP, 2,
                       ctypes.addressof(insns), ctypes.addressof(license_),
                       0, 0, 0, 0, 0)
    attr = ctypes.create_string_buffer(attr.ljust(128, b"\0"))
    number = BPF_SYSCALL.get(platform.machine())
    fd = -1
    if number:
        fd = ctypes.CDLL(None, use_errno=True).syscall(
            number, BPF_PROG_LOAD, attr, 128)
    if fd < 0:
        sys.exit(77)
    return fd


def attribute(kind, payload):
    """A netlink attribute."""
    n = 4 + len(payload)
    return struct.pack("<HH", n, kind) + payload + b"\0" * (-n % 4)


def set_xdp(name):
    """Attaches a program to the interface 'name'."""
    nested = (attribute(IFLA_XDP_FD, struct.pack("<i", load_program()))
              + attribute(IFLA_XDP_FLAGS,
                          struct.pack("<I", XDP_FLAGS_SKB_MODE)))
    body = (struct.pack("<BxHiII", socket.AF_UNSPEC, 0,
                        socket.if_nametoindex(name), 0, 0)
            + attribute(IFLA_XDP | NLA_F_NESTED, nested))
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.send(struct.pack("<IHHII", 16 + len(body), RTM_SETLINK,
                       NLM_F_REQUEST | NLM_F_ACK, 1, 0) + body)
    error, = struct.unpack("<i", s.recv(65536)[16:20])
    if error:
        sys.exit("%s: %s" % (name, os.strerror(-error)))


def set_tso(name):
    """Switches TSO off at the interface 'name'."""
    value = ctypes.create_string_buffer(struct.pack("<II", ETHTOOL_STSO, 0))
    request = struct.pack("16sQ16x", name.encode(), ctypes.addressof(value))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCETHTOOL, request)


def main(args):
    """Does what 'args' say."""
    if len(args) != 2 or args[0] not in ("xdp", "tso"):
        sys.exit(__doc__)
    set_xdp(args[1]) if args[0] == "xdp" else set_tso(args[1])


if __name__ == "__main__":
    main(sys.argv[1:])
