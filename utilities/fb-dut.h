/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License. */

#ifndef FB_DUT_H
#define FB_DUT_H 1

/* A device under test: one of the things that frames can be sent through.
 *
 * Each has two network namespaces of its own, the far one and its own.
 *
 *     far namespace            DUT's namespace
 *
 *     fb-gen  ================ fb-port0 --.
 *     fb-sink1 =============== fb-port1 --+-- switch
 *     fb-sink2 =============== fb-port2 --'
 *
 * "===" is a veth pair.  The wire has no switch: its one sink is the other end
 * of fb-gen.  In two-way traffic the sinks send, too, and fb-gen is a sink.
 *
 * TCP (see fb-tcp.h) has sinks in a namespace of their own, with the frames'
 * addresses.  Else a sink's own address differs from them, so that the IP
 * layer drops each frame as soon as it has counted it: the cheapest
 * sink there is, equal for all, with nothing attached to the path.
 *
 * fb-dut-build.h builds them and takes them down, fb-dut-kinds.h lists the
 * kinds.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fb_dut;
struct fb_host_bridge;
struct fb_generator;
struct fb_like;
struct fb_marks;
struct fb_mirror;
struct fb_ovs_programs;
struct fb_rtnl;
struct fb_sandbox;
struct fb_tcp;

/* Names of interfaces, in namespaces of our own: the generator's, what sinks'
 * begin with, and the bridge's. */
#define FB_GEN_NAME "fb-gen"
#define FB_SINK_NAME "fb-sink"
#define FB_DUT_BRIDGE "fb-br"

/* Most destinations: a Linux bridge has at most 1,024 ports. */
#define FB_MAX_DESTINATIONS 1000

/* The packet sockets and veth pairs are used with the ordinary MTU of 1,500
 * bytes. */
#define FB_MAX_FRAME_SIZE 1514

/* A kind of device under test. */
struct fb_dut_kind {
    const char *name;           /* "linux-bridge", ... */
    const char *description;    /* In a few words. */
    const char *datapath_type;  /* Open vSwitch: "system" or "netdev". */
    const char *port_type;      /* Open vSwitch: type of its ports, "afxdp" or
                                 * "dpdk", which a PMD thread polls; NULL for
                                 * the kernel's interfaces. */
    bool queues;                /* Does it take packets from a queue at its
                                 * own time, not in the sender's call? */

    /* Connects the ports of the DUT, which are all there, to each other. */
    char *(*attach)(struct fb_dut *, const struct fb_ovs_programs *);
};

/* A device under test. */
struct fb_dut {
    const struct fb_dut_kind *kind;
    char *label;                /* Its kind's name, made unique. */
    char *dir;                  /* Folder of its own; may not exist. */

    int far_fd;                 /* Far network namespace. */
    int near_fd;                /* The DUT's network namespace. */
    struct fb_rtnl *far;        /* Interfaces of the far namespace. */
    struct fb_rtnl *near;       /* Interfaces of the DUT's namespace. */

    size_t n_destinations;
    int gen;                    /* Interface index of fb-gen. */
    int *sinks;                 /* Interface indexes of sinks... */
    size_t n_sinks;             /* ...all destinations' but an uplink's, or 1
                                 * for a wire; in two-way traffic fb-gen is the
                                 * last... */
    struct fb_rtnl *sink_rtnl;  /* ...in this namespace... */
    int sink_fd;                /* ...which this is, too. */
    int *ports;                 /* Interface indexes of fb-port0...... */
    size_t n_ports;             /* ...or 0 for a wire. */
    char *uplink;               /* Name of the last of them if that is an
                                 * interface of the host's, which has no sink;
                                 * or NULL... */
    char *uplink_dir;           /* ...and where there is what is needed to put
                                 * it back. */
    char *port_prefix;          /* Names of ports begin with it. */
    char *bridge;               /* Name of an Open vSwitch bridge. */
    struct fb_host_bridge *host; /* That bridge, if it is in the host's Open
                                  * vSwitch, or NULL. */

    const struct fb_like *like; /* Bridge that this is a twin of, or NULL... */
    int *extras;                /* ...and interface indexes of ports that the
                                 * load does not pass... */
    size_t n_extras;            /* ...and number of them. */

    bool flood;                 /* Are frames broadcast? */
    bool churn;                 /* Do flows come and go? */
    bool two_way;               /* Do sinks send, too?  Then those of a wire
                                 * are in the far namespace. */
    bool matrix;                /* To each other, too? */
    bool answers;               /* Does the sink answer fb-gen?  Then it is in
                                 * a namespace of its own, and both have the
                                 * addresses that frames go to. */
    size_t n_pairs;             /* Frames in a cycle: one for each pair of a
                                 * source and a destination. */
    uint32_t n_masks;           /* As in struct fb_traffic. */
    size_t copies;              /* Copies of each frame that are to arrive. */
    bool ipv6;                  /* Are frames those of IPv6? */
    int ipstat_fd;              /* Flooding: for fb_ipstat_read() of the
                                 * sinks' namespace, otherwise -1. */

    struct fb_generator *generator; /* Sends on fb-gen. */
    struct fb_marks *marks;     /* Marked frames among them, or NULL. */
    struct fb_tcp *tcp;         /* Ends of a TCP connection, or NULL. */
    struct fb_mirror *mirror;   /* Of its first port, or NULL. */
    struct fb_sandbox *sandbox; /* Open vSwitch, or NULL; if so: its... */
    char *management;           /* ...bridge's OpenFlow socket, and packets
                                 * that... */
    uint64_t meter_drops;       /* ...meters had dropped when they were last
                                 * asked. */
};

extern const struct fb_dut_kind fb_dut_wire;
extern const struct fb_dut_kind fb_dut_linux_bridge;
extern const struct fb_dut_kind fb_dut_ovs_kernel;
extern const struct fb_dut_kind fb_dut_ovs_userspace;
extern const struct fb_dut_kind fb_dut_ovs_afxdp;
extern const struct fb_dut_kind fb_dut_ovs_dpdk;

bool fb_dut_has_ports(const struct fb_dut_kind *, const char *port_type);
char *fb_dut_port_name(const struct fb_dut *, size_t i);
char *fb_dut_make_label(const struct fb_dut_kind *const all[], size_t i);
size_t fb_dut_sink(const struct fb_dut *, size_t source, size_t destination);

#endif /* fb-dut.h */
