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

#include "fb-dut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-address.h"
#include "fb-appctl.h"
#include "fb-guest-init.h"
#include "fb-host-bridge.h"
#include "fb-pmd.h"
#include "fb-masks.h"
#include "fb-sandbox.h"
#include "fb-twin.h"
#include "openvswitch/dynamic-string.h"
#include "packets.h"
#include "svec.h"
#include "util.h"

/* Creates the bridge with all ports in one transaction.  Port 'i' of 'dut' has
 * OpenFlow port number 'i' + 1. */
static char *
add_bridge(struct fb_dut *dut)
{
    struct svec args = SVEC_EMPTY_INITIALIZER;

    svec_add(&args, "ovs-vsctl");
    svec_add(&args, "--timeout=60");
    fb_pmd_add_setup(dut, &args);
    svec_add(&args, "--");
    svec_add(&args, "add-br");
    svec_add(&args, dut->bridge);
    svec_add(&args, "--");
    svec_add(&args, "set");
    svec_add(&args, "bridge");
    svec_add(&args, dut->bridge);
    svec_add_nocopy(&args, xasprintf("datapath_type=%s",
                                     dut->kind->datapath_type));
    svec_add(&args, "fail_mode=secure");
    if (dut->host) {
        svec_add_nocopy(&args, xasprintf("external_ids:"FB_HOST_BRIDGE_ID"=%s",
                                         dut->host->prefix));
    }
    for (size_t i = 0; i < dut->n_ports; i++) {
        char *port = fb_dut_port_name(dut, i);
        svec_add(&args, "--");
        svec_add(&args, "add-port");
        svec_add(&args, dut->bridge);
        svec_add(&args, port);
        svec_add(&args, "--");
        svec_add(&args, "set");
        svec_add(&args, "interface");
        svec_add(&args, port);
        svec_add_nocopy(&args, xasprintf("ofport_request=%"PRIuSIZE, i + 1));
        fb_pmd_add_port(dut, i, &args);
        free(port);
    }
    svec_terminate(&args);
    char *error = fb_sandbox_run(dut->sandbox,
                                 (const char *const *) args.names, NULL,
                                 NULL);
    svec_destroy(&args);
    return error;
}

/* Adds one rule for each destination address, the equal of a static FDB
 * entry. */
static char *
add_rules(struct fb_dut *dut)
{
    struct ds rules = DS_EMPTY_INITIALIZER;
    int table = dut->n_masks ? fb_masks_put_rules(&rules) : 0;

    for (size_t i = !(dut->two_way || dut->answers);
         i <= dut->n_destinations; i++) {
        ds_put_format(&rules, "table=%d,dl_dst="ETH_ADDR_FMT","
                      "actions=output:%"PRIuSIZE"\n", table,
                      ETH_ADDR_ARGS(fb_address_destination_mac(i)), i + 1);
    }
    if (dut->flood) {
        ds_put_format(&rules, "table=%d,dl_dst=ff:ff:ff:ff:ff:ff,"
                      "actions=FLOOD\n", table);
    }
    char *error = fb_sandbox_ofctl(dut->sandbox, "add-flows", dut->bridge,
                                   ds_cstr(&rules));
    ds_destroy(&rules);
    return error;
}

/* Has every packet of 'dut' look for its megaflow's mask: no cache knows
 * it. */
static char *
forget_masks(struct fb_dut *dut)
{
    static const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "set", "Open_vSwitch", ".",
        "other_config:emc-insert-inv-prob=0", NULL
    };

    if (!strcmp(dut->kind->datapath_type, "system")) {
        /* Kernels and Open vSwitches that cannot do without that cache find
         * nothing in it: it goes by a hash of the packet that is the same for
         * all of a destination's. */
        free(fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL,
                       "dpctl/cache-set-size", "system@ovs-system",
                       "masks-cache", "0", NULL));
        return NULL;
    }
    return fb_sandbox_run(dut->sandbox, argv, NULL, NULL);
}

/* Starts an Open vSwitch for 'dut' and makes a bridge of its ports. */
static char *
attach(struct fb_dut *dut, const struct fb_ovs_programs *programs)
{
    char *error = NULL;

    if (!dut->host) {
        fb_guest_wait_handlers_bug();
        error = fb_sandbox_start(dut->dir, dut->near_fd, programs,
                                 &dut->sandbox);
    }
    dut->management = xasprintf("%s/%s.mgmt",
                                dut->host ? dut->host->rundir : dut->dir,
                                dut->bridge);
    if (!error) {
        error = dut->like ? fb_twin_attach_ovs(dut) : add_bridge(dut);
    }
    if (!error) {
        error = fb_pmd_check_ports(dut);
    }
    if (!error && !dut->like) {
        error = add_rules(dut);
    }
    if (!error && dut->churn) {
        /* A new flow is to be new to the datapath. */
        error = fb_appctl(fb_sandbox_rpc(dut->sandbox), NULL,
                          "upcall/disable-megaflows", NULL);
    }
    if (!error && dut->n_masks) {
        error = forget_masks(dut);
    }
    return error;
}

const struct fb_dut_kind fb_dut_ovs_kernel = {
    .name = "ovs-kernel",
    .description = "Open vSwitch, kernel datapath",
    .datapath_type = "system",
    .attach = attach,
};

const struct fb_dut_kind fb_dut_ovs_userspace = {
    .name = "ovs-userspace",
    .description = "Open vSwitch, userspace datapath, veth ports served by "
                   "the main thread",
    .datapath_type = "netdev",
    .queues = true,
    .attach = attach,
};

const struct fb_dut_kind fb_dut_ovs_afxdp = {
    .name = "ovs-userspace-afxdp",
    .description = "Open vSwitch, userspace datapath, AF_XDP ports polled by "
                   "a PMD thread",
    .datapath_type = "netdev",
    .port_type = "afxdp",
    .queues = true,
    .attach = attach,
};

const struct fb_dut_kind fb_dut_ovs_dpdk = {
    .name = "ovs-userspace-dpdk",
    .description = "Open vSwitch, userspace datapath, DPDK ports (af_packet) "
                   "polled by a PMD thread",
    .datapath_type = "netdev",
    .port_type = "dpdk",
    .queues = true,
    .attach = attach,
};
