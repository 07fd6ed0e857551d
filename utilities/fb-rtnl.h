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

#ifndef FB_RTNL_H
#define FB_RTNL_H 1

/* Interfaces of one network namespace, through rtnetlink.
 *
 * A struct fb_rtnl belongs to the thread that opened it.  Functions that
 * return 'char *' return NULL if successful, otherwise a malloc()'d error
 * message that names the interface. */

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "openvswitch/types.h"
#include "compiler.h"

struct fb_rtnl;

/* One end of a veth pair to create. */
struct fb_veth_end {
    const char *name;           /* Interface name. */
    struct eth_addr mac;        /* Its Ethernet address. */
};

/* Packets that an interface counted since it was created. */
struct fb_link_counters {
    uint64_t rx_packets;        /* Received by the interface. */
    uint64_t tx_packets;        /* Sent, and taken by the other end. */
    uint64_t rx_dropped;        /* Dropped on reception. */
    uint64_t tx_dropped;        /* Sent, and refused by the other end. */
    uint64_t rx_otherhost;      /* Received whole by the IP layer, and left
                                 * there because the frame's destination
                                 * address was another's. */
};

/* What has to be alike for two interfaces to be compared. */
struct fb_link_traits {
    char name[IFNAMSIZ];        /* Need not be alike. */
    char kind[16];              /* "veth", ... */
    uint32_t mtu;               /* In bytes. */
    uint32_t tx_queue_len;      /* In packets. */
    uint32_t n_tx_queues;
    uint32_t n_rx_queues;
    uint32_t gso_max_size;      /* In bytes. */
    uint8_t xdp;                /* Of its XDP program: XDP_ATTACHED_* of
                                 * <linux/if_link.h>. */
    bool up;                    /* IFF_UP and a carrier? */
};

/* What a port of a bridge does with frames that no static entry leads to. */
enum fb_bridge_port_mode {
    FB_BRIDGE_PORT_STATIC,      /* Nothing: it neither learns nor floods, as
                                 * with Open vSwitch rules on destination
                                 * addresses. */
    FB_BRIDGE_PORT_FLOODS,      /* It gets broadcast frames, too. */
    FB_BRIDGE_PORT_LEARNS       /* What a bridge does that is left alone: it
                                 * learns and floods. */
};

char *fb_rtnl_open(int netns_fd, struct fb_rtnl **) OVS_WARN_UNUSED_RESULT;
void fb_rtnl_close(struct fb_rtnl *);

char *fb_rtnl_add_veth(struct fb_rtnl *, const struct fb_veth_end *here,
                       const struct fb_veth_end *there, int there_netns_fd)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_set_up(struct fb_rtnl *, int ifindex) OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_wait_running(struct fb_rtnl *, const int ifindexes[], size_t n)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_set_netns(struct fb_rtnl *, int ifindex, int netns_fd)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_set_mtu(struct fb_rtnl *, int ifindex, uint32_t mtu)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_add_bridge(struct fb_rtnl *, const char *name,
                         bool vlan_filtering)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_add_dummy(struct fb_rtnl *, const char *name)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_delete(struct fb_rtnl *, int ifindex) OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_add_bridge_port(struct fb_rtnl *, int bridge_ifindex,
                              int port_ifindex,
                              enum fb_bridge_port_mode)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_set_master(struct fb_rtnl *, const int ifindexes[], size_t n,
                         int master) OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_add_fdb_entry(struct fb_rtnl *, int port_ifindex,
                            struct eth_addr, uint16_t vlan)
    OVS_WARN_UNUSED_RESULT;

char *fb_rtnl_get_ifindex(struct fb_rtnl *, const char *name, int *ifindex)
    OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_get_traits(struct fb_rtnl *, int ifindex,
                         struct fb_link_traits *) OVS_WARN_UNUSED_RESULT;
char *fb_rtnl_get_counters(struct fb_rtnl *, const int ifindexes[], size_t n,
                           struct fb_link_counters *, bool *has_otherhost)
    OVS_WARN_UNUSED_RESULT;

/* For modules that ask rtnetlink for other things.  'parse' is a libnl
 * callback. */
struct nl_msg;
int fb_rtnl_query(struct fb_rtnl *, struct nl_msg *,
                  int (*parse)(struct nl_msg *, void *aux), void *aux);
const char *fb_rtnl_strerror(struct fb_rtnl *, int retval);

#endif /* fb-rtnl.h */
