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

#include "fb-nic.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "fb-qdisc.h"
#include "fb-rtnl.h"
#include "util.h"

/* What an interface is used for. */
struct use {
    const struct fb_nic *nic;
    bool is_loopback;
    bool has_master;
    bool has_xdp;               /* An XDP program. */
    uint32_t promiscuity;       /* How many have all packets of it. */
    char upper[IFNAMSIZ];       /* An interface that is made of it (a VLAN,
                                 * ...), or empty. */
    bool has_address;           /* But for IPv6's link-local ones. */
    bool has_route;             /* But for those that the kernel makes. */
    bool default_route;         /* Does one of them lead everywhere? */
    char *qdisc;                /* Queueing discipline that somebody chose, or
                                 * NULL. */
};

/* Is 'attr', XDP's part of a link, about one that has a program? */
static bool
has_xdp(struct nlattr *attr)
{
    struct nlattr *attached = (attr ? nla_find(nla_data(attr), nla_len(attr),
                                               IFLA_XDP_ATTACHED)
                               : NULL);

    return attached && nla_get_u8(attached) != XDP_ATTACHED_NONE;
}

/* Is the link whose attributes are 'tb' made of the interface of 'use'?  Of a
 * veth pair, neither end is made of the other. */
static bool
is_upper(const struct use *use, struct nlattr *tb[])
{
    struct nlattr *kind = (tb[IFLA_LINKINFO]
                           ? nla_find(nla_data(tb[IFLA_LINKINFO]),
                                      nla_len(tb[IFLA_LINKINFO]),
                                      IFLA_INFO_KIND)
                           : NULL);

    return (tb[IFLA_LINK] && !tb[IFLA_LINK_NETNSID] && tb[IFLA_IFNAME]
            && nla_get_u32(tb[IFLA_LINK]) == use->nic->ifindex
            && kind && strcmp(nla_get_string(kind), "veth"));
}

/* libnl callback: notes in the struct use 'use_' what a link says. */
static int
parse_link(struct nl_msg *msg, void *use_)
{
    struct use *use = use_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct ifinfomsg *ifi = nlmsg_data(hdr);
    struct nlattr *tb[IFLA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWLINK
        || nlmsg_parse(hdr, sizeof *ifi, tb, IFLA_MAX, NULL)) {
        return NL_SKIP;
    } else if (ifi->ifi_index == use->nic->ifindex) {
        use->is_loopback = ifi->ifi_flags & IFF_LOOPBACK;
        use->has_master = tb[IFLA_MASTER] != NULL;
        use->has_xdp = has_xdp(tb[IFLA_XDP]);
        use->promiscuity = (tb[IFLA_PROMISCUITY]
                            ? nla_get_u32(tb[IFLA_PROMISCUITY]) : 0);
    } else if (is_upper(use, tb)) {
        nla_strlcpy(use->upper, tb[IFLA_IFNAME], sizeof use->upper);
    }
    return NL_OK;
}

/* libnl callback: notes an address in the struct use 'use_'. */
static int
parse_address(struct nl_msg *msg, void *use_)
{
    struct use *use = use_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct ifaddrmsg *ifa = nlmsg_data(hdr);

    if (hdr->nlmsg_type == RTM_NEWADDR
        && (int) ifa->ifa_index == use->nic->ifindex
        && (ifa->ifa_family != AF_INET6 || ifa->ifa_scope != RT_SCOPE_LINK)) {
        use->has_address = true;
    }
    return NL_OK;
}

/* Does one of the next hops in 'attr' lead through the interface of 'use'? */
static bool
has_hop(const struct use *use, struct nlattr *attr)
{
    struct rtnexthop *hop = nla_data(attr);
    int left = nla_len(attr);

    while (RTNH_OK(hop, left)) {
        if (hop->rtnh_ifindex == use->nic->ifindex) {
            return true;
        }
        size_t size = RTNH_ALIGN(hop->rtnh_len);

        left -= size;
        hop = ALIGNED_CAST(struct rtnexthop *, (char *) hop + size);
    }
    return false;
}

/* libnl callback: notes a route in the struct use 'use_'. */
static int
parse_route(struct nl_msg *msg, void *use_)
{
    struct use *use = use_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    const struct rtmsg *rtm = nlmsg_data(hdr);
    struct nlattr *tb[RTA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWROUTE
        || nlmsg_parse(hdr, sizeof *rtm, tb, RTA_MAX, NULL)) {
        return NL_SKIP;
    }
    if (rtm->rtm_protocol != RTPROT_KERNEL
        && ((tb[RTA_OIF] && nla_get_u32(tb[RTA_OIF]) == use->nic->ifindex)
            || (tb[RTA_MULTIPATH] && has_hop(use, tb[RTA_MULTIPATH])))) {
        use->has_route = true;
        use->default_route |= !rtm->rtm_dst_len;
    }
    return NL_OK;
}

/* Asks for all of 'type', a request that begins with the 'len' bytes in
 * 'header', and gives them to 'parse' with 'use'.  Returns 0 or a negative
 * libnl error. */
static int
dump(struct fb_rtnl *rtnl, int type, const void *header, size_t len,
     nl_recvmsg_msg_cb_t parse, struct use *use)
{
    struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_DUMP);

    nlmsg_append(msg, CONST_CAST(void *, header), len, NLMSG_ALIGNTO);
    return fb_rtnl_query(rtnl, msg, parse, use);
}

/* Fills in '*use'. */
static char *
read_use(struct fb_rtnl *rtnl, const struct fb_nic *nic, struct use *use)
{
    struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
    struct ifaddrmsg ifa = { .ifa_family = AF_UNSPEC };
    struct rtmsg rtm = { .rtm_family = AF_UNSPEC };

    *use = (struct use) { .nic = nic };
    int retval = dump(rtnl, RTM_GETLINK, &ifi, sizeof ifi, parse_link, use);
    if (retval >= 0) {
        retval = dump(rtnl, RTM_GETADDR, &ifa, sizeof ifa, parse_address, use);
    }
    if (retval >= 0) {
        retval = dump(rtnl, RTM_GETROUTE, &rtm, sizeof rtm, parse_route, use);
    }
    return (retval < 0
            ? xasprintf("%s: cannot be read (%s)", nic->name,
                        fb_rtnl_strerror(rtnl, retval))
            : fb_qdisc_find_chosen(rtnl, nic->ifindex, &use->qdisc));
}

/* Returns what is in the way of the host's lending 'nic', of which 'use' is
 * made, or NULL if nothing is. */
static char *
judge(const struct fb_nic *nic, const struct use *use)
{
    const char *name = nic->name;

    if (use->is_loopback) {
        return xasprintf("%s is the loopback interface", name);
    } else if (use->has_master) {
        return xasprintf("%s belongs to a bridge, a bond or Open vSwitch: "
                         "take it out of that first", name);
    } else if (use->default_route) {
        return xasprintf("the default route of this host leads through %s",
                         name);
    } else if (use->upper[0]) {
        return xasprintf("%s is made of %s, which is therefore in use",
                         use->upper, name);
    } else if (use->has_address) {
        return xasprintf("%s has an address, which it would lose: only an "
                         "interface that the host itself does not use can be "
                         "an uplink", name);
    } else if (use->has_route) {
        return xasprintf("a route leads through %s, which it would lose",
                         name);
    } else if (use->qdisc) {
        return xasprintf("%s has the queueing discipline %s, which it would "
                         "lose", name, use->qdisc);
    } else if (use->has_xdp) {
        return xasprintf("%s has an XDP program, which would take packets",
                         name);
    } else if (use->promiscuity > !!(nic->flags & IFF_PROMISC)) {
        return xasprintf("somebody receives all packets of %s (tcpdump, "
                         "perhaps): stop that first", name);
    }
    return NULL;
}

/* Returns an error message if the host itself uses the interface 'nic', in the
 * namespace of 'rtnl', or if it would lose something that cannot be put
 * back. */
char *
fb_nic_check_use(struct fb_rtnl *rtnl, const struct fb_nic *nic)
{
    struct use use;

    char *error = read_use(rtnl, nic, &use);
    if (!error) {
        error = judge(nic, &use);
    }
    free(use.qdisc);
    return error;
}
