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

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "fb-address.h"
#include "fb-appctl.h"
#include "fb-dut.h"
#include "fb-like.h"
#include "fb-pmd.h"
#include "fb-sandbox.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "packets.h"
#include "svec.h"
#include "util.h"

/* Adds "COLUMN:KEY=VALUE" to 'args' for each pair in 'smap'. */
static void
add_smap(struct svec *args, const char *column, const struct smap *smap)
{
    const struct smap_node *node;

    SMAP_FOR_EACH (node, smap) {
        struct ds ds = DS_EMPTY_INITIALIZER;

        ds_put_format(&ds, "%s:", column);
        json_string_escape(node->key, &ds);
        ds_put_char(&ds, '=');
        json_string_escape(node->value, &ds);
        svec_add_nocopy(args, ds_steal_cstr(&ds));
    }
}

/* Adds "COLUMN=VLAN,VLAN..." to 'args' for 'vlans', unless those are all. */
static void
add_vlans(struct svec *args, const char *column, const unsigned long *vlans)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    size_t i;

    if (vlans) {
        BITMAP_FOR_EACH_1 (i, FB_N_VLANS, vlans) {
            ds_put_format(&ds, "%s%"PRIuSIZE, ds.length ? "," : "", i);
        }
        svec_add_nocopy(args, xasprintf("%s=[%s]", column, ds_cstr(&ds)));
        ds_destroy(&ds);
    }
}

/* Adds the quality of service of port 'i', which is 'port', to 'args'. */
static void
add_qos(struct svec *args, size_t i, const struct fb_like_port *port)
{
    const struct fb_like_qos *qos = port->qos;

    svec_add_nocopy(args, xasprintf("qos=@q%"PRIuSIZE, i));
    svec_add(args, "--");
    svec_add_nocopy(args, xasprintf("--id=@q%"PRIuSIZE, i));
    svec_add(args, "create");
    svec_add(args, "qos");
    svec_add_nocopy(args, xasprintf("type=%s", qos->type));
    add_smap(args, "other_config", &qos->config);
    for (size_t j = 0; j < qos->n_queues; j++) {
        svec_add_nocopy(args, xasprintf("queues:%u=@q%"PRIuSIZE"x%u",
                                        qos->queues[j].id, i,
                                        qos->queues[j].id));
    }
    for (size_t j = 0; j < qos->n_queues; j++) {
        svec_add(args, "--");
        svec_add_nocopy(args, xasprintf("--id=@q%"PRIuSIZE"x%u", i,
                                        qos->queues[j].id));
        svec_add(args, "create");
        svec_add(args, "queue");
        add_smap(args, "other_config", &qos->queues[j].config);
    }
}

/* Adds port 'i' of 'dut', which is 'port', to 'args'. */
static void
add_port(const struct fb_dut *dut, struct svec *args, size_t i,
         const struct fb_like_port *port)
{
    char *name = xasprintf("fb-port%"PRIuSIZE, i);

    svec_add(args, "--");
    svec_add(args, "add-port");
    svec_add(args, FB_DUT_BRIDGE);
    svec_add(args, name);
    svec_add(args, "--");
    svec_add(args, "set");
    svec_add(args, "interface");
    svec_add(args, name);
    svec_add_nocopy(args, xasprintf("ofport_request=%u", port->ofport));
    fb_pmd_add_port(dut, i, args);
    svec_add(args, "--");
    svec_add(args, "set");
    svec_add(args, "port");
    svec_add(args, name);
    svec_add_nocopy(args, xasprintf("vlan_mode=%s",
                                    fb_vlan_mode_name(port->vlan_mode)));
    if (port->vlan_mode != FB_VLAN_TRUNK) {
        svec_add_nocopy(args, xasprintf("tag=%u", port->tag));
    }
    if (port->vlan_mode != FB_VLAN_ACCESS) {
        add_vlans(args, "trunks", port->trunks);
    }
    if (port->qos) {
        add_qos(args, i, port);
    }
    free(name);
}

/* Runs "ovs-vsctl 'args'" in the sandbox of 'dut', and destroys 'args'. */
static char *
run_vsctl(struct fb_dut *dut, struct svec *args)
{
    svec_terminate(args);
    char *error = fb_sandbox_run(dut->sandbox,
                                 (const char *const *) args->names, NULL,
                                 NULL);
    svec_destroy(args);
    return error;
}

/* Creates the bridge with all ports. */
static char *
add_bridge(struct fb_dut *dut)
{
    const struct fb_like *like = dut->like;
    struct svec args = SVEC_EMPTY_INITIALIZER;
    const struct smap_node *node;

    svec_add(&args, "ovs-vsctl");
    svec_add(&args, "--timeout=60");
    fb_pmd_add_setup(dut, &args);
    svec_add(&args, "--");
    svec_add(&args, "add-br");
    svec_add(&args, FB_DUT_BRIDGE);
    svec_add(&args, "--");
    svec_add(&args, "set");
    svec_add(&args, "bridge");
    svec_add(&args, FB_DUT_BRIDGE);
    svec_add_nocopy(&args, xasprintf("datapath_type=%s",
                                     dut->kind->datapath_type));
    svec_add(&args, "fail_mode=secure");
    SMAP_FOR_EACH (node, &like->config) {
        if (fb_like_has_config(node->key)) {
            svec_add_nocopy(&args, xasprintf("other_config:%s=%s", node->key,
                                             node->value));
        }
    }
    for (size_t i = 0; i < like->n_ports; i++) {
        add_port(dut, &args, i, &like->ports[i]);
    }
    return run_vsctl(dut, &args);
}

/* Adds to 'args' that the mirror's 'column' holds the ports 'names'. */
static void
add_mirror_ports(struct svec *args, const struct fb_like *like,
                 const char *column, const struct svec *names)
{
    for (size_t i = 0; i < names->n; i++) {
        const struct fb_like_port *port = fb_like_find_port(like,
                                                            names->names[i]);
        if (port) {
            svec_add_nocopy(args, xasprintf("%s=@p%"PRIuSIZE, column,
                                            (size_t) (port - like->ports)));
        }
    }
}

/* Adds 'mirror' to the bridge of 'dut'. */
static char *
add_mirror(struct fb_dut *dut, const struct fb_like_mirror *mirror)
{
    const struct fb_like *like = dut->like;
    struct svec args = SVEC_EMPTY_INITIALIZER;
    const struct fb_like_port *output = (
        mirror->output_port ? fb_like_find_port(like, mirror->output_port)
        : NULL);

    if (!output) {
        return NULL;            /* Copies to a VLAN are left out. */
    }
    svec_add(&args, "ovs-vsctl");
    svec_add(&args, "--timeout=60");
    for (size_t i = 0; i < like->n_ports; i++) {
        svec_add(&args, "--");
        svec_add_nocopy(&args, xasprintf("--id=@p%"PRIuSIZE, i));
        svec_add(&args, "get");
        svec_add(&args, "port");
        svec_add_nocopy(&args, xasprintf("fb-port%"PRIuSIZE, i));
    }
    svec_add(&args, "--");
    svec_add(&args, "--id=@m");
    svec_add(&args, "create");
    svec_add(&args, "mirror");
    svec_add_nocopy(&args, xasprintf("name=\"%s\"", mirror->name));
    svec_add_nocopy(&args, xasprintf("select_all=%s",
                                     mirror->select_all ? "true" : "false"));
    add_mirror_ports(&args, like, "select_src_port", &mirror->from);
    add_mirror_ports(&args, like, "select_dst_port", &mirror->to);
    add_vlans(&args, "select_vlan", mirror->vlans);
    svec_add_nocopy(&args, xasprintf("output_port=@p%"PRIuSIZE,
                                     (size_t) (output - like->ports)));
    svec_add(&args, "--");
    svec_add(&args, "add");
    svec_add(&args, "bridge");
    svec_add(&args, FB_DUT_BRIDGE);
    svec_add(&args, "mirrors");
    svec_add(&args, "@m");
    return run_vsctl(dut, &args);
}

/* Appends 'rule' to 'ds', with the load's addresses in place of those that
 * live behind the ports that it passes. */
static void
put_rule(const struct fb_dut *dut, const char *rule, struct ds *ds)
{
    const struct fb_like *like = dut->like;

    while (*rule) {
        struct eth_addr mac;
        int n = 0;

        if (!ovs_scan(rule, ETH_ADDR_SCAN_FMT"%n", ETH_ADDR_SCAN_ARGS(mac),
                      &n)) {
            ds_put_char(ds, *rule++);
            continue;
        }
        for (size_t i = 0; i <= like->n_destinations; i++) {
            const struct fb_like_port *port = &like->ports[i];
            if (port->has_address && eth_addr_equals(port->address, mac)) {
                mac = (i ? fb_address_destination_mac(i)
                       : fb_address_endpoint_mac(0));
                break;
            }
        }
        ds_put_format(ds, ETH_ADDR_FMT, ETH_ADDR_ARGS(mac));
        rule += n;
    }
    ds_put_char(ds, '\n');
}

/* Runs "ovs-ofctl 'command'" with 'strings' as the lines of its input, unless
 * there is none. */
static char *
add_openflow(struct fb_dut *dut, const char *command,
             const struct svec *strings)
{
    struct ds input = DS_EMPTY_INITIALIZER;

    if (!strings->n) {
        return NULL;
    }
    for (size_t i = 0; i < strings->n; i++) {
        put_rule(dut, strings->names[i], &input);
    }
    char *error = fb_sandbox_ofctl(dut->sandbox, command, FB_DUT_BRIDGE,
                                   ds_cstr(&input));
    ds_destroy(&input);
    return error;
}

/* Adds meters, groups and rules, in this order: each may name those
 * before. */
static char *
add_rules(struct fb_dut *dut)
{
    const struct fb_like *like = dut->like;
    char *error = NULL;

    if (like->kind == FB_LIKE_LINUX) {
        return fb_sandbox_ofctl(dut->sandbox, "add-flows", FB_DUT_BRIDGE,
                                "actions=NORMAL\n");
    }
    for (size_t i = 0; !error && i < like->meters.n; i++) {
        const char *const argv[] = {
            "ovs-ofctl", "--timeout=60", "-OOpenFlow13", "add-meter",
            FB_DUT_BRIDGE, like->meters.names[i], NULL
        };
        error = fb_sandbox_run(dut->sandbox, argv, NULL, NULL);
    }
    if (!error) {
        error = add_openflow(dut, "add-groups", &like->groups);
    }
    return error ? error : add_openflow(dut, "add-flows", &like->rules);
}

/* Lets the bridge know where the load's destinations are, as if it had learned
 * it, but for good. */
static char *
add_addresses(struct fb_dut *dut)
{
    char *vlan = xasprintf("%u", dut->like->vlan);
    char *error = NULL;

    for (size_t i = 1; !error && i <= dut->like->n_destinations; i++) {
        char *port = xasprintf("fb-port%"PRIuSIZE, i);
        char *mac = xasprintf(
            ETH_ADDR_FMT, ETH_ADDR_ARGS(fb_address_destination_mac(i)));

        error = fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL, "fdb/add",
                          FB_DUT_BRIDGE, port, vlan, mac, NULL);
        free(port);
        free(mac);
    }
    free(vlan);
    return error;
}

/* Makes a bridge of the ports of 'dut', whose Open vSwitch runs. */
char *
fb_twin_attach_ovs(struct fb_dut *dut)
{
    char *error = add_bridge(dut);
    for (size_t i = 0; !error && i < dut->like->n_mirrors; i++) {
        error = add_mirror(dut, &dut->like->mirrors[i]);
    }
    if (!error) {
        error = add_rules(dut);
    }
    return error ? error : add_addresses(dut);
}
