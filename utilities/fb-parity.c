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

#include <linux/if_link.h>
#include <stdlib.h>
#include <string.h>

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

/* Kinds of DUT among which everything must be alike. */
enum family {
    FAMILY_KERNEL,              /* Frames come through the kernel's ordinary
                                 * receive path. */
    FAMILY_AFXDP,               /* An XDP program takes them off it. */
    N_FAMILIES
};

/* What the interfaces of a role are like in a family, and whose the first
 * was. */
struct reference {
    char *traits;               /* All of it; NULL until one was seen... */
    char *common;               /* ...and what families must have in common. */
    const char *dut;            /* Label of the first DUT with that role. */
};

/* References by family and role. */
struct references {
    struct reference refs[N_FAMILIES][N_ROLES];
};

/* Returns the family of 'dut'. */
static enum family
get_family(const struct fb_dut *dut)
{
    return fb_dut_has_ports(dut->kind, "afxdp") ? FAMILY_AFXDP : FAMILY_KERNEL;
}

/* Returns a name for 'xdp', XDP_ATTACHED_*. */
static const char *
xdp_to_string(uint8_t xdp)
{
    return (xdp == XDP_ATTACHED_NONE ? "no XDP program"
            : xdp == XDP_ATTACHED_DRV ? "an XDP program in native mode"
            : xdp == XDP_ATTACHED_SKB ? "an XDP program in generic mode"
            : "an XDP program");
}

/* Returns those of the offloads in 'features' that an interface keeps when the
 * other end of its veth pair gets an XDP program.  The kernel takes from it
 * what would make frames too long for a program: segmentation offloads, but
 * for those of tunnels.  The load has no frame that one would touch.  The
 * caller must free it. */
static char *
without_segmentation(const char *features)
{
    static const char *const taken[] = {
        "tx-gso-list", "tx-gso-partial", "tx-sctp-segmentation",
        "tx-tcp-accecn-segmentation", "tx-tcp-ecn-segmentation",
        "tx-tcp-mangleid-segmentation", "tx-tcp-segmentation",
        "tx-tcp6-segmentation", "tx-udp-segmentation",
    };
    struct ds ds = DS_EMPTY_INITIALIZER;
    char *copy = xstrdup(features);
    char *save_ptr = NULL;

    for (char *name = strtok_r(copy, " ", &save_ptr); name;
         name = strtok_r(NULL, " ", &save_ptr)) {
        size_t i = 0;
        while (i < ARRAY_SIZE(taken) && strcmp(name, taken[i])) {
            i++;
        }
        if (i >= ARRAY_SIZE(taken)) {
            ds_put_format(&ds, " %s", name);
        }
    }
    free(copy);
    return ds_steal_cstr(&ds);
}

/* Stores in '*ref' what the interface 'ifindex' is like.  'ethtool' may be
 * null. */
static char *
describe(struct fb_rtnl *rtnl, struct fb_ethtool *ethtool, int ifindex,
         struct reference *ref)
{
    struct fb_link_traits t;
    char *features = NULL;

    char *error = fb_rtnl_get_traits(rtnl, ifindex, &t);
    if (!error && ethtool) {
        error = fb_ethtool_get_features(ethtool, ifindex, &features);
    }
    if (!error) {
        char *basic = xasprintf(
            "kind %s, %s, MTU %"PRIu32", qdisc %s, queue length %"PRIu32", "
            "%"PRIu32" TX and %"PRIu32" RX queues, GSO size %"PRIu32,
            t.kind, t.up ? "up" : "down", t.mtu, t.qdisc, t.tx_queue_len,
            t.n_tx_queues, t.n_rx_queues, t.gso_max_size);
        char *kept = without_segmentation(features ? features : "");

        ref->common = xasprintf("%s, offloads:%s", basic, kept);
        ref->traits = xasprintf("%s, %s, offloads: %s", basic,
                                xdp_to_string(t.xdp),
                                features ? features : "unknown");
        free(kept);
        free(basic);
    }
    free(features);
    return error;
}

/* Frees what 'ref' holds. */
static void
destroy_reference(struct reference *ref)
{
    free(ref->traits);
    free(ref->common);
}

/* Adds a finding to 'result': the interfaces of 'a' and 'b' differ. */
static void
add_difference(struct fb_result *result, const struct reference *a,
               const struct reference *b)
{
    fb_result_add_finding(
        result, FB_VOID, "parity",
        "make them alike, or leave one of these DUTs out",
        "interfaces differ: %s has [%s], %s has [%s]",
        a->dut, a->traits, b->dut, b->traits);
}

/* Compares 'ifindex' of 'dut', which serves as 'role', with the first
 * interfaces seen with it.  'ethtool' may be null. */
static char *
check_link(const struct fb_dut *dut, struct fb_rtnl *rtnl,
           struct fb_ethtool *ethtool, int ifindex, enum role role,
           struct references *references, struct fb_result *result)
{
    enum family family = get_family(dut);
    struct reference *ref = &references->refs[family][role];
    struct reference *other = &references->refs[!family][role];
    struct reference mine = { .dut = dut->label };

    char *error = describe(rtnl, ethtool, ifindex, &mine);
    if (error) {
        return error;
    } else if (ref->traits) {
        if (strcmp(ref->traits, mine.traits)) {
            add_difference(result, ref, &mine);
        }
        destroy_reference(&mine);
        return NULL;
    }
    if (other->traits && strcmp(other->common, mine.common)) {
        add_difference(result, other, &mine);
    }
    *ref = mine;
    return NULL;
}

/* Compares the 'n' interfaces in 'ifindexes' of 'dut'. */
static char *
check_links(const struct fb_dut *dut, struct fb_rtnl *rtnl, int netns_fd,
            const int *ifindexes, size_t n, enum role role,
            struct references *references, struct fb_result *result)
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
        error = check_link(dut, rtnl, ethtool, ifindexes[i], role, references,
                           result);
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
    struct references references = { { { { .traits = NULL } } } };
    char *error = NULL;

    for (size_t i = 0; !error && i < n; i++) {
        const struct fb_dut *dut = duts[i];
        error = check_links(dut, dut->far, dut->far_fd, &dut->gen, 1,
                            ROLE_GEN, &references, result);
        if (!error) {
            error = check_links(dut, dut->sink_rtnl, dut->sink_fd, dut->sinks,
                                dut->n_sinks, ROLE_SINK, &references, result);
        }
        if (!error) {
            error = check_links(dut, dut->near, dut->near_fd, dut->ports,
                                dut->n_ports, ROLE_PORT, &references, result);
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
    for (int i = 0; i < N_FAMILIES; i++) {
        for (int j = 0; j < N_ROLES; j++) {
            destroy_reference(&references.refs[i][j]);
        }
    }
    return error;
}
