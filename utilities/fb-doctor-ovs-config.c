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

#include "fb-doctor-ovs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-doctor.h"
#include "lib/vswitch-idl.h"
#include "netlink-socket.h"
#include "smap.h"
#include "util.h"

/* Addresses that move between ports, per second, from which on something is
 * wrong: a loop, or one address in two places.  Machines that migrate move
 * theirs once. */
#define MAX_MOVES 10

/* Interfaces whose statistics are read, per second: 1,000 in the 5 s of the
 * default of other_config:stats-update-interval; from there on it is looked at
 * what share of a CPU the main thread uses. */
#define MAX_SWEEP_RATE 200
#define MIN_MAIN_SHARE 0.1

/* Asks for the MAC table of 'bridge', and adds a finding if it is too
 * small. */
static void
check_bridge_macs(struct fb_doctor *doctor, const struct fb_doctor_ovs *e,
                  const char *bridge, double evicted)
{
    char *text = NULL;

    char *error = fb_appctl(e->host.rpc, &text, "fdb/stats-show", bridge,
                            NULL);
    if (error) {
        fb_doctor_add_unread(doctor, "%s", error);
        free(error);
        return;
    }
    uint64_t n = fb_doctor_ovs_number(text, "entries in the table: ");
    const char *slash = strchr(strstr(text, "entries in the table: ")
                               ? strstr(text, "entries in the table: ")
                               : "/0", '/');
    uint64_t max = slash ? strtoull(slash + 1, NULL, 10) : 0;
    uint64_t total = fb_doctor_ovs_number(text, "evicted MAC entries     : ");
    free(text);
    if (!total || !max) {
        return;
    }

    char *fix = xasprintf("ovs-vsctl set bridge %s other-config:"
                          "mac-table-size=%"PRIu64, bridge, max * 4);
    if (evicted > 0 && n >= max) {
        fb_doctor_add(
            doctor, FB_WARNING, fix,
            "%s: the MAC table is too small: %"PRIu64" of %"PRIu64" entries "
            "in use, %"PRIu64" addresses thrown out to learn others, by "
            "%.0f/s now on all bridges; changes of the MAC tables have all "
            "flows revalidated %.1f times a second.", bridge, n, max, total,
            evicted, fb_doctor_ovs_coverage(doctor, e, "rev_mac_learning"));
    } else {
        fb_doctor_add(
            doctor, FB_INFO, fix,
            "%s: %"PRIu64" addresses have been thrown out of the MAC table, "
            "which has %"PRIu64" of %"PRIu64" entries in use, but none now.",
            bridge, total, n, max);
    }
    free(fix);
}

/* MAC tables that are too small. */
void
fb_check_mac_table(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    double evicted = fb_doctor_ovs_coverage(doctor, e,
                                            "mac_learning_evicted");
    const struct ovsrec_bridge *br;

    if (e->host.idl && e->host.rpc) {
        OVSREC_BRIDGE_FOR_EACH (br, e->host.idl) {
            check_bridge_macs(doctor, e, br->name, evicted);
        }
    }
}

/* Addresses that move. */
void
fb_check_mac_moves(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    double rate = fb_doctor_ovs_coverage(doctor, e, "mac_learning_moved");

    if (rate >= MAX_MOVES) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "look for a loop or for one address at two ports: ovs-appctl "
            "fdb/show BRIDGE, twice",
            "MAC addresses move between ports %.0f times a second; each time "
            "flows are revalidated (%.1f times a second).", rate,
            fb_doctor_ovs_coverage(doctor, e, "rev_mac_learning"));
    }
}

/* Mirrors, and what their port is. */
void
fb_check_mirrors(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct ovsrec_bridge *br;

    if (!e->host.idl) {
        return;
    }
    OVSREC_BRIDGE_FOR_EACH (br, e->host.idl) {
        for (size_t i = 0; i < br->n_mirrors; i++) {
            const struct ovsrec_mirror *m = br->mirrors[i];
            const struct ovsrec_port *out = m->output_port;
            char *what = (m->select_all ? xstrdup("all packets")
                          : xasprintf("packets of %"PRIuSIZE" ports",
                                      MAX(m->n_select_src_port,
                                          m->n_select_dst_port)));
            char *fix = xasprintf("ovs-vsctl -- --id=@m get mirror %s -- "
                                  "remove bridge %s mirrors @m", m->name,
                                  br->name);
            fb_doctor_add(
                doctor, FB_WARNING, fix,
                "%s: mirror %s copies %s to %s%s%s%s. A copy to an interface "
                "that something reads, such as ovs-tcpdump's, may cost half "
                "of the throughput.", br->name, m->name, what,
                out ? "port " : m->output_vlan ? "a VLAN" : "nowhere",
                out ? out->name : "",
                out && out->n_interfaces && out->interfaces[0]->type[0]
                ? ", of type " : "",
                out && out->n_interfaces ? out->interfaces[0]->type : "");
            free(fix);
            free(what);
        }
    }
}

/* Counts the interfaces of 'br' but for its own, and those of types that only
 * the userspace datapath has. */
static void
count_interfaces(const struct ovsrec_bridge *br, size_t *n, size_t *fast)
{
    *n = *fast = 0;
    for (size_t i = 0; i < br->n_ports; i++) {
        const struct ovsrec_port *port = br->ports[i];
        for (size_t j = 0; j < port->n_interfaces; j++) {
            const char *type = port->interfaces[j]->type;

            if (strcmp(type, "internal") && strcmp(type, "patch")) {
                *n += 1;
            }
            if (!strncmp(type, "dpdk", 4) || !strncmp(type, "afxdp", 5)) {
                *fast += 1;
            }
        }
    }
}

/* Bridges whose datapath is not what their ports call for. */
void
fb_check_datapath_type(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct ovsrec_bridge *br;
    int family = 0;             /* Means that it is not known yet. */

    if (!e->host.idl) {
        return;
    }
    bool module = !nl_lookup_genl_family("ovs_datapath", &family);
    OVSREC_BRIDGE_FOR_EACH (br, e->host.idl) {
        bool netdev = !strcmp(br->datapath_type, "netdev");
        bool system = (!br->datapath_type[0]
                       || !strcmp(br->datapath_type, "system"));
        size_t n, fast;

        count_interfaces(br, &n, &fast);
        if (netdev && n && !fast) {
            char *fix = (module
                         ? xasprintf("ovs-vsctl set bridge %s "
                                     "datapath_type=system", br->name)
                         : xstrdup("type=afxdp or type=dpdk for its ports; or "
                                   "load the openvswitch kernel module and "
                                   "set datapath_type=system"));
            fb_doctor_add(
                doctor, FB_WARNING, fix,
                "%s: datapath_type=netdev is the userspace datapath, and none "
                "of its %"PRIuSIZE" ports is of type dpdk or afxdp: "
                "ovs-vswitchd's main thread polls them, with a system call "
                "for each batch. The kernel datapath %s on this host.",
                br->name, n, module ? "is there" : "is missing");
            free(fix);
        } else if (system && fast) {
            char *fix = xasprintf("ovs-vsctl set bridge %s "
                                  "datapath_type=netdev", br->name);
            fb_doctor_add(
                doctor, FB_ERROR, fix,
                "%s has %"PRIuSIZE" ports of type dpdk or afxdp, which do not "
                "work with datapath_type=system, the kernel datapath.",
                br->name, fast);
            free(fix);
        } else if (system && !module && e->host.pid) {
            fb_doctor_add(
                doctor, FB_ERROR,
                "modprobe openvswitch, then restart ovs-vswitchd",
                "%s wants the kernel datapath, but the openvswitch kernel "
                "module is not there (or not visible in this network "
                "namespace).", br->name);
        }
    }
}

/* Interfaces that do not work. */
void
fb_check_interface_errors(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct ovsrec_interface *iface;
    size_t n = 0;

    if (!e->host.idl) {
        return;
    }
    OVSREC_INTERFACE_FOR_EACH (iface, e->host.idl) {
        if (iface->error && iface->error[0] && n++ < 8) {
            char *fix = xasprintf("ovs-vsctl del-port %s, or create what it "
                                  "stands for", iface->name);
            fb_doctor_add(doctor, FB_ERROR, fix,
                          "Interface %s does not work: %s.", iface->name,
                          iface->error);
            free(fix);
        }
    }
    if (n > 8) {
        fb_doctor_add(doctor, FB_ERROR,
                      "ovs-vsctl --columns=name,error find interface error!="
                      "[]", "%"PRIuSIZE" interfaces do not work, of which 8 "
                      "are listed.", n);
    }
}

/* Interfaces whose statistics use CPU. */
void
fb_check_statistics(struct fb_doctor *doctor, const void *e_)
{
    const struct fb_doctor_ovs *e = e_;
    const struct ovsrec_open_vswitch *cfg
        = e->host.idl ? ovsrec_open_vswitch_first(e->host.idl) : NULL;
    const struct ovsrec_interface *iface;
    size_t n = 0;

    if (!cfg) {
        return;
    }
    OVSREC_INTERFACE_FOR_EACH (iface, e->host.idl) {
        n++;
    }
    int interval = MAX(smap_get_int(&cfg->other_config,
                                    "stats-update-interval", 5000), 5000);
    double main_share = fb_doctor_rate(doctor, e->first.main.run_ns,
                                       e->second.main.run_ns) / 1e9;
    double rate = n * 1000.0 / interval;
    if (rate >= MAX_SWEEP_RATE && main_share >= MIN_MAIN_SHARE) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "ovs-vsctl set Open_vSwitch . "
            "other_config:stats-update-interval=60000",
            "ovs-vswitchd reads the statistics of %"PRIuSIZE" interfaces each "
            "%g s, and its main thread uses %.0f %% of a CPU.", n,
            interval / 1000.0, main_share * 100);
    }
}
