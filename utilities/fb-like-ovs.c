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

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "fb-appctl.h"
#include "fb-like.h"
#include "fb-ovs-host.h"
#include "fb-process.h"
#include "fb-rules.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofp-flow.h"
#include "packets.h"
#include "socket-util.h"
#include "util.h"

/* Returns a bitmap of the 'n' VLAN IDs in 'vlans', or NULL if there is
 * none. */
static unsigned long *
get_vlans(const int64_t *vlans, size_t n)
{
    unsigned long *bitmap = n ? bitmap_allocate(FB_N_VLANS) : NULL;

    for (size_t i = 0; i < n; i++) {
        if (vlans[i] >= 0 && vlans[i] < FB_N_VLANS) {
            bitmap_set1(bitmap, vlans[i]);
        }
    }
    return bitmap;
}

/* Notes how 'row' treats VLANs in 'port' of 'like'. */
static void
read_vlans(struct fb_like *like, const struct ovsrec_port *row,
           struct fb_like_port *port)
{
    const char *mode = row->vlan_mode;

    port->tag = row->n_tag ? *row->tag : 0;
    if (mode && !strcmp(mode, "dot1q-tunnel")) {
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s tunnels VLANs in VLAN %u (dot1q-tunnel)", port->name,
            port->tag));
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s is an access port, not a dot1q-tunnel", port->name));
        port->vlan_mode = FB_VLAN_ACCESS;
    } else if (!mode || !fb_vlan_mode_from_name(mode, &port->vlan_mode)) {
        port->vlan_mode = row->n_tag ? FB_VLAN_ACCESS : FB_VLAN_TRUNK;
    }
    if (port->vlan_mode != FB_VLAN_ACCESS) {
        port->trunks = get_vlans(row->trunks, row->n_trunks);
    }
    if (port->vlan_mode == FB_VLAN_TRUNK) {
        port->tag = 0;
    }
}

/* Notes the quality of service that 'row' asks for in 'port' of 'like'. */
static void
read_qos(struct fb_like *like, const struct ovsrec_qos *row,
         struct fb_like_port *port)
{
    if (!row || !row->type[0] || !strcmp(row->type, "linux-noop")) {
        return;
    }
    struct fb_like_qos *qos = fb_like_add_qos(port, row->type, row->n_queues);
    smap_clone(&qos->config, &row->other_config);
    for (size_t i = 0; i < row->n_queues; i++) {
        qos->queues[i].id = row->key_queues[i];
        smap_clone(&qos->queues[i].config,
                   &row->value_queues[i]->other_config);
    }
    if (strcmp(row->type, "linux-htb")) {
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s has QoS of type %s (tc can do the same to the "
            "interface)", port->name, row->type));
    } else if (row->n_queues) {
        svec_add_nocopy(&like->lost, xasprintf(
            "rules can choose among %"PRIuSIZE" queues of port %s (tc filters "
            "can)", row->n_queues, port->name));
    }
}

/* Notes in 'like' what of the tunnel 'iface', port 'name', a Linux bridge
 * cannot do: a device of the same kind can be its port, but not one that leads
 * to many places, as rules say. */
static void
note_tunnel(struct fb_like *like, const char *name,
            const struct ovsrec_interface *iface)
{
    const char *remote = smap_get_def(&iface->options, "remote_ip", "");
    const char *key = smap_get_def(&iface->options, "key", "");

    if (!strcmp(remote, "flow") || !strcmp(key, "flow")) {
        svec_add_nocopy(&like->lost, xasprintf(
            "rules choose %s of the tunnel at port %s (Linux has devices in "
            "\"external\" mode, and tc's \"tunnel_key\")",
            strcmp(remote, "flow") ? "the key"
            : strcmp(key, "flow") ? "the other end" : "the other end and key",
            name));
    }
}

/* Notes in 'like' what port 'row' does that twins' ports do not. */
static void
note_services_of_port(struct fb_like *like, const struct ovsrec_port *row)
{
    const struct ovsrec_interface *iface = row->interfaces[0];

    if (iface->ingress_policing_rate || iface->ingress_policing_kpkts_rate) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s polices what comes in: in twins it does not", row->name));
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s polices what comes in (tc's \"police\" can)",
            row->name));
    }
    if (row->protected_) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s is protected: in twins it is not", row->name));
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s is protected (a Linux bridge has \"isolated\" ports)",
            row->name));
    }
    if (row->fake_bridge) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "the fake bridge %s: a plain port stands for it", row->name));
    }
}

/* Notes in 'like' what stands for 'row' in twins, of which all ports are
 * veth. */
static void
note_interface(struct fb_like *like, const struct ovsrec_port *row,
               const struct fb_like_port *port)
{
    static const char *const plain[] = {
        "", "system", "tap", "internal", "dpdk", "afxdp",
        "afxdp-nonpmd", "dummy", "dpdkvhostuser", "dpdkvhostuserclient"
    };
    size_t i = 0;

    while (i < ARRAY_SIZE(plain) && strcmp(plain[i], port->type)) {
        i++;
    }
    if (i >= ARRAY_SIZE(plain)) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s is of type %s: a plain interface stands for it",
            row->name, port->type));
        if (!strcmp(port->type, "patch")) {
            svec_add_nocopy(&like->lost, xasprintf(
                "port %s leads to another bridge by a patch (a veth pair can)",
                row->name));
        }
        note_tunnel(like, row->name, row->interfaces[0]);
    }
    if (row->n_interfaces > 1) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s is a bond of %"PRIuSIZE" interfaces: one stands for it",
            row->name, row->n_interfaces));
        svec_add_nocopy(&like->lost, xasprintf(
            "port %s is a bond (Linux has bond interfaces)", row->name));
    }
    note_services_of_port(like, row);
}

/* Adds what 'row' says to 'like'. */
static void
read_port(struct fb_like *like, const struct ovsrec_port *row)
{
    const struct ovsrec_interface *iface = row->interfaces[0];

    if (!iface->n_ofport || *iface->ofport <= 0) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "port %s does not work (%s)", row->name,
            iface->error ? iface->error : "no OpenFlow port number"));
        return;
    }
    struct fb_like_port *port = fb_like_add_port(
        like, row->name, iface->type[0] ? iface->type : "system");
    port->ofport = *iface->ofport;
    port->mtu = iface->n_mtu && *iface->mtu <= UINT16_MAX ? *iface->mtu : 0;
    read_vlans(like, row, port);
    read_qos(like, row->qos, port);
    note_interface(like, row, port);
}

/* Adds the names of the 'n' 'ports' to 'svec'. */
static void
add_names(struct svec *svec, struct ovsrec_port *const *ports, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        svec_add(svec, ports[i]->name);
    }
}

/* Adds the mirror 'row' to 'like'. */
static void
read_mirror(struct fb_like *like, const struct ovsrec_mirror *row)
{
    struct fb_like_mirror *mirror = fb_like_add_mirror(like, row->name);

    mirror->select_all = row->select_all;
    add_names(&mirror->from, row->select_src_port, row->n_select_src_port);
    add_names(&mirror->to, row->select_dst_port, row->n_select_dst_port);
    mirror->vlans = get_vlans(row->select_vlan, row->n_select_vlan);
    if (row->output_port) {
        mirror->output_port = xstrdup(row->output_port->name);
    }
    mirror->output_vlan = row->n_output_vlan ? *row->output_vlan : -1;
    if (!row->output_port) {
        svec_add_nocopy(&like->left_out, xasprintf(
            "mirror %s, which copies packets to a VLAN", row->name));
    }
    svec_add_nocopy(&like->lost, xasprintf(
        "mirror %s copies packets to %s%s (tc's \"mirred\" can, by port)",
        row->name, row->output_port ? "port " : "a VLAN",
        row->output_port ? row->output_port->name : ""));
}

/* Notes in 'like' which of the settings 'config' of the bridge twins do not
 * have. */
static void
note_config(struct fb_like *like, const struct smap *config)
{
    /* Names and addresses, of which twins have their own. */
    static const char *const own[] = {
        "hwaddr", "datapath-id", "dp-desc", "dp-sn"
    };
    const struct smap_node *node;

    SMAP_FOR_EACH (node, config) {
        bool known = fb_like_has_config(node->key);

        for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
            known |= !strcmp(own[i], node->key);
        }
        if (!known) {
            svec_add_nocopy(&like->left_out, xasprintf(
                "other_config:%s=%s", node->key, node->value));
        }
    }
}

/* Notes in 'like' what else 'row' asks for. */
static void
read_services(struct fb_like *like, const struct ovsrec_bridge *row)
{
    const struct {
        bool on;                /* Is it asked for? */
        const char *text;       /* What it is... */
        bool lost;              /* ...and do Linux bridges lack it? */
    } services[] = {
        { row->n_controller, "an OpenFlow controller", true },
        { row->netflow, "NetFlow", true },
        { row->sflow, "sFlow", true },
        { row->ipfix, "IPFIX", true },
        { row->stp_enable, "STP", false },
        { row->rstp_enable, "RSTP", true },
        { row->mcast_snooping_enable, "multicast snooping", false },
        { row->n_flood_vlans, "VLANs that do not learn", true },
        { row->auto_attach, "auto-attach", true },
        { row->n_flow_tables, "settings of flow tables (limits, eviction, "
          "prefixes)", false },
    };

    for (size_t i = 0; i < ARRAY_SIZE(services); i++) {
        if (services[i].on) {
            svec_add(&like->left_out, services[i].text);
            if (services[i].lost) {
                svec_add(&like->lost, services[i].text);
            }
        }
    }
}

/* Notes in 'like' for each port that has none yet an address that the bridge
 * has learned there, as 'text', what "fdb/show" prints, says. */
static void
read_fdb(struct fb_like *like, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        char *line = xmemdup0(text, n);
        unsigned int ofport, vlan;
        struct eth_addr mac;

        if (ovs_scan(line, "%u %u "ETH_ADDR_SCAN_FMT, &ofport, &vlan,
                     ETH_ADDR_SCAN_ARGS(mac))) {
            for (size_t i = 0; i < like->n_ports; i++) {
                struct fb_like_port *port = &like->ports[i];
                if (port->ofport == ofport && !port->has_address) {
                    port->has_address = true;
                    port->address = mac;
                }
            }
        }
        free(line);
        text += n + (text[n] != '\0');
    }
}

/* Runs "ovs-ofctl 'command' 'name'" and adds what it prints to 'svec', one
 * string from each line that begins with 'begin', after blanks, to the
 * next. */
static char *
read_ofctl(const struct fb_ovs_host *host, const char *name,
           const char *command, const char *begin, struct svec *svec)
{
    char *target = xasprintf("unix:%s/%s.mgmt", host->rundir, name);
    const char *const argv[] = { "ovs-ofctl", "--timeout=10", "-OOpenFlow15",
                                 command, target, NULL };
    struct ds output = DS_EMPTY_INITIALIZER;
    struct ds one = DS_EMPTY_INITIALIZER;
    char *save_ptr = NULL;

    char *error = fb_process_run(&(struct fb_process_spec) {
        .argv = argv, .netns_fd = -1 }, &output);
    for (char *line = strtok_r(ds_cstr(&output), "\n", &save_ptr);
         !error && line; line = strtok_r(NULL, "\n", &save_ptr)) {
        line += strspn(line, " ");
        if (!strncmp(line, begin, strlen(begin))) {
            if (one.length) {
                svec_add(svec, ds_cstr(&one));
            }
            ds_clear(&one);
            ds_put_cstr(&one, line);
        } else if (one.length) {
            ds_put_format(&one, " %s", line);
        }
    }
    if (one.length) {
        svec_add(svec, ds_cstr(&one));
    }
    ds_destroy(&one);
    ds_destroy(&output);
    free(target);
    return error;
}

/* Adds the OpenFlow rules, groups and meters of the bridge 'name' to
 * 'like'. */
static char *
read_rules(struct fb_like *like, const struct fb_ovs_host *host,
           const char *name)
{
    struct ofputil_flow_stats *rules;
    char *fdb = NULL;
    size_t n;

    int retval = fb_rules_read(host->rundir, name, &rules, &n);
    if (retval) {
        return xasprintf("%s: its OpenFlow rules cannot be read (%s)", name,
                         ovs_retval_to_string(retval));
    }
    char *error = NULL;
    if (n > FB_MAX_RULES) {
        error = xasprintf("%s: has %"PRIuSIZE" OpenFlow rules, more than the "
                          "%d of which a twin can be made", name, n,
                          FB_MAX_RULES);
    } else if (host->rpc) {
        error = fb_appctl(host->rpc, &fdb, "fdb/show", name, NULL);
        if (!error) {
            read_fdb(like, fdb);
        }
        free(fdb);
    }
    if (!error) {
        fb_like_add_rules(like, rules, n);
        error = read_ofctl(host, name, "dump-groups", "group_id=",
                           &like->groups);
    }
    if (!error) {
        error = read_ofctl(host, name, "dump-meters", "meter=",
                           &like->meters);
    }
    fb_rules_free(rules, n);
    return error;
}

/* Orders ports 'a_' and 'b_' by OpenFlow port number. */
static int
compare_ports(const void *a_, const void *b_)
{
    const struct fb_like_port *a = a_;
    const struct fb_like_port *b = b_;
    return a->ofport < b->ofport ? -1 : a->ofport > b->ofport;
}

/* Fills in 'like' from 'row'. */
static char *
read_bridge(struct fb_like *like, const struct fb_ovs_host *host,
            const struct ovsrec_bridge *row)
{
    like->kind = FB_LIKE_OVS;
    like->name = xstrdup(row->name);
    smap_destroy(&like->config);
    smap_clone(&like->config, &row->other_config);
    for (size_t i = 0; i < row->n_ports; i++) {
        /* The bridge's own port is in every bridge. */
        if (row->ports[i]->n_interfaces
            && strcmp(row->ports[i]->name, row->name)) {
            read_port(like, row->ports[i]);
        }
    }
    if (like->n_ports) {
        qsort(like->ports, like->n_ports, sizeof *like->ports, compare_ports);
    }
    for (size_t i = 0; i < row->n_mirrors; i++) {
        read_mirror(like, row->mirrors[i]);
    }
    read_services(like, row);
    note_config(like, &row->other_config);
    return read_rules(like, host, row->name);
}

/* Fills in 'like' from the bridge 'name' of the Open vSwitch whose database is
 * 'db', or the usual one if that is null, if it has one. */
char *
fb_like_read_ovs(struct fb_like *like, const char *name, const char *db,
                 bool *found)
{
    const struct ovsrec_bridge *row;
    struct fb_ovs_host host;
    char *error = NULL;

    *found = false;
    fb_ovs_host_open(&host, db);
    if (host.idl) {
        OVSREC_BRIDGE_FOR_EACH (row, host.idl) {
            if (!strcmp(row->name, name)) {
                *found = true;
                error = read_bridge(like, &host, row);
                break;
            }
        }
    } else if (db) {
        error = xasprintf("--db=%s: %s", db, host.idl_error);
    }
    fb_ovs_host_close(&host);
    return error;
}
