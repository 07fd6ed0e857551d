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

#ifndef FB_HOST_H
#define FB_HOST_H 1

/* What the kernel's counters say of this host's CPUs and of conntrack, at one
 * moment.  Any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "svec.h"

/* A CPU since boot.  Times are in the kernel's clock ticks. */
struct fb_host_cpu {
    bool online;                /* Is it in /proc/stat? */
    uint64_t total;             /* Time of all kinds, guests' not twice. */
    uint64_t idle;              /* Idle, or waiting for a disk. */
    uint64_t softirq;           /* In softirqs, as far as that is known. */
    uint64_t steal;             /* Taken away by the hypervisor. */

    bool has_softnet;           /* Is it in softnet_stat? */
    uint32_t processed;         /* Packets received. */
    uint32_t dropped;           /* Refused because the backlog was full. */
    uint32_t squeezed;          /* Times that receiving was cut short. */

    uint64_t ksoftirqd_ns;      /* CPU time of its ksoftirqd. */
};

/* Conntrack in this network namespace, and the IP layer. */
struct fb_host_net {
    bool has_conntrack;
    long long int n_conns;      /* Connections... */
    long long int max_conns;    /* ...and most of them. */
    uint64_t conntrack_drops;   /* Packets without one, as it was full. */
    uint64_t ip_csum_errors;    /* IPv4 packets with a bad checksum. */
};

/* A sample. */
struct fb_host {
    struct fb_host_cpu *cpus;   /* By number. */
    size_t n_cpus;
    struct fb_host_net net;
};

void fb_host_read(struct fb_host *, struct svec *unread);
void fb_host_read_net(struct fb_host_net *);
void fb_host_destroy(struct fb_host *);

#endif /* fb-host.h */
