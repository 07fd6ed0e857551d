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

#include "fb-twin.h"

#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>

#include "bitmap.h"
#include "fb-address.h"
#include "fb-dut.h"
#include "fb-like.h"
#include "fb-process.h"
#include "fb-rtnl.h"
#include "util.h"

/* A rate that limits no veth, for a queue that has no limit, in bit/s: as Open
 * vSwitch takes it from the link speed that a veth tells. */
#define NO_LIMIT "10000000000"

/* Returns a VLAN ID of which 'like' makes no use, for what Open vSwitch takes
 * as VLAN 0: frames without a tag on trunks.  A bridge that tells VLANs apart
 * has no such thing.  0 if there is none. */
static uint16_t
find_free_vlan(const struct fb_like *like)
{
    for (uint16_t vlan = FB_N_VLANS - 2; vlan > 0; vlan--) {
        bool used = false;

        for (size_t i = 0; i < like->n_ports && !used; i++) {
            const struct fb_like_port *port = &like->ports[i];
            used = ((port->vlan_mode != FB_VLAN_TRUNK && port->tag == vlan)
                    || (port->trunks && bitmap_is_set(port->trunks, vlan)));
        }
        if (!used) {
            return vlan;
        }
    }
    return 0;
}

/* libnl callback that takes no notice of a reply. */
static int
pass_over(struct nl_msg *msg OVS_UNUSED, void *aux OVS_UNUSED)
{
    return NL_OK;
}

/* Starts a message about the VLANs of the port 'ifindex'. */
static struct nl_msg *
vlan_msg(int type, int ifindex, struct nlattr **spec)
{
    struct nl_msg *msg = nlmsg_alloc_simple(type, 0);
    struct ifinfomsg ifi = { .ifi_family = AF_BRIDGE, .ifi_index = ifindex };

    nlmsg_append(msg, &ifi, sizeof ifi, NLMSG_ALIGNTO);
    *spec = nla_nest_start(msg, IFLA_AF_SPEC);
    return msg;
}

/* Adds VLAN 'vid' with 'flags' to 'msg'. */
static void
put_vlan(struct nl_msg *msg, uint16_t vid, uint16_t flags)
{
    struct bridge_vlan_info info = { .vid = vid, .flags = flags };
    nla_put(msg, IFLA_BRIDGE_VLAN_INFO, sizeof info, &info);
}

/* Adds the VLANs that 'port' carries with a tag, but for 'none', to 'msg', as
 * ranges. */
static void
put_trunks(struct nl_msg *msg, const struct fb_like_port *port, uint16_t none)
{
    for (int vid = 1; vid < FB_N_VLANS - 1; vid++) {
        int end = vid;

        while (end < FB_N_VLANS - 1 && end != none
               && fb_like_port_carries(port, end)) {
            end++;
        }
        if (end > vid + 1) {
            put_vlan(msg, vid, BRIDGE_VLAN_INFO_RANGE_BEGIN);
            put_vlan(msg, end - 1, BRIDGE_VLAN_INFO_RANGE_END);
        } else if (end > vid) {
            put_vlan(msg, vid, 0);
        }
        vid = end > vid ? end : vid;
    }
}

/* Gives the port 'ifindex' the VLANs of 'port', with 'free_vlan' for VLAN
 * 0. */
static char *
set_vlans(struct fb_rtnl *rtnl, int ifindex, const struct fb_like_port *port,
          uint16_t free_vlan)
{
    struct nlattr *spec;
    struct nl_msg *msg = vlan_msg(RTM_SETLINK, ifindex, &spec);

    if (port->vlan_mode != FB_VLAN_ACCESS) {
        put_trunks(msg, port, free_vlan);
    }
    if (port->vlan_mode != FB_VLAN_TRUNK) {
        put_vlan(msg, port->tag ? port->tag : free_vlan,
                 BRIDGE_VLAN_INFO_PVID
                 | (port->vlan_mode != FB_VLAN_NATIVE_TAGGED
                    ? BRIDGE_VLAN_INFO_UNTAGGED : 0));
    } else if (fb_like_port_carries(port, 0)) {
        put_vlan(msg, free_vlan,
                 BRIDGE_VLAN_INFO_PVID | BRIDGE_VLAN_INFO_UNTAGGED);
    }
    nla_nest_end(msg, spec);
    int retval = fb_rtnl_query(rtnl, msg, pass_over, NULL);
    return (retval < 0
            ? xasprintf("interface %d: VLANs cannot be set (%s)", ifindex,
                        fb_rtnl_strerror(rtnl, retval))
            : NULL);
}

/* Runs tc, 'n' of whose arguments are in 'args', in the namespace of 'dut'. */
static char *
run_tc(struct fb_dut *dut, const char *const argv[])
{
    return fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = dut->near_fd }, NULL);
}

/* Limits the rate of port number 'i' as Open vSwitch does for 'qos', which is
 * of type linux-htb, with all packets in queue 0. */
static char *
set_htb(struct fb_dut *dut, size_t i, const struct fb_like_qos *qos)
{
    char *port = xasprintf("fb-port%"PRIuSIZE, i);
    const char *max = smap_get_def(&qos->config, "max-rate", NO_LIMIT);
    const char *rate = max;

    for (size_t j = 0; j < qos->n_queues; j++) {
        if (!qos->queues[j].id) {
            rate = smap_get_def(&qos->queues[j].config, "max-rate", max);
        }
    }
    const char *const qdisc[] = {
        "tc", "qdisc", "add", "dev", port, "root", "handle", "1:", "htb",
        "default", "1", NULL
    };
    const char *const parent[] = {
        "tc", "class", "add", "dev", port, "parent", "1:", "classid",
        "1:fffe", "htb", "rate", max, NULL
    };
    const char *const class[] = {
        "tc", "class", "add", "dev", port, "parent", "1:fffe", "classid",
        "1:1", "htb", "rate", rate, "ceil", rate, NULL
    };
    char *error = run_tc(dut, qdisc);
    if (!error) {
        error = run_tc(dut, parent);
    }
    if (!error) {
        error = run_tc(dut, class);
    }
    free(port);
    return error;
}

/* Makes port number 'i', interface 'ifindex', of 'dut' a port of 'bridge' with
 * VLANs, if there is a 'free_vlan'. */
static char *
add_port(struct fb_dut *dut, int bridge, size_t i, int ifindex,
         uint16_t free_vlan)
{
    const struct fb_like *like = dut->like;
    const struct fb_like_port *port = &like->ports[i];

    char *error = fb_rtnl_add_bridge_port(dut->near, bridge, ifindex,
                                          FB_BRIDGE_PORT_LEARNS);
    if (!error && free_vlan) {
        error = set_vlans(dut->near, ifindex, port, free_vlan);
    }
    if (!error && port->qos && !strcmp(port->qos->type, "linux-htb")) {
        error = set_htb(dut, i, port->qos);
    }
    if (!error && i > 0 && i <= like->n_destinations) {
        error = fb_rtnl_add_fdb_entry(
            dut->near, ifindex, fb_address_destination_mac(i),
            free_vlan && !like->vlan ? free_vlan : like->vlan);
    }
    return error;
}

/* Makes a Linux bridge of the ports of 'dut', which looks at VLANs if the
 * bridge that it is like does. */
char *
fb_twin_attach_bridge(struct fb_dut *dut)
{
    bool vlans = fb_like_has_vlans(dut->like);
    uint16_t free_vlan = vlans ? find_free_vlan(dut->like) : 0;
    int bridge = 0;

    if (vlans && !free_vlan) {
        return xasprintf("%s uses all VLAN IDs: none is left for frames "
                         "without one", dut->like->name);
    }
    char *error = fb_rtnl_add_bridge(dut->near, FB_DUT_BRIDGE, vlans);
    if (!error) {
        error = fb_rtnl_get_ifindex(dut->near, FB_DUT_BRIDGE, &bridge);
    }
    for (size_t i = 0; !error && i < dut->like->n_ports; i++) {
        int ifindex = (i < dut->n_ports ? dut->ports[i]
                       : dut->extras[i - dut->n_ports]);
        error = add_port(dut, bridge, i, ifindex, free_vlan);
    }
    return error;
}
