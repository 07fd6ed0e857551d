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

#ifndef FB_LINKS_H
#define FB_LINKS_H 1

/* All interfaces of a network namespace, with what makes them bridges or ports
 * of switches, at one moment. */

#include <linux/if_link.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct fb_rtnl;

/* What a Linux bridge is like. */
struct fb_bridge_traits {
    uint32_t ageing;            /* In USER_HZ, 1/100 s. */
    uint32_t forward_delay;     /* In USER_HZ. */
    bool stp;                   /* Is STP on? */
    bool topology_change;       /* Has STP just seen one? */
    bool mcast_snooping;        /* Is multicast snooping on? */
    bool mcast_querier;         /* Does it ask for members itself? */
    bool nf_call;               /* Does netfilter see this bridge's frames,
                                 * whatever the sysctls say? */
    bool vlan_filtering;        /* Does it look at VLANs? */
    uint32_t n_learned;         /* Addresses learned; counted by dump. */
    uint32_t max_learned;       /* At most; 0 for no limit. */
};

/* What a port of a Linux bridge is like. */
struct fb_port_traits {
    uint8_t state;              /* BR_STATE_*. */
    bool learning;              /* Does it learn addresses? */
    bool flood;                 /* Do frames to unknown addresses go out? */
    bool hairpin;               /* Do frames go back where they came in? */
    bool isolated;              /* Is it kept from other isolated ports? */
    uint32_t n_entries;         /* Addresses known behind it, of all kinds,
                                 * but for its own. */
};

/* An interface. */
struct fb_link {
    int ifindex;
    char name[IFNAMSIZ];
    char kind[16];              /* "veth", ...; "" for hardware. */
    char master_kind[16];       /* "bridge", "openvswitch", ...; or "". */
    int master;                 /* Interface index of its master, or 0. */
    bool up;                    /* IFF_UP and a carrier? */
    bool xdp;                   /* Has an XDP program? */
    uint32_t n_rx_queues;
    uint32_t mtu;               /* In bytes. */
    struct rtnl_link_stats64 stats;
    struct fb_bridge_traits bridge; /* If 'kind' is "bridge". */
    struct fb_port_traits port; /* If 'master_kind' is "bridge". */
};

/* All of them, by interface index. */
struct fb_links {
    struct fb_link *links;
    size_t n, allocated;
};

char *fb_links_read(struct fb_rtnl *, struct fb_links *)
    OVS_WARN_UNUSED_RESULT;
void fb_links_destroy(struct fb_links *);
struct fb_link *fb_links_find(const struct fb_links *, int ifindex);

#endif /* fb-links.h */
