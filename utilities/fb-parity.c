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

#include "fb-parity.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-ethtool.h"
#include "fb-netns.h"
#include "fb-result.h"
#include "fb-rtnl.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* What an interface is for.  Those of one role are compared. */
enum role {
    ROLE_GEN,                   /* The generator's. */
    ROLE_SINK,                  /* A destination's. */
    ROLE_PORT,                  /* A switch port's. */
    N_ROLES
};

/* What the interfaces of each role are like, and whose the first was. */
struct reference {
    char *traits;               /* NULL until one was seen. */
    const char *dut;            /* Label of the first DUT with that role. */
};

/* Appends what rtnetlink says of 'ifindex' to 'ds'. */
static char *
describe_link(struct fb_rtnl *rtnl, int ifindex, struct ds *ds)
{
    struct fb_link_traits t;

    char *error = fb_rtnl_get_traits(rtnl, ifindex, &t);
    if (!error) {
        ds_put_format(ds, "kind %s, %s, MTU %"PRIu32", qdisc %s, "
                      "queue length %"PRIu32", %"PRIu32" TX and %"PRIu32" RX "
                      "queues, GSO size %"PRIu32", %s XDP program",
                      t.kind, t.up ? "up" : "down", t.mtu, t.qdisc,
                      t.tx_queue_len, t.n_tx_queues, t.n_rx_queues,
                      t.gso_max_size, t.xdp ? "an" : "no");
    }
    return error;
}

/* Compares 'ifindex' of 'dut' with the first interface seen with its role.
 * 'ethtool' may be null. */
static char *
check_link(const struct fb_dut *dut, struct fb_rtnl *rtnl,
           struct fb_ethtool *ethtool, int ifindex, struct reference *ref,
           struct fb_result *result)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    char *error = describe_link(rtnl, ifindex, &ds);
    if (!error && ethtool) {
        char *features;
        error = fb_ethtool_get_features(ethtool, ifindex, &features);
        if (!error) {
            ds_put_format(&ds, ", offloads: %s", features);
            free(features);
        }
    }
    if (!error && !ref->traits) {
        ref->traits = ds_steal_cstr(&ds);
        ref->dut = dut->label;
    } else if (!error && strcmp(ref->traits, ds_cstr(&ds))) {
        fb_result_add_finding(
            result, FB_VOID, "parity",
            "make them alike, or leave one of these DUTs out",
            "interfaces differ: %s has [%s], %s has [%s]",
            ref->dut, ref->traits, dut->label, ds_cstr(&ds));
    }
    ds_destroy(&ds);
    return error;
}

/* Compares the 'n' interfaces in 'ifindexes' of 'dut'. */
static char *
check_links(const struct fb_dut *dut, struct fb_rtnl *rtnl, int netns_fd,
            const int *ifindexes, size_t n, struct reference *ref,
            struct fb_result *result)
{
    struct fb_ethtool *ethtool;
    size_t n_findings = result->findings.n;

    char *error = fb_ethtool_open(netns_fd, &ethtool);
    if (error) {
        fb_result_add_finding(result, FB_WARNING, "offloads-unknown", NULL,
                              "%s: %s", dut->label, error);
        free(error);
        error = NULL;
    }
    /* One difference tells as much as a thousand. */
    for (size_t i = 0; i < n && !error && result->findings.n == n_findings;
         i++) {
        error = check_link(dut, rtnl, ethtool, ifindexes[i], ref, result);
    }
    fb_ethtool_close(ethtool);
    return error;
}

/* Finds out whether netfilter sees the frames that 'dut' forwards. */
static char *
check_netfilter(const struct fb_dut *dut, struct fb_result *result)
{
    bool on;

    char *error = fb_netns_get_br_netfilter(dut->near_fd, &on);
    if (!error && on && dut->kind == &fb_dut_linux_bridge) {
        fb_result_add_finding(
            result, FB_VOID, "br-netfilter",
            "sysctl net.bridge.bridge-nf-call-iptables=0",
            "%s: br_netfilter is on: iptables sees every frame of this "
            "bridge, and frames that it takes for invalid vanish",
            dut->label);
    }
    return error;
}

/* Reads back from the kernel what the interfaces of the 'n' 'duts' are like
 * and adds a finding to 'result' for each difference.
 *
 * Returns NULL if everything could be read, otherwise a malloc()'d error
 * message that names the DUT. */
char *
fb_parity_check(struct fb_dut *const duts[], size_t n,
                struct fb_result *result)
{
    struct reference refs[N_ROLES] = { { .traits = NULL } };
    char *error = NULL;

    for (size_t i = 0; !error && i < n; i++) {
        const struct fb_dut *dut = duts[i];
        error = check_links(dut, dut->far, dut->far_fd, &dut->gen, 1,
                            &refs[ROLE_GEN], result);
        if (!error) {
            error = check_links(dut, dut->sink_rtnl, dut->sink_fd, dut->sinks,
                                dut->n_sinks, &refs[ROLE_SINK], result);
        }
        if (!error) {
            error = check_links(dut, dut->near, dut->near_fd, dut->ports,
                                dut->n_ports, &refs[ROLE_PORT], result);
        }
        if (!error) {
            error = check_netfilter(dut, result);
        }
        if (error) {
            char *whole = xasprintf("%s: %s", dut->label, error);
            free(error);
            error = whole;
        }
    }
    for (int i = 0; i < N_ROLES; i++) {
        free(refs[i].traits);
    }
    return error;
}
