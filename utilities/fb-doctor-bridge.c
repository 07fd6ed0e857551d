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

#include "fb-doctor.h"

#include <inttypes.h>
#include <linux/if_bridge.h>
#include <stdlib.h>
#include <string.h>

#include "fb-host.h"
#include "fb-hostfile.h"
#include "fb-links.h"
#include "fb-nftables.h"
#include "fb-rtnl.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Ports that a bridge may have (BR_MAX_PORTS in net/bridge/br_private.h), and
 * from how many on that is a finding: early enough to do something. */
#define MAX_PORTS 1024
#define MANY_PORTS 900

/* Share of the addresses that a bridge may learn (fdb_max_learned) from which
 * on it is a finding.  There is no other limit: the table grows by itself. */
#define MANY_LEARNED 0.8

/* Ageing, in seconds, below which stations that are silent for a while are
 * forgotten; the default is 300. */
#define SHORT_AGEING 30

/* Units of the kernel's times in a second. */
#define USER_HZ 100

/* What the checks look at. */
struct evidence {
    struct fb_links links;      /* At the end. */
    bool ok;                    /* Could they be read? */
    struct fb_host_net first;
    struct fb_host_net second;
};

/* Takes the first sample. */
static void *
begin(struct fb_doctor *doctor OVS_UNUSED)
{
    struct evidence *e = xzalloc(sizeof *e);
    fb_host_read_net(&e->first);
    return e;
}

/* Returns how many ports 'bridge' has. */
static size_t
count_ports(const struct evidence *e, const struct fb_link *bridge)
{
    size_t n = 0;
    for (size_t i = 0; i < e->links.n; i++) {
        n += e->links.links[i].master == bridge->ifindex;
    }
    return n;
}

/* Returns the next Linux bridge after 'link', or the first if that is null, or
 * NULL if there is none. */
static const struct fb_link *
next_bridge(const struct evidence *e, const struct fb_link *link)
{
    for (link = link ? link + 1 : e->links.links;
         link < e->links.links + e->links.n; link++) {
        if (!strcmp(link->kind, "bridge")) {
            return link;
        }
    }
    return NULL;
}

/* Takes the second sample. */
static void
end(struct fb_doctor *doctor, void *e_)
{
    struct evidence *e = e_;
    const struct fb_link *br = NULL;
    struct fb_rtnl *rtnl;

    fb_host_read_net(&e->second);
    char *error = fb_rtnl_open(-1, &rtnl);
    if (!error) {
        error = fb_links_read(rtnl, &e->links);
    }
    fb_rtnl_close(rtnl);
    if (error) {
        fb_doctor_add_unread(doctor, "%s", error);
        free(error);
        return;
    }
    e->ok = true;
    while ((br = next_bridge(e, br)) != NULL) {
        fb_doctor_add_examined(doctor, "Linux bridge %s, %"PRIuSIZE" ports, "
                               "%"PRIu32" addresses learned", br->name,
                               count_ports(e, br), br->bridge.n_learned);
    }
}

/* Frees 'e_'. */
static void
destroy(void *e_)
{
    struct evidence *e = e_;
    fb_links_destroy(&e->links);
    free(e);
}

/* Appends to 'ds' what rules netfilter has. */
static void
format_rules(struct fb_doctor *doctor, struct ds *ds)
{
    char *legacy = fb_hostfile_read_line("/proc/net/ip_tables_names");
    size_t n;

    char *error = fb_nftables_count(&n);
    if (error) {
        fb_doctor_add_unread(doctor, "%s", error);
        ds_put_cstr(ds, "rules unknown");
        free(error);
    } else {
        ds_put_format(ds, "%"PRIuSIZE" nftables rules", n);
    }
    if (legacy && legacy[0]) {
        ds_put_format(ds, ", iptables table \"%s\"", legacy);
    }
    free(legacy);
}

/* Frames that netfilter sees. */
static void
check_netfilter(struct fb_doctor *doctor, const void *e_)
{
    static const char sysctls[][64] = {
        "/proc/sys/net/bridge/bridge-nf-call-iptables",
        "/proc/sys/net/bridge/bridge-nf-call-ip6tables",
    };
    const struct evidence *e = e_;
    double bad = fb_doctor_rate(doctor, e->first.ip_csum_errors,
                                e->second.ip_csum_errors);
    const struct fb_link *br = NULL;
    bool all = false;

    for (size_t i = 0; i < ARRAY_SIZE(sysctls); i++) {
        long long int on;
        all |= fb_hostfile_read_number(sysctls[i], &on) && on;
    }
    while ((br = next_bridge(e, br)) != NULL) {
        if ((!all && !br->bridge.nf_call) || !count_ports(e, br)) {
            continue;
        }
        char *fix = (all
                     ? xstrdup("sysctl -w net.bridge.bridge-nf-call-iptables"
                               "=0 net.bridge.bridge-nf-call-ip6tables=0")
                     : xasprintf("ip link set %s type bridge nf_call_iptables "
                                 "0 nf_call_ip6tables 0", br->name));
        struct ds rules = DS_EMPTY_INITIALIZER;
        format_rules(doctor, &rules);
        fb_doctor_add(
            doctor, bad > 0 ? FB_ERROR : FB_WARNING, fix,
            "%s: br_netfilter is on: each IP packet goes through iptables%s "
            "(%s), and those that it takes for invalid vanish.", br->name,
            e->second.has_conntrack ? " and conntrack" : "",
            ds_cstr(&rules));
        ds_destroy(&rules);
        free(fix);
    }
    if (bad > 0) {
        fb_doctor_add(
            doctor, FB_ERROR,
            "have the sender compute valid checksums",
            "%.0f IPv4 packets/s with a bad checksum were dropped, by a "
            "bridge with br_netfilter or by this host's IP layer: they count "
            "as sent, and never arrive.", bad);
    }
}

/* Addresses that no longer can be learned. */
static void
check_fdb(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    const struct fb_link *br = NULL;

    while ((br = next_bridge(e, br)) != NULL) {
        const struct fb_bridge_traits *b = &br->bridge;
        if (b->max_learned && b->n_learned >= b->max_learned * MANY_LEARNED) {
            char *fix = xasprintf("ip link set %s type bridge "
                                  "fdb_max_learned %"PRIu32, br->name,
                                  b->max_learned * 4);
            bool full = b->n_learned >= b->max_learned;
            fb_doctor_add(
                doctor, full ? FB_ERROR : FB_WARNING, fix,
                "%s has learned %"PRIu32" of at most %"PRIu32" addresses "
                "(fdb_max_learned)%s.", br->name, b->n_learned,
                b->max_learned,
                full ? ": frames to others are flooded to all ports" : "");
            free(fix);
        }
    }
}

/* Addresses that are soon forgotten. */
static void
check_ageing(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    const struct fb_link *br = NULL;

    while ((br = next_bridge(e, br)) != NULL) {
        const struct fb_bridge_traits *b = &br->bridge;
        double ageing = (double) b->ageing / USER_HZ;
        char *fix = xasprintf("ip link set %s type bridge ageing_time 30000",
                              br->name);

        if (b->stp && b->topology_change) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "find the port that comes and goes; set ports of hosts to "
                "bridge link set dev PORT guard on, or leave STP off",
                "%s: STP has seen a topology change: for a while addresses "
                "are forgotten after %g s, and frames flooded.", br->name,
                ageing);
        } else if (!b->ageing) {
            fb_doctor_add(doctor, FB_WARNING, fix,
                          "%s: the ageing time is 0: no address is kept, and "
                          "each frame is flooded to all ports.", br->name);
        } else if (ageing < SHORT_AGEING) {
            fb_doctor_add(doctor, FB_WARNING, fix,
                          "%s forgets addresses after %g s: frames to "
                          "stations that are silent for longer are flooded.",
                          br->name, ageing);
        }
        free(fix);
    }
}

/* Returns the name of a bridge port's state. */
static const char *
state_name(uint8_t state)
{
    return (state == BR_STATE_DISABLED ? "disabled"
            : state == BR_STATE_LISTENING ? "listening"
            : state == BR_STATE_LEARNING ? "learning"
            : state == BR_STATE_BLOCKING ? "blocking"
            : "forwarding");
}

/* Ports that do not forward or do not learn. */
static void
check_ports(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < e->links.n; i++) {
        const struct fb_link *port = &e->links.links[i];
        const struct fb_link *br = fb_links_find(&e->links, port->master);

        if (!br || strcmp(port->master_kind, "bridge") || !port->up) {
            continue;
        }
        if (port->port.state != BR_STATE_FORWARDING) {
            char *fix = xasprintf("bridge link set dev %s state 3, if nothing "
                                  "loops; with STP, wait or see bridge link",
                                  port->name);
            fb_doctor_add(doctor, FB_WARNING, fix,
                          "%s: port %s is up, but its state is %s: it does "
                          "not forward.", br->name, port->name,
                          state_name(port->port.state));
            free(fix);
        }
        if (!port->port.learning && !port->port.n_entries) {
            char *fix = xasprintf("bridge link set dev %s learning on, or "
                                  "bridge fdb add MAC dev %s master static",
                                  port->name, port->name);
            fb_doctor_add(doctor, FB_WARNING, fix,
                          "%s: port %s does not learn and has no static "
                          "entry: frames to stations behind it are %s.",
                          br->name, port->name,
                          port->port.flood ? "flooded to all ports"
                          : "dropped");
            free(fix);
        }
    }
}

/* A bridge that cannot take more ports. */
static void
check_port_limit(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    const struct fb_link *br = NULL;

    while ((br = next_bridge(e, br)) != NULL) {
        size_t n = count_ports(e, br);
        if (n >= MANY_PORTS) {
            fb_doctor_add(
                doctor, n >= MAX_PORTS ? FB_ERROR : FB_WARNING,
                "a second bridge; Open vSwitch has no such limit",
                "%s has %"PRIuSIZE" ports, and a Linux bridge has at most "
                "%d.", br->name, n, MAX_PORTS);
        }
    }
}

/* Multicast that is treated in another way. */
static void
check_snooping(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    const struct fb_link *br = NULL;

    while ((br = next_bridge(e, br)) != NULL) {
        if (br->bridge.mcast_snooping && count_ports(e, br)) {
            char *fix = xasprintf("ip link set %s type bridge mcast_snooping "
                                  "0", br->name);
            fb_doctor_add(
                doctor, FB_INFO, fix,
                "%s: multicast snooping is on, querier %s: multicast frames "
                "take another path than with Open vSwitch, where it is off "
                "by default.", br->name,
                br->bridge.mcast_querier ? "on" : "off");
            free(fix);
        }
    }
}

static const struct fb_doctor_check checks[] = {
    { "bridge-netfilter", "net.bridge, nf_call of bridges, IP counters",
      "netfilter sees bridged frames; frames with a bad checksum vanish",
      check_netfilter },
    { "fdb-limit", "bridges and their addresses, by rtnetlink",
      "80 % of fdb_max_learned", check_fdb },
    { "bridge-ageing", "bridges, by rtnetlink",
      "less than 30 s, or shortened by STP", check_ageing },
    { "bridge-ports", "bridges' ports, by rtnetlink",
      "ports that are up and do not forward, or neither learn nor have "
      "entries", check_ports },
    { "bridge-port-limit", "bridges' ports, by rtnetlink", "900 of 1,024",
      check_port_limit },
    { "multicast-snooping", "bridges, by rtnetlink", "snooping that is on",
      check_snooping },
};

const struct fb_doctor_area fb_doctor_bridge = {
    .name = "bridge",
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
    .begin = begin,
    .end = end,
    .destroy = destroy,
};
