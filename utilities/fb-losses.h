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

#ifndef FB_LOSSES_H
#define FB_LOSSES_H 1

/* Where each packet of a trial went.
 *
 * Packets pass one counter after another on their way.  What one counter saw
 * and the next did not was lost between the two, and that is its place; drop
 * counters on the way are places of their own. */

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-datapath.h"
#include "fb-dut.h"
#include "fb-fdb.h"

/* Where packets can be lost, in the order in which they pass. */
enum fb_lost {
    FB_LOST_GENERATOR,          /* Refused by the kernel when sent. */
    FB_LOST_DEVICE_QUEUE,       /* Dropped by the queueing discipline of the
                                 * generator's interface. */
    FB_LOST_INGRESS_RING,       /* No room in the receive ring of the switch's
                                 * port (a veth with GRO or XDP has one). */
    FB_LOST_INGRESS_BACKLOG,    /* No room in the CPU's receive queue on the
                                 * way from the generator to the switch. */
    FB_LOST_XDP,                /* Taken by the XDP program of the switch's
                                 * port, but the AF_XDP socket had no room. */
    FB_LOST_PORT,               /* Received by the switch's port, never seen
                                 * by its datapath (Open vSwitch).  In the
                                 * userspace datapath: the socket was full. */
    FB_LOST_UPCALL,             /* A miss that did not reach ovs-vswitchd. */
    FB_LOST_NO_RULE,            /* Matched a datapath flow that drops: no
                                 * OpenFlow rule, or one that drops. */
    FB_LOST_NO_PORT,            /* Matched one because the OpenFlow rule's port
                                 * is not there. */
    FB_LOST_METER,              /* Dropped by a meter of Open vSwitch's. */
    FB_LOST_NETFILTER,          /* Refused by br_netfilter for its header. */
    FB_LOST_PORT_STATE,         /* A port of the switch does not forward. */
    FB_LOST_NO_ENTRY,           /* The bridge has no entry for it. */
    FB_LOST_SWITCH,             /* Reached the switch and left by no port, for
                                 * another reason or more than one. */
    FB_LOST_EGRESS_QUEUE,       /* Dropped by the queueing discipline of a
                                 * switch port to a sink. */
    FB_LOST_EGRESS_RING,        /* No room in the receive ring of a sink. */
    FB_LOST_EGRESS_BACKLOG,     /* No room in the CPU's receive queue on the
                                 * way from the switch to a sink. */
    FB_LOST_SINK,               /* Reached a sink's interface, but not its IP
                                 * layer. */
    FB_LOST_CHECKSUM,           /* Reached a sink broken: a receiver refuses
                                 * it. */
    FB_N_LOST
};

const char *fb_lost_name(enum fb_lost);

/* What was counted along the way, in packets since some time. */
struct fb_counters {
    uint64_t gen_queue;         /* Dropped by fb-gen's queueing discipline. */
    uint64_t gen_sent;          /* Left fb-gen. */
    uint64_t gen_dropped;       /* Refused at its other end. */
    uint64_t port_received;     /* Arrived at fb-port0. */
    uint64_t port_refused;      /* Of these, dropped on reception.  Counted
                                 * for AF_XDP only: elsewhere other receivers'
                                 * drops are among them. */
    uint64_t ports_queue;       /* Dropped by the other ports' disciplines. */
    uint64_t ports_sent;        /* Left the other ports. */
    uint64_t ports_dropped;     /* Refused at their other ends. */
    uint64_t sinks_received;    /* Arrived at sinks' interfaces. */
    uint64_t sinks_taken;       /* Counted by their IP layer. */
    uint64_t back_received;     /* Two-way: arrived at fb-gen, among those at
                                 * 'sinks'. */
    uint64_t softnet;           /* Found a CPU's receive queue full, on the
                                 * whole machine. */
    uint64_t ip_errors;         /* Refused by the switch's namespace for their
                                 * IPv4 headers. */
    struct fb_datapath_counters datapath; /* Open vSwitch only. */
    struct fb_fdb fdb;          /* Linux bridge only: its state. */
};

char *fb_counters_read(struct fb_dut *, struct fb_counters *)
    OVS_WARN_UNUSED_RESULT;
char *fb_counters_read_sinks(struct fb_dut *, struct fb_counters *)
    OVS_WARN_UNUSED_RESULT;
char *fb_counters_explain(struct fb_dut *, char *error)
    OVS_WARN_UNUSED_RESULT;

/* The account of a trial.  offered == delivered + all lost + unaccounted. */
struct fb_losses {
    uint64_t offered;           /* Packets given to the kernel, or copies that
                                 * are to be made of them. */
    uint64_t delivered;         /* Packets that the sinks took. */
    uint64_t lost[FB_N_LOST];   /* Packets lost, by place. */
    uint64_t softnet;           /* Evidence: packets that found a CPU's receive
                                 * queue full, ours or not. */
    int64_t unaccounted;        /* Packets with no place, or, negative, packets
                                 * that came from nowhere. */
    bool consistent;            /* No counter saw more than the one before? */
};

void fb_losses_settle_meters(const struct fb_dut *, uint64_t n,
                             struct fb_losses *);
void fb_losses_settle(const struct fb_dut *, const struct fb_counters *before,
                      const struct fb_counters *after, uint64_t offered,
                      bool broken, struct fb_losses *);

#endif /* fb-losses.h */
