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

#include "fb-links.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "fb-rtnl.h"
#include "util.h"

/* Attributes of newer kernels (6.7) than headers may be: <linux/if_link.h>. */
#define BR_FDB_MAX_LEARNED 49

/* Returns the number in 'attr', or 0 if that is null. */
static uint32_t
get_u32(struct nlattr *attr)
{
    return attr ? nla_get_u32(attr) : 0;
}

/* Is there an 'attr', and is it nonzero? */
static bool
get_bool(struct nlattr *attr)
{
    return attr && nla_get_u8(attr);
}

/* Fills in '*b' from 'data', IFLA_INFO_DATA of a bridge. */
static void
parse_bridge(struct nlattr *data, struct fb_bridge_traits *b)
{
    struct nlattr *tb[BR_FDB_MAX_LEARNED + 1];

    if (nla_parse_nested(tb, BR_FDB_MAX_LEARNED, data, NULL)) {
        return;
    }
    b->ageing = get_u32(tb[IFLA_BR_AGEING_TIME]);
    b->forward_delay = get_u32(tb[IFLA_BR_FORWARD_DELAY]);
    b->stp = get_u32(tb[IFLA_BR_STP_STATE]);
    b->topology_change = get_bool(tb[IFLA_BR_TOPOLOGY_CHANGE]);
    b->mcast_snooping = get_bool(tb[IFLA_BR_MCAST_SNOOPING]);
    b->mcast_querier = get_bool(tb[IFLA_BR_MCAST_QUERIER]);
    b->nf_call = (get_bool(tb[IFLA_BR_NF_CALL_IPTABLES])
                  || get_bool(tb[IFLA_BR_NF_CALL_IP6TABLES]));
    b->vlan_filtering = get_bool(tb[IFLA_BR_VLAN_FILTERING]);
    b->max_learned = get_u32(tb[BR_FDB_MAX_LEARNED]);
}

/* Fills in '*p' from 'data', IFLA_INFO_SLAVE_DATA of a bridge's port. */
static void
parse_port(struct nlattr *data, struct fb_port_traits *p)
{
    struct nlattr *tb[IFLA_BRPORT_MAX + 1];

    if (!nla_parse_nested(tb, IFLA_BRPORT_MAX, data, NULL)) {
        p->state = (tb[IFLA_BRPORT_STATE]
                    ? nla_get_u8(tb[IFLA_BRPORT_STATE]) : 0);
        p->learning = get_bool(tb[IFLA_BRPORT_LEARNING]);
        p->flood = get_bool(tb[IFLA_BRPORT_UNICAST_FLOOD]);
        p->hairpin = get_bool(tb[IFLA_BRPORT_MODE]);
        p->isolated = get_bool(tb[IFLA_BRPORT_ISOLATED]);
    }
}

/* Fills in what IFLA_LINKINFO, 'info', says of 'link'. */
static void
parse_info(struct nlattr *info, struct fb_link *link)
{
    struct nlattr *tb[IFLA_INFO_MAX + 1];

    if (nla_parse_nested(tb, IFLA_INFO_MAX, info, NULL)) {
        return;
    }
    if (tb[IFLA_INFO_KIND]) {
        nla_strlcpy(link->kind, tb[IFLA_INFO_KIND], sizeof link->kind);
    }
    if (tb[IFLA_INFO_SLAVE_KIND]) {
        nla_strlcpy(link->master_kind, tb[IFLA_INFO_SLAVE_KIND],
                    sizeof link->master_kind);
    }
    if (tb[IFLA_INFO_DATA] && !strcmp(link->kind, "bridge")) {
        parse_bridge(tb[IFLA_INFO_DATA], &link->bridge);
    }
    if (tb[IFLA_INFO_SLAVE_DATA] && !strcmp(link->master_kind, "bridge")) {
        parse_port(tb[IFLA_INFO_SLAVE_DATA], &link->port);
    }
}

/* libnl callback: adds an interface to the struct fb_links 'links_'. */
static int
parse_link(struct nl_msg *msg, void *links_)
{
    struct fb_links *links = links_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    struct nlattr *tb[IFLA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWLINK
        || nlmsg_parse(hdr, sizeof(struct ifinfomsg), tb, IFLA_MAX, NULL)) {
        return NL_SKIP;
    }
    const struct ifinfomsg *ifi = nlmsg_data(hdr);
    if (links->n >= links->allocated) {
        links->links = x2nrealloc(links->links, &links->allocated,
                                  sizeof *links->links);
    }
    struct fb_link *link = &links->links[links->n++];
    memset(link, 0, sizeof *link);
    link->ifindex = ifi->ifi_index;
    link->up = (ifi->ifi_flags & IFF_UP) && (ifi->ifi_flags & IFF_RUNNING);
    link->master = get_u32(tb[IFLA_MASTER]);
    link->mtu = get_u32(tb[IFLA_MTU]);
    link->n_rx_queues = get_u32(tb[IFLA_NUM_RX_QUEUES]);
    if (tb[IFLA_IFNAME]) {
        nla_strlcpy(link->name, tb[IFLA_IFNAME], sizeof link->name);
    }
    if (tb[IFLA_XDP]) {
        struct nlattr *mode = nla_find(nla_data(tb[IFLA_XDP]),
                                       nla_len(tb[IFLA_XDP]),
                                       IFLA_XDP_ATTACHED);
        link->xdp = mode && nla_get_u8(mode) != XDP_ATTACHED_NONE;
    }
    if (tb[IFLA_STATS64]) {
        nla_memcpy(&link->stats, tb[IFLA_STATS64], sizeof link->stats);
    }
    if (tb[IFLA_LINKINFO]) {
        parse_info(tb[IFLA_LINKINFO], link);
    }
    return NL_OK;
}

/* libnl callback: counts an FDB entry in the struct fb_links 'links_'. */
static int
parse_neigh(struct nl_msg *msg, void *links_)
{
    struct fb_links *links = links_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    struct nlattr *tb[NDA_MAX + 1];

    if (hdr->nlmsg_type != RTM_NEWNEIGH
        || nlmsg_parse(hdr, sizeof(struct ndmsg), tb, NDA_MAX, NULL)) {
        return NL_SKIP;
    }
    const struct ndmsg *ndm = nlmsg_data(hdr);
    struct fb_link *bridge = fb_links_find(links, get_u32(tb[NDA_MASTER]));
    struct fb_link *port = fb_links_find(links, ndm->ndm_ifindex);
    if (!bridge || strcmp(bridge->kind, "bridge")) {
        return NL_SKIP;
    }
    /* A port's own addresses are permanent, static ones are not. */
    if (!(ndm->ndm_state & NUD_PERMANENT)) {
        if (!(ndm->ndm_state & NUD_NOARP)) {
            bridge->bridge.n_learned++;
        }
        if (port) {
            port->port.n_entries++;
        }
    }
    return NL_OK;
}

/* Orders interfaces 'a_' and 'b_' by index. */
static int
compare_links(const void *a_, const void *b_)
{
    const struct fb_link *a = a_;
    const struct fb_link *b = b_;
    return a->ifindex < b->ifindex ? -1 : a->ifindex > b->ifindex;
}

/* Asks for all objects of 'type'. */
static int
dump(struct fb_rtnl *rtnl, int type, unsigned char family,
     int (*parse)(struct nl_msg *, void *aux), struct fb_links *links)
{
    struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_DUMP);
    struct ifinfomsg ifi = { .ifi_family = family };
    struct ndmsg ndm = { .ndm_family = family };

    if (type == RTM_GETNEIGH) {
        nlmsg_append(msg, &ndm, sizeof ndm, NLMSG_ALIGNTO);
    } else {
        nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    }
    return fb_rtnl_query(rtnl, msg, parse, links);
}

/* Reads all interfaces of the namespace of 'rtnl' into '*links', for the
 * caller to destroy with fb_links_destroy(), also after an error.  Bridges'
 * addresses are counted if there is a bridge.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_links_read(struct fb_rtnl *rtnl, struct fb_links *links)
{
    bool has_bridge = false;

    memset(links, 0, sizeof *links);
    int retval = dump(rtnl, RTM_GETLINK, AF_UNSPEC, parse_link, links);
    if (retval < 0) {
        return xasprintf("interfaces (%s)", nl_geterror(retval));
    }
    if (links->n) {
        qsort(links->links, links->n, sizeof *links->links, compare_links);
    }
    for (size_t i = 0; i < links->n; i++) {
        has_bridge |= !strcmp(links->links[i].kind, "bridge");
    }
    if (has_bridge) {
        retval = dump(rtnl, RTM_GETNEIGH, AF_BRIDGE, parse_neigh, links);
        if (retval < 0) {
            return xasprintf("bridges' addresses (%s)", nl_geterror(retval));
        }
    }
    return NULL;
}

/* Frees what 'links' holds. */
void
fb_links_destroy(struct fb_links *links)
{
    free(links->links);
}

/* Returns the interface 'ifindex' of 'links', or NULL. */
struct fb_link *
fb_links_find(const struct fb_links *links, int ifindex)
{
    struct fb_link key = { .ifindex = ifindex };
    return (links->n
            ? bsearch(&key, links->links, links->n, sizeof *links->links,
                      compare_links)
            : NULL);
}
