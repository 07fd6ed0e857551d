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

#include <config.h>

#include "fb-rtnl.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/neighbour.h>

#include "fatal-signal.h"
#include "fb-netns.h"
#include "packets.h"
#include "util.h"

/* How long interfaces may take to run after they were brought up, in ms. */
#define RUNNING_TIMEOUT_MS 10000

/* Most requests that wait for an answer. */
#define MASTER_WINDOW 128

/* An rtnetlink socket in one network namespace. */
struct fb_rtnl {
    struct nl_sock *sock;       /* Blocking, in its namespace for good. */
    int last_error;             /* Positive errno of the kernel's last refusal,
                                 * which libnl makes less of. */
};

/* libnl callback: keeps the kernel's own error. */
static int
keep_error(struct sockaddr_nl *from OVS_UNUSED, struct nlmsgerr *err,
           void *rtnl_)
{
    struct fb_rtnl *rtnl = rtnl_;
    rtnl->last_error = -err->error;
    return NL_STOP;
}

/* Returns what went wrong when a libnl function returned 'retval'. */
const char *
fb_rtnl_strerror(struct fb_rtnl *rtnl, int retval)
{
    int error = rtnl->last_error;
    rtnl->last_error = 0;
    return error ? ovs_strerror(error) : nl_geterror(retval);
}

/* Opens an rtnetlink socket in the namespace 'netns_fd' and stores it in
 * '*rtnlp', for the caller to close with fb_rtnl_close().  A 'netns_fd' of -1
 * is the calling thread's namespace, which takes no privilege. */
char *
fb_rtnl_open(int netns_fd, struct fb_rtnl **rtnlp)
{
    int old_fd = -1;

    *rtnlp = NULL;
    char *error = netns_fd < 0 ? NULL : fb_netns_enter(netns_fd, &old_fd);
    if (error) {
        return error;
    }

    struct nl_sock *sock = nl_socket_alloc();
    int retval = sock ? nl_connect(sock, NETLINK_ROUTE) : -NLE_NOMEM;
    if (old_fd >= 0) {
        fb_netns_leave(old_fd);
    }
    if (retval < 0) {
        nl_socket_free(sock);
        return xasprintf("cannot open an rtnetlink socket (%s)",
                         nl_geterror(retval));
    }

    /* Dumps of hundreds of interfaces come in large messages. */
    nl_socket_set_buffer_size(sock, 1 << 20, 1 << 20);
    nl_socket_set_msg_buf_size(sock, 1 << 16);

    *rtnlp = xzalloc(sizeof **rtnlp);
    (*rtnlp)->sock = sock;
    nl_socket_modify_err_cb(sock, NL_CB_CUSTOM, keep_error, *rtnlp);
    return NULL;
}

/* Closes 'rtnl', which may be null. */
void
fb_rtnl_close(struct fb_rtnl *rtnl)
{
    if (rtnl) {
        nl_socket_free(rtnl->sock);
        free(rtnl);
    }
}

/* Sends 'msg', which this function frees, and waits until the kernel has done
 * what it asks.  Returns 0 or a negative libnl error. */
static int
transact(struct fb_rtnl *rtnl, struct nl_msg *msg)
{
    return nl_send_sync(rtnl->sock, msg);
}

/* Returns a new libnl address for 'mac', which the caller must put. */
static struct nl_addr *
nl_addr_from_mac(struct eth_addr mac)
{
    return nl_addr_build(AF_LLC, mac.ea, sizeof mac.ea);
}

/* Gives 'link' the name and the address of 'end'. */
static void
configure_veth_end(struct rtnl_link *link, const struct fb_veth_end *end)
{
    struct nl_addr *addr = nl_addr_from_mac(end->mac);
    rtnl_link_set_addr(link, addr);
    nl_addr_put(addr);
    rtnl_link_set_name(link, end->name);
    /* One queue, or frames would go to that which has the number of the CPU
     * that sends them, and an AF_XDP socket serves only one. */
    rtnl_link_set_num_tx_queues(link, 1);
    rtnl_link_set_num_rx_queues(link, 1);
}

/* Creates a veth pair, both ends down: 'here' in the namespace of 'rtnl' and
 * 'there' in 'there_netns_fd'. */
char *
fb_rtnl_add_veth(struct fb_rtnl *rtnl, const struct fb_veth_end *here,
                 const struct fb_veth_end *there, int there_netns_fd)
{
    struct rtnl_link *link = rtnl_link_veth_alloc();
    struct rtnl_link *peer = rtnl_link_veth_get_peer(link);

    configure_veth_end(link, here);
    configure_veth_end(peer, there);
    rtnl_link_set_ns_fd(peer, there_netns_fd);

    int retval = rtnl_link_add(rtnl->sock, link, NLM_F_CREATE | NLM_F_EXCL);
    rtnl_link_put(peer);
    rtnl_link_veth_release(link);
    return (retval < 0
            ? xasprintf("%s: cannot create a veth pair (%s)", here->name,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Starts an RTM_NEWLINK or RTM_SETLINK message. */
static struct nl_msg *
link_msg(int type, int flags, unsigned char family, int ifindex,
         unsigned int ifi_flags)
{
    struct nl_msg *msg = nlmsg_alloc_simple(type, flags);
    struct ifinfomsg ifi = {
        .ifi_family = family,
        .ifi_index = ifindex,
        .ifi_flags = ifi_flags,
        .ifi_change = ifi_flags,
    };
    nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    return msg;
}

/* Brings interface 'ifindex' up. */
char *
fb_rtnl_set_up(struct fb_rtnl *rtnl, int ifindex)
{
    int retval = transact(rtnl, link_msg(RTM_SETLINK, 0, AF_UNSPEC, ifindex,
                                         IFF_UP));
    return (retval < 0
            ? xasprintf("interface %d: cannot be brought up (%s)", ifindex,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Sets the attribute 'type' of interface 'ifindex' to 'value'.  Returns 0 or a
 * negative libnl error. */
static int
set_link_u32(struct fb_rtnl *rtnl, int ifindex, int type, uint32_t value)
{
    struct nl_msg *msg = link_msg(RTM_SETLINK, 0, AF_UNSPEC, ifindex, 0);

    nla_put_u32(msg, type, value);
    return transact(rtnl, msg);
}

/* Moves interface 'ifindex' into the namespace 'netns_fd'. */
char *
fb_rtnl_set_netns(struct fb_rtnl *rtnl, int ifindex, int netns_fd)
{
    int retval = set_link_u32(rtnl, ifindex, IFLA_NET_NS_FD, netns_fd);

    return (retval < 0
            ? xasprintf("interface %d: cannot be moved to another network "
                        "namespace (%s)", ifindex,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Gives interface 'ifindex' an MTU of 'mtu' bytes. */
char *
fb_rtnl_set_mtu(struct fb_rtnl *rtnl, int ifindex, uint32_t mtu)
{
    int retval = set_link_u32(rtnl, ifindex, IFLA_MTU, mtu);

    return (retval < 0
            ? xasprintf("interface %d: cannot have an MTU of %"PRIu32" (%s)",
                        ifindex, mtu, fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Creates the Linux bridge 'name', up, with everything off that an Open
 * vSwitch bridge with plain rules has no equal for: STP, multicast snooping
 * and netfilter.  If 'vlan_filtering', it looks at VLANs, and new ports carry
 * none. */
char *
fb_rtnl_add_bridge(struct fb_rtnl *rtnl, const char *name, bool vlan_filtering)
{
    struct nl_msg *msg = link_msg(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL,
                                  AF_UNSPEC, 0, IFF_UP);
    nla_put_string(msg, IFLA_IFNAME, name);
    struct nlattr *info = nla_nest_start(msg, IFLA_LINKINFO);
    nla_put_string(msg, IFLA_INFO_KIND, "bridge");
    struct nlattr *data = nla_nest_start(msg, IFLA_INFO_DATA);
    nla_put_u32(msg, IFLA_BR_STP_STATE, 0);
    nla_put_u32(msg, IFLA_BR_FORWARD_DELAY, 0);
    nla_put_u8(msg, IFLA_BR_MCAST_SNOOPING, 0);
    nla_put_u8(msg, IFLA_BR_NF_CALL_IPTABLES, 0);
    nla_put_u8(msg, IFLA_BR_NF_CALL_IP6TABLES, 0);
    nla_put_u8(msg, IFLA_BR_NF_CALL_ARPTABLES, 0);
    if (vlan_filtering) {
        nla_put_u16(msg, IFLA_BR_VLAN_DEFAULT_PVID, 0);
        nla_put_u8(msg, IFLA_BR_VLAN_FILTERING, 1);
    }
    nla_nest_end(msg, data);
    nla_nest_end(msg, info);

    int retval = transact(rtnl, msg);
    return (retval < 0
            ? xasprintf("%s: cannot create a Linux bridge%s (%s)", name,
                        vlan_filtering ? " that looks at VLANs, which this "
                        "kernel may not have; use --guest" : "",
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Adds a dummy interface, which is up and drops what is sent to it. */
char *
fb_rtnl_add_dummy(struct fb_rtnl *rtnl, const char *name)
{
    struct nl_msg *msg = link_msg(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL,
                                  AF_UNSPEC, 0, IFF_UP);
    nla_put_string(msg, IFLA_IFNAME, name);
    struct nlattr *info = nla_nest_start(msg, IFLA_LINKINFO);
    nla_put_string(msg, IFLA_INFO_KIND, "dummy");
    nla_nest_end(msg, info);

    int retval = transact(rtnl, msg);
    return (retval < 0
            ? xasprintf("%s: cannot create a dummy interface (%s)", name,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Deletes interface 'ifindex', of ours. */
char *
fb_rtnl_delete(struct fb_rtnl *rtnl, int ifindex)
{
    int retval = transact(rtnl, link_msg(RTM_DELLINK, 0, AF_UNSPEC, ifindex,
                                         0));
    return (retval < 0
            ? xasprintf("interface %d: cannot be deleted (%s)", ifindex,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Attaches 'port_ifindex', which must be running, to 'bridge_ifindex'.  The
 * port forwards at once, because there is no STP. */
char *
fb_rtnl_add_bridge_port(struct fb_rtnl *rtnl, int bridge_ifindex,
                        int port_ifindex, enum fb_bridge_port_mode mode)
{
    bool learns = mode == FB_BRIDGE_PORT_LEARNS;
    struct nl_msg *msg = link_msg(RTM_SETLINK, 0, AF_UNSPEC, port_ifindex, 0);
    nla_put_u32(msg, IFLA_MASTER, bridge_ifindex);
    int retval = transact(rtnl, msg);
    if (retval < 0) {
        return xasprintf("interface %d: cannot attach to bridge %d (%s)",
                         port_ifindex, bridge_ifindex,
                         fb_rtnl_strerror(rtnl, retval));
    }

    msg = link_msg(RTM_SETLINK, 0, AF_BRIDGE, port_ifindex, 0);
    struct nlattr *info = nla_nest_start(msg, IFLA_PROTINFO | NLA_F_NESTED);
    nla_put_u8(msg, IFLA_BRPORT_LEARNING, learns);
    nla_put_u8(msg, IFLA_BRPORT_UNICAST_FLOOD, learns);
    nla_put_u8(msg, IFLA_BRPORT_MCAST_FLOOD, learns);
    nla_put_u8(msg, IFLA_BRPORT_BCAST_FLOOD,
               mode != FB_BRIDGE_PORT_STATIC);
    nla_nest_end(msg, info);
    retval = transact(rtnl, msg);
    return (retval < 0
            ? xasprintf("interface %d: cannot configure as bridge port (%s)",
                        port_ifindex, fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Attaches the 'n' interfaces in 'ifindexes' to 'master', or detaches them
 * from theirs if that is 0.  Sends the requests for up to MASTER_WINDOW of
 * them before it waits for the first answer. */
char *
fb_rtnl_set_master(struct fb_rtnl *rtnl, const int ifindexes[], size_t n,
                   int master)
{
    size_t n_sent = 0;
    size_t n_done = 0;
    int retval = 0;

    while (retval >= 0 && n_done < n) {
        if (n_sent < n && n_sent - n_done < MASTER_WINDOW) {
            struct nl_msg *msg = link_msg(RTM_SETLINK, 0, AF_UNSPEC,
                                          ifindexes[n_sent++], 0);
            nla_put_u32(msg, IFLA_MASTER, master);
            retval = nl_send_auto(rtnl->sock, msg);
            nlmsg_free(msg);
        } else {
            retval = nl_wait_for_ack(rtnl->sock);
            n_done++;
        }
    }
    return (retval < 0
            ? xasprintf("interface %d: cannot %s (%s)",
                        ifindexes[n_done ? n_done - 1 : 0],
                        master ? "attach to a bridge" : "leave its bridge",
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Adds a static entry to the bridge's FDB: frames to 'mac' go to
 * 'port_ifindex', those in 'vlan' unless it is 0. */
char *
fb_rtnl_add_fdb_entry(struct fb_rtnl *rtnl, int port_ifindex,
                      struct eth_addr mac, uint16_t vlan)
{
    struct rtnl_neigh *neigh = rtnl_neigh_alloc();
    struct nl_addr *addr = nl_addr_from_mac(mac);

    rtnl_neigh_set_family(neigh, AF_BRIDGE);
    rtnl_neigh_set_ifindex(neigh, port_ifindex);
    rtnl_neigh_set_lladdr(neigh, addr);
    rtnl_neigh_set_flags(neigh, NTF_MASTER);
    rtnl_neigh_set_state(neigh, NUD_NOARP | NUD_REACHABLE);
    if (vlan) {
        rtnl_neigh_set_vlan(neigh, vlan);
    }
    int retval = rtnl_neigh_add(rtnl->sock, neigh,
                                NLM_F_CREATE | NLM_F_EXCL);
    nl_addr_put(addr);
    rtnl_neigh_put(neigh);
    return (retval < 0
            ? xasprintf("interface %d: cannot add FDB entry for "
                        ETH_ADDR_FMT" (%s)", port_ifindex, ETH_ADDR_ARGS(mac),
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Stores the interface index of 'name' in '*ifindex'. */
char *
fb_rtnl_get_ifindex(struct fb_rtnl *rtnl, const char *name, int *ifindex)
{
    struct rtnl_link *link;
    int retval = rtnl_link_get_kernel(rtnl->sock, 0, name, &link);
    if (retval < 0) {
        *ifindex = 0;
        return xasprintf("%s: no such interface (%s)", name,
                         fb_rtnl_strerror(rtnl, retval));
    }
    *ifindex = rtnl_link_get_ifindex(link);
    rtnl_link_put(link);
    return NULL;
}

/* Returns what the IFLA_XDP attribute 'attr' says of a program:
 * XDP_ATTACHED_*. */
static uint8_t
xdp_mode(struct nlattr *attr)
{
    struct nlattr *mode = nla_find(nla_data(attr), nla_len(attr),
                                   IFLA_XDP_ATTACHED);
    return mode ? nla_get_u8(mode) : XDP_ATTACHED_NONE;
}

/* libnl callback for fb_rtnl_get_traits(): fills in 'traits_'. */
static int
parse_traits(struct nl_msg *msg, void *traits_)
{
    struct fb_link_traits *traits = traits_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    struct nlattr *tb[IFLA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWLINK
        || nlmsg_parse(hdr, sizeof(struct ifinfomsg), tb, IFLA_MAX, NULL)) {
        return NL_SKIP;
    }
    const struct ifinfomsg *ifi = nlmsg_data(hdr);
    traits->up = (ifi->ifi_flags & IFF_UP) && (ifi->ifi_flags & IFF_RUNNING);
    if (tb[IFLA_IFNAME]) {
        nla_strlcpy(traits->name, tb[IFLA_IFNAME], sizeof traits->name);
    }
    if (tb[IFLA_LINKINFO]) {
        struct nlattr *kind = nla_find(nla_data(tb[IFLA_LINKINFO]),
                                       nla_len(tb[IFLA_LINKINFO]),
                                       IFLA_INFO_KIND);
        if (kind) {
            nla_strlcpy(traits->kind, kind, sizeof traits->kind);
        }
    }
    traits->mtu = tb[IFLA_MTU] ? nla_get_u32(tb[IFLA_MTU]) : 0;
    traits->tx_queue_len = tb[IFLA_TXQLEN] ? nla_get_u32(tb[IFLA_TXQLEN]) : 0;
    traits->n_tx_queues = (tb[IFLA_NUM_TX_QUEUES]
                           ? nla_get_u32(tb[IFLA_NUM_TX_QUEUES]) : 0);
    traits->n_rx_queues = (tb[IFLA_NUM_RX_QUEUES]
                           ? nla_get_u32(tb[IFLA_NUM_RX_QUEUES]) : 0);
    traits->gso_max_size = (tb[IFLA_GSO_MAX_SIZE]
                            ? nla_get_u32(tb[IFLA_GSO_MAX_SIZE]) : 0);
    traits->xdp = tb[IFLA_XDP] ? xdp_mode(tb[IFLA_XDP]) : XDP_ATTACHED_NONE;
    return NL_OK;
}

/* Sends 'msg', which this function frees, and gives each reply to 'parse' with
 * 'aux'.  Returns 0 or a negative libnl error. */
int
fb_rtnl_query(struct fb_rtnl *rtnl, struct nl_msg *msg,
              int (*parse)(struct nl_msg *, void *aux), void *aux)
{
    int retval = nl_send_auto(rtnl->sock, msg);
    nlmsg_free(msg);
    if (retval < 0) {
        return retval;
    }

    struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
    nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, parse, aux);
    nl_cb_err(cb, NL_CB_CUSTOM, keep_error, rtnl);
    retval = nl_recvmsgs(rtnl->sock, cb);
    nl_cb_put(cb);
    return retval < 0 ? retval : 0;
}

/* Stores what 'ifindex' is like in '*traits'. */
char *
fb_rtnl_get_traits(struct fb_rtnl *rtnl, int ifindex,
                   struct fb_link_traits *traits)
{
    memset(traits, 0, sizeof *traits);
    int retval = fb_rtnl_query(rtnl, link_msg(RTM_GETLINK, 0, AF_UNSPEC,
                                              ifindex, 0),
                               parse_traits, traits);
    if (!retval) {
        /* An acknowledgment follows, because libnl asks for one. */
        retval = nl_wait_for_ack(rtnl->sock);
    }
    return (retval < 0
            ? xasprintf("interface %d: cannot be read (%s)", ifindex,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Waits until the 'n' interfaces in 'ifindexes', which are up, are running.
 * The kernel notices a carrier in the background, up to a second later: until
 * then a bridge does not forward to such a port. */
char *
fb_rtnl_wait_running(struct fb_rtnl *rtnl, const int ifindexes[], size_t n)
{
    int patience_ms = RUNNING_TIMEOUT_MS;
    size_t i = 0;

    while (i < n) {
        struct fb_link_traits traits;

        char *error = fb_rtnl_get_traits(rtnl, ifindexes[i], &traits);
        if (error) {
            return error;
        } else if (traits.up) {
            i++;
        } else if (patience_ms > 0) {
            fatal_signal_run();
            xnanosleep(1000 * 1000);
            patience_ms--;
        } else {
            return xasprintf("interface %d: does not come up", ifindexes[i]);
        }
    }
    return NULL;
}

/* What parse_stats() works on. */
struct stats_query {
    const int *ifindexes;       /* Interfaces asked for. */
    size_t n;                   /* Number of them. */
    size_t n_seen;              /* Number of them found. */
    struct fb_link_counters *counters; /* Result for each. */
    bool has_otherhost;         /* Does this kernel count those? */
};

/* libnl callback for fb_rtnl_get_counters(): one interface's statistics. */
static int
parse_stats(struct nl_msg *msg, void *query_)
{
    struct stats_query *q = query_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    struct if_stats_msg *ifsm = nlmsg_data(hdr);
    size_t i;

    if (hdr->nlmsg_type != RTM_NEWSTATS) {
        return NL_SKIP;
    }
    /* The kernel lists interfaces in the order in which they were created,
     * mostly. */
    i = q->n_seen;
    if (i >= q->n || q->ifindexes[i] != ifsm->ifindex) {
        for (i = 0; i < q->n; i++) {
            if (q->ifindexes[i] == ifsm->ifindex) {
                break;
            }
        }
    }
    struct nlattr *attr = nlmsg_find_attr(hdr, sizeof *ifsm,
                                          IFLA_STATS_LINK_64);
    if (i >= q->n || !attr) {
        return NL_SKIP;
    }

    struct rtnl_link_stats64 stats;
    memset(&stats, 0, sizeof stats);
    nla_memcpy(&stats, attr, sizeof stats);
    q->counters[i] = (struct fb_link_counters) {
        .rx_packets = stats.rx_packets,
        .tx_packets = stats.tx_packets,
        .rx_dropped = stats.rx_dropped,
        .tx_dropped = stats.tx_dropped,
        .rx_otherhost = stats.rx_otherhost_dropped,
    };
    if (nla_len(attr) < (int) sizeof stats) {
        q->has_otherhost = false;
    }
    q->n_seen++;
    return NL_OK;
}

/* Reads the counters of the 'n' interfaces in 'ifindexes' into 'counters',
 * with one request for all.  Sets '*has_otherhost' to false if this kernel
 * (before 5.19) does not have that counter. */
char *
fb_rtnl_get_counters(struct fb_rtnl *rtnl, const int ifindexes[], size_t n,
                     struct fb_link_counters *counters, bool *has_otherhost)
{
    struct stats_query q = {
        .ifindexes = ifindexes,
        .n = n,
        .counters = counters,
        .has_otherhost = true,
    };
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETSTATS, NLM_F_DUMP);
    struct if_stats_msg ifsm = {
        .filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64),
    };
    nlmsg_append(msg, &ifsm, sizeof ifsm, NLMSG_ALIGNTO);

    int retval = fb_rtnl_query(rtnl, msg, parse_stats, &q);
    *has_otherhost = q.has_otherhost;
    if (retval < 0) {
        return xasprintf("cannot read interface statistics (%s)",
                         fb_rtnl_strerror(rtnl, retval));
    } else if (q.n_seen < n) {
        return xasprintf("%"PRIuSIZE" of %"PRIuSIZE" interfaces have "
                         "vanished", n - q.n_seen, n);
    }
    return NULL;
}
