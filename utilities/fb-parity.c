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
#include <string.h>

#include "fb-dut.h"
#include "fb-knobs.h"
#include "fb-links.h"
#include "fb-netns.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "smap.h"
#include "svec.h"
#include "util.h"

/* What an interface, or a namespace, is for.  Those of one role are
 * compared. */
enum role {
    ROLE_GEN,                   /* The generator's. */
    ROLE_SINK,                  /* A destination's. */
    ROLE_PORT,                  /* A switch port's. */
    ROLE_NETNS,                 /* The namespace of the DUT. */
    N_ROLES
};

/* Kinds of DUT among which everything must be alike. */
enum family {
    FAMILY_KERNEL,              /* Frames come through the kernel's ordinary
                                 * receive path. */
    FAMILY_AFXDP,               /* An XDP program takes them off it. */
    N_FAMILIES
};

/* How the first of a role in a family that was seen is set. */
struct reference {
    struct smap knobs;
    const char *dut;            /* Whose it is: label, NULL if none was
                                 * seen. */
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

/* Is the knob 'name' another where a port, or the other end of its veth pair,
 * has an XDP program?  The kernel takes from that end what would make frames
 * too long for a program: segmentation offloads, but for those of tunnels.
 * The load has no frame that one would touch. */
static bool
goes_with_xdp(const char *name)
{
    static const char *const knobs[] = {
        FB_KNOB_XDP,
        FB_KNOB_OFFLOAD "tx-gso-list",
        FB_KNOB_OFFLOAD "tx-gso-partial",
        FB_KNOB_OFFLOAD "tx-sctp-segmentation",
        FB_KNOB_OFFLOAD "tx-tcp-accecn-segmentation",
        FB_KNOB_OFFLOAD "tx-tcp-ecn-segmentation",
        FB_KNOB_OFFLOAD "tx-tcp-mangleid-segmentation",
        FB_KNOB_OFFLOAD "tx-tcp-segmentation",
        FB_KNOB_OFFLOAD "tx-tcp6-segmentation",
        FB_KNOB_OFFLOAD "tx-udp-segmentation",
    };

    for (size_t i = 0; i < ARRAY_SIZE(knobs); i++) {
        if (!strcmp(name, knobs[i])) {
            return true;
        }
    }
    return false;
}

/* Appends the knobs of 'a' and 'b' that differ to 'ds', with both values; if
 * they are not of the same family, only those that must be alike even so.  A
 * knob that is missing is off. */
static void
list_differences(const struct smap *a, const struct smap *b, bool same_family,
                 struct ds *ds)
{
    struct svec names = SVEC_EMPTY_INITIALIZER;
    const struct smap_node *node;
    const char *name;
    size_t i;

    SMAP_FOR_EACH (node, a) {
        svec_add(&names, node->key);
    }
    SMAP_FOR_EACH (node, b) {
        svec_add(&names, node->key);
    }
    svec_sort_unique(&names);
    SVEC_FOR_EACH (i, name, &names) {
        const char *x = smap_get_def(a, name, "off");
        const char *y = smap_get_def(b, name, "off");

        if (strcmp(x, y) && strcmp(name, FB_KNOB_NAME)
            && (same_family || !goes_with_xdp(name))) {
            ds_put_format(ds, "%s%s %s and %s", ds->length ? "; " : "", name,
                          x, y);
        }
    }
    svec_destroy(&names);
}

/* Adds a finding to 'result' if 'knobs' of 'dut' are not those of 'ref', which
 * is of the same family or not. */
static void
compare(const struct fb_dut *dut, const struct smap *knobs,
        const struct reference *ref, bool same_family,
        struct fb_result *result)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    list_differences(&ref->knobs, knobs, same_family, &ds);
    if (ds.length) {
        fb_result_add_finding(
            result, FB_VOID, "parity",
            "make them alike, or leave one of these DUTs out",
            "%s of %s and %s of %s differ: %s",
            smap_get_def(&ref->knobs, FB_KNOB_NAME, "the namespace"),
            ref->dut, smap_get_def(knobs, FB_KNOB_NAME, "the namespace"),
            dut->label, ds_cstr(&ds));
    }
    ds_destroy(&ds);
}

/* Compares 'knobs' of 'dut', of something that serves as 'role', with the
 * first seen of that role, which they become if there was none in the family
 * of 'dut'. */
static void
check_knobs(const struct fb_dut *dut, const struct smap *knobs, enum role role,
            struct references *references, struct fb_result *result)
{
    enum family family = get_family(dut);
    struct reference *ref = &references->refs[family][role];
    struct reference *other = &references->refs[!family][role];

    if (ref->dut) {
        compare(dut, knobs, ref, true, result);
    } else {
        smap_clone(&ref->knobs, knobs);
        ref->dut = dut->label;
        if (other->dut) {
            compare(dut, knobs, other, false, result);
        }
    }
}

/* Compares the 'n' interfaces in 'ifindexes' of 'dut'. */
static char *
check_links(const struct fb_dut *dut, struct fb_rtnl *rtnl, int netns_fd,
            const int *ifindexes, size_t n, enum role role,
            struct references *references, struct fb_result *result)
{
    struct smap *knobs = xcalloc(n, sizeof *knobs);
    size_t n_findings;
    char *unknown;

    for (size_t i = 0; i < n; i++) {
        smap_init(&knobs[i]);
    }
    char *error = fb_knobs_of_interfaces(rtnl, netns_fd, ifindexes, n, knobs,
                                         &unknown);
    if (unknown) {
        fb_result_add_finding(result, FB_WARNING, "knobs-unknown", NULL,
                              "whether interfaces are alike is not known in "
                              "all respects: %s", unknown);
        free(unknown);
    }
    /* One difference tells as much as a thousand. */
    n_findings = result->findings.n;
    for (size_t i = 0; i < n && !error && result->findings.n == n_findings;
         i++) {
        /* Ports of a twin may differ from each other. */
        check_knobs(dut, &knobs[i], role, &references[dut->like ? i : 0],
                    result);
    }
    for (size_t i = 0; i < n; i++) {
        smap_destroy(&knobs[i]);
    }
    free(knobs);
    return error;
}

/* Compares the namespace of 'dut', if it has a switch in it. */
static char *
check_netns(const struct fb_dut *dut, struct references *references,
            struct fb_result *result)
{
    struct smap knobs = SMAP_INITIALIZER(&knobs);

    if (!dut->n_ports) {
        return NULL;
    }
    char *error = fb_knobs_of_netns(dut->near_fd, &knobs);
    if (!error) {
        check_knobs(dut, &knobs, ROLE_NETNS, references, result);
    }
    smap_destroy(&knobs);
    return error;
}

/* Stores in '*bridge' the name of a Linux bridge in the namespace of 'dut' for
 * which netfilter is on by itself, or NULL; the caller must free() it. */
static char *
find_nf_call(const struct fb_dut *dut, char **bridge)
{
    struct fb_links links;

    *bridge = NULL;
    char *error = fb_links_read(dut->near, &links);
    for (size_t i = 0; !error && i < links.n && !*bridge; i++) {
        const struct fb_link *link = &links.links[i];

        if (!strcmp(link->kind, "bridge") && link->bridge.nf_call) {
            *bridge = xstrdup(link->name);
        }
    }
    fb_links_destroy(&links);
    return error;
}

/* Finds out whether netfilter sees the frames that 'dut' forwards: for all
 * bridges of its namespace, or for one. */
static char *
check_netfilter(const struct fb_dut *dut, struct fb_result *result)
{
    bool loaded, on;
    char *bridge = NULL;

    if (dut->kind != &fb_dut_linux_bridge) {
        return NULL;
    }
    char *error = fb_netns_get_br_netfilter(dut->near_fd, &loaded, &on);
    if (!error && loaded && !on) {
        error = find_nf_call(dut, &bridge);
    }
    if (!error && (on || bridge)) {
        char *fix = (on
                     ? xstrdup("sysctl net.bridge.bridge-nf-call-iptables=0")
                     : xasprintf("ip link set %s type bridge nf_call_iptables "
                                 "0 nf_call_ip6tables 0", bridge));
        fb_result_add_finding(
            result, FB_VOID, "br-netfilter", fix,
            "%s: br_netfilter is on: iptables sees every frame of this "
            "bridge, and frames that it takes for invalid vanish",
            dut->label);
        free(fix);
    }
    free(bridge);
    return error;
}

/* Makes 'references' empty ones. */
static void
init_references(struct references *references)
{
    for (int i = 0; i < N_FAMILIES; i++) {
        for (int j = 0; j < N_ROLES; j++) {
            smap_init(&references->refs[i][j].knobs);
            references->refs[i][j].dut = NULL;
        }
    }
}

/* Frees what 'references' holds. */
static void
destroy_references(struct references *references)
{
    for (int i = 0; i < N_FAMILIES; i++) {
        for (int j = 0; j < N_ROLES; j++) {
            smap_destroy(&references->refs[i][j].knobs);
        }
    }
}

/* Reads back from the kernel how the interfaces of the 'n' 'duts' are set,
 * knob by knob, and their namespaces, and adds a finding to 'result' for each
 * difference.
 *
 * Returns NULL if everything could be read, otherwise a malloc()'d error
 * message that names the DUT. */
char *
fb_parity_check(struct fb_dut *const duts[], size_t n,
                struct fb_result *result)
{
    size_t n_references = n ? duts[0]->n_destinations + 1 : 0;
    struct references *references = xcalloc(n_references, sizeof *references);
    char *error = NULL;

    for (size_t i = 0; i < n_references; i++) {
        init_references(&references[i]);
    }
    for (size_t i = 0; !error && i < n; i++) {
        const struct fb_dut *dut = duts[i];
        error = check_links(dut, dut->far, dut->far_fd, &dut->gen, 1,
                            ROLE_GEN, references, result);
        if (!error) {
            error = check_links(dut, dut->sink_rtnl, dut->sink_fd, dut->sinks,
                                dut->n_sinks, ROLE_SINK, references, result);
        }
        if (!error) {
            error = check_links(dut, dut->near, dut->near_fd, dut->ports,
                                dut->n_ports - (dut->uplink != NULL),
                                ROLE_PORT, references, result);
        }
        if (!error) {
            error = check_netns(dut, references, result);
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
    for (size_t i = 0; i < n_references; i++) {
        destroy_references(&references[i]);
    }
    free(references);
    return error;
}
