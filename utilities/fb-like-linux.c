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

#include "fb-like-read.h"

#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "fb-like.h"
#include "fb-links.h"
#include "fb-qdisc.h"
#include "fb-rtnl.h"
#include "util.h"

/* What a port of a Linux bridge says of its VLANs. */
struct port_vlans {
    unsigned long *carried;     /* Bitmap of FB_N_VLANS: all of them... */
    unsigned long *untagged;    /* ...and those that leave untagged. */
    int pvid;                   /* Where untagged frames go, or -1. */
};

/* Puts what 'attr', one IFLA_BRIDGE_VLAN_INFO, says into 'v'.  '*from' is
 * where a range began, or -1. */
static void
add_vlan(struct nlattr *attr, struct port_vlans *v, int *from)
{
    struct bridge_vlan_info info;

    memset(&info, 0, sizeof info);
    nla_memcpy(&info, attr, sizeof info);
    if (info.flags & BRIDGE_VLAN_INFO_RANGE_BEGIN) {
        *from = info.vid;
        return;
    }
    int first = *from >= 0 ? *from : info.vid;
    *from = -1;
    for (int vid = first; vid <= info.vid && vid < FB_N_VLANS; vid++) {
        bitmap_set1(v->carried, vid);
        if (info.flags & BRIDGE_VLAN_INFO_UNTAGGED) {
            bitmap_set1(v->untagged, vid);
        }
    }
    if (info.flags & BRIDGE_VLAN_INFO_PVID) {
        v->pvid = info.vid;
    }
}

/* Sets the VLANs of 'port' of 'like' to 'v', as far as a port of Open vSwitch
 * can do the same, and notes what it cannot. */
static void
set_vlans(struct fb_like *like, struct fb_like_port *port,
          const struct port_vlans *v)
{
    size_t n = bitmap_count1(v->carried, FB_N_VLANS);
    size_t n_untagged = bitmap_count1(v->untagged, FB_N_VLANS);
    bool native_untagged = v->pvid >= 0 && bitmap_is_set(v->untagged, v->pvid);

    if (n_untagged > native_untagged) {
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s lets frames of %"PRIuSIZE" VLANs leave untagged, but for "
            "its PVID", port->name, n_untagged - native_untagged));
    }
    if (v->pvid >= 0) {
        port->tag = v->pvid;
        port->vlan_mode = (n == 1 && native_untagged ? FB_VLAN_ACCESS
                           : native_untagged ? FB_VLAN_NATIVE_UNTAGGED
                           : FB_VLAN_NATIVE_TAGGED);
    }
    if (port->vlan_mode != FB_VLAN_ACCESS) {
        port->trunks = bitmap_clone(v->carried, FB_N_VLANS);
    }
}

/* libnl callback: the VLANs of one port of the struct fb_like 'like_', if it
 * is one. */
static int
parse_vlans(struct nl_msg *msg, void *like_)
{
    struct fb_like *like = like_;
    struct nlmsghdr *hdr = nlmsg_hdr(msg);
    struct nlattr *name, *spec, *attr;
    int from = -1;
    int left;

    if (hdr->nlmsg_type != RTM_NEWLINK) {
        return NL_SKIP;
    }
    name = nlmsg_find_attr(hdr, sizeof(struct ifinfomsg), IFLA_IFNAME);
    spec = nlmsg_find_attr(hdr, sizeof(struct ifinfomsg), IFLA_AF_SPEC);
    struct fb_like_port *port = (name
                                 ? fb_like_find_port(like,
                                                     nla_get_string(name))
                                 : NULL);
    if (!port || !spec) {
        return NL_SKIP;
    }
    struct port_vlans v = {
        .carried = bitmap_allocate(FB_N_VLANS),
        .untagged = bitmap_allocate(FB_N_VLANS),
        .pvid = -1,
    };
    nla_for_each_nested(attr, spec, left) {
        if (nla_type(attr) == IFLA_BRIDGE_VLAN_INFO) {
            add_vlan(attr, &v, &from);
        }
    }
    set_vlans(like, port, &v);
    bitmap_free(v.carried);
    bitmap_free(v.untagged);
    return NL_OK;
}

/* Reads the VLANs of all ports of 'like'. */
static char *
read_vlans(struct fb_like *like, struct fb_rtnl *rtnl)
{
    struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETLINK, NLM_F_DUMP);
    struct ifinfomsg ifi = { .ifi_family = AF_BRIDGE };

    nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    nla_put_u32(msg, IFLA_EXT_MASK, RTEXT_FILTER_BRVLAN_COMPRESSED);
    int retval = fb_rtnl_query(rtnl, msg, parse_vlans, like);
    return (retval < 0
            ? xasprintf("%s: its VLANs cannot be read (%s)", like->name,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Notes in 'like' what of 'link', a port, twins' ports, all of them veth, do
 * not have. */
static char *
note_left_out(struct fb_like *like, struct fb_rtnl *rtnl,
              const struct fb_link *link)
{
    static const char *const plain[] = { "", "veth", "tun", "dummy" };
    char *qdisc;
    size_t i = 0;

    while (i < ARRAY_SIZE(plain) && strcmp(plain[i], link->kind)) {
        i++;
    }
    if (i >= ARRAY_SIZE(plain)) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s is of kind %s: a plain interface stands for it",
            link->name, link->kind));
    }
    if (!link->port.learning) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s does not learn: in twins it does", link->name));
    }
    char *error = fb_qdisc_find_chosen(rtnl, link->ifindex, &qdisc);
    if (qdisc) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s has the queueing discipline %s", link->name, qdisc));
        free(qdisc);
    }
    return error;
}

/* Adds the port 'link' to 'like', and what of it Open vSwitch cannot do. */
static char *
add_port(struct fb_like *like, struct fb_rtnl *rtnl,
         const struct fb_link *link)
{
    struct fb_like_port *port = fb_like_add_port(
        like, link->name, link->kind[0] ? link->kind : "system");

    port->ofport = like->n_ports;
    port->mtu = link->mtu;
    if (link->port.hairpin) {
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s sends frames back where they came in (hairpin; a rule "
            "with IN_PORT can)", link->name));
    }
    if (link->port.isolated) {
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s is isolated (Open vSwitch has \"protected\" ports)",
            link->name));
    }
    return note_left_out(like, rtnl, link);
}

/* Notes in 'like' what else the bridge is asked for. */
static void
note_services(struct fb_like *like, const struct fb_bridge_traits *b)
{
    if (b->nf_call) {
        svec_add(&like->lost, "netfilter sees its frames (\"ct\" actions "
                 "track connections, iptables does not see them)");
        svec_add(&like->left_out, "netfilter");
    }
    if (b->stp) {
        svec_add(&like->left_out, "STP");
    }
    if (b->mcast_snooping) {
        svec_add(&like->left_out, "multicast snooping");
    }
    if (b->max_learned) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "a limit of %"PRIu32" learned addresses", b->max_learned));
    }
}

/* Fills in 'like' from the Linux bridge 'name' of this network namespace, if
 * there is one. */
char *
fb_like_read_linux(struct fb_like *like, const char *name, bool *found)
{
    const struct fb_link *bridge = NULL;
    struct fb_links links;
    struct fb_rtnl *rtnl;

    *found = false;
    char *error = fb_rtnl_open(-1, &rtnl);
    if (error) {
        return error;
    }
    error = fb_links_read(rtnl, &links);
    for (size_t i = 0; i < links.n; i++) {
        if (!strcmp(links.links[i].name, name)
            && !strcmp(links.links[i].kind, "bridge")) {
            bridge = &links.links[i];
        }
    }
    if (!error && bridge) {
        *found = true;
        like->kind = FB_LIKE_LINUX;
        like->name = xstrdup(name);
        like->vlan_filtering = bridge->bridge.vlan_filtering;
        for (size_t i = 0; i < links.n && !error; i++) {
            if (links.links[i].master == bridge->ifindex
                && !strcmp(links.links[i].master_kind, "bridge")) {
                error = add_port(like, rtnl, &links.links[i]);
            }
        }
        note_services(like, &bridge->bridge);
        if (!error && like->vlan_filtering) {
            error = read_vlans(like, rtnl);
        }
    }
    fb_links_destroy(&links);
    fb_rtnl_close(rtnl);
    return error;
}
