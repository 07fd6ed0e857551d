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

#include "fb-dut-build.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "fb-address.h"
#include "fb-backend.h"
#include "fb-dut.h"
#include "fb-frames.h"
#include "fb-generator.h"
#include "fb-host-bridge.h"
#include "fb-ipstat.h"
#include "fb-load.h"
#include "fb-marks.h"
#include "fb-mirror.h"
#include "fb-netns.h"
#include "fb-rtnl.h"
#include "fb-sandbox.h"
#include "fb-tcp.h"
#include "fb-twin.h"
#include "fb-uplink.h"
#include "util.h"

/* What names of ports, in namespaces of our own, begin with. */
#define PORT_NAME "fb-port"

/* Adds the veth pair between the generator or sink 'far_name' in the namespace
 * of 'far' and 'near_name' in the DUT's; or in the far one, too, if 'loop'. */
static char *
add_pair(struct fb_dut *dut, struct fb_rtnl *far,
         const char *far_name, struct eth_addr far_mac,
         const char *near_name, struct eth_addr near_mac, bool loop,
         int *far_ifindex, int *near_ifindex)
{
    struct fb_rtnl *near = loop ? far : dut->near;
    char *error = fb_rtnl_add_veth(
        far, &(struct fb_veth_end) { far_name, far_mac },
        &(struct fb_veth_end) { near_name, near_mac },
        loop ? dut->far_fd : dut->near_fd);
    if (!error) {
        error = fb_rtnl_get_ifindex(far, far_name, far_ifindex);
    }
    if (!error) {
        error = fb_rtnl_get_ifindex(near, near_name, near_ifindex);
    }
    if (!error && dut->host && !loop) {
        error = fb_netns_disable_ipv6(dut->near_fd, near_name);
    }
    if (!error) {
        error = fb_rtnl_set_up(near, *near_ifindex);
    }
    if (!error) {
        error = fb_rtnl_set_up(far, *far_ifindex);
    }
    return error;
}

/* Returns the Ethernet address of the interface of 'endpoint': 0 is the
 * generator, others are the sinks. */
static struct eth_addr
endpoint_mac(const struct fb_dut *dut, size_t endpoint)
{
    return (dut->answers ? fb_address_destination_mac(endpoint)
            : fb_address_endpoint_mac(endpoint));
}

/* Adds the interfaces of a wire: the sink is the other end of the pair. */
static char *
add_wire(struct fb_dut *dut)
{
    dut->n_sinks = 1;
    dut->sink_rtnl = dut->two_way ? dut->far : dut->near;
    dut->sink_fd = dut->two_way ? dut->far_fd : dut->near_fd;
    return add_pair(dut, dut->far, FB_GEN_NAME, endpoint_mac(dut, 0),
                    FB_SINK_NAME "1", endpoint_mac(dut, 1), dut->two_way,
                    &dut->gen, &dut->sinks[0]);
}

/* Makes the namespace of the sinks of a switch, the far one unless they
 * answer. */
static char *
make_sink_namespace(struct fb_dut *dut)
{
    if (!dut->answers) {
        dut->sink_rtnl = dut->far;
        dut->sink_fd = dut->far_fd;
        return NULL;
    }
    char *error = fb_netns_create(&dut->sink_fd);
    return error ? error : fb_rtnl_open(dut->sink_fd, &dut->sink_rtnl);
}

/* Makes the uplink the last port of 'dut'. */
static char *
add_uplink(struct fb_dut *dut)
{
    int *ifindex = &dut->ports[dut->n_destinations];

    char *error = fb_rtnl_get_ifindex(dut->near, dut->uplink, ifindex);
    if (!error) {
        error = fb_rtnl_set_up(dut->near, *ifindex);
    }
    if (!error) {
        error = fb_rtnl_wait_running(dut->near, ifindex, 1);
        if (error) {
            free(error);
            error = xasprintf("the uplink %s does not come up: is there a "
                              "carrier?", dut->uplink);
        }
    }
    return error;
}

/* Adds the interfaces of a switch: a pair for the generator and one for each
 * destination. */
static char *
add_switch_ports(struct fb_dut *dut)
{
    char *first = xasprintf("%s0", dut->port_prefix);

    dut->n_sinks = dut->n_destinations - (dut->uplink != NULL);
    dut->n_ports = dut->n_destinations + 1;
    char *error = make_sink_namespace(dut);
    if (!error) {
        error = add_pair(dut, dut->far, FB_GEN_NAME, endpoint_mac(dut, 0),
                         first, fb_address_mac(FB_MAC_PORT, 0),
                         false, &dut->gen, &dut->ports[0]);
    }
    free(first);
    for (size_t i = 1; !error && i <= dut->n_sinks; i++) {
        char *sink = xasprintf(FB_SINK_NAME "%"PRIuSIZE, i);
        char *port = xasprintf("%s%"PRIuSIZE, dut->port_prefix, i);
        error = add_pair(dut, dut->sink_rtnl, sink, endpoint_mac(dut, i),
                         port, fb_address_mac(FB_MAC_PORT, i),
                         false, &dut->sinks[i - 1], &dut->ports[i]);
        free(sink);
        free(port);
    }
    return error || !dut->uplink ? error : add_uplink(dut);
}

/* Waits until all interfaces of 'dut' are running. */
static char *
wait_running(struct fb_dut *dut)
{
    char *error = fb_rtnl_wait_running(dut->far, &dut->gen, 1);
    if (!error) {
        error = fb_rtnl_wait_running(dut->sink_rtnl, dut->sinks,
                                     dut->n_sinks);
    }
    if (!error) {
        error = fb_rtnl_wait_running(dut->near, dut->ports, dut->n_ports);
    }
    return error;
}

/* Opens the generator. */
static char *
open_generator(struct fb_dut *dut, const struct fb_dut_config *config)
{
    size_t n = fb_traffic_n_sources(config->traffic, dut->n_destinations);
    struct fb_load_source *sources = xcalloc(n, sizeof *sources);
    int old_fd;

    for (size_t i = 0; i < n; i++) {
        sources[i] = (struct fb_load_source) {
            .ifname = (!i ? xstrdup(FB_GEN_NAME)
                       : xasprintf(FB_SINK_NAME "%"PRIuSIZE,
                                   dut->n_ports ? i : 1)),
            .frames = {
                .traffic = *config->traffic,
                .n_destinations = dut->n_destinations,
                .share.source = i,
                .fault = config->fault,
            },
        };
    }
    char *error = fb_netns_enter(dut->far_fd, &old_fd);
    if (!error) {
        int retval = fb_generator_open(&dut->generator, config->backend,
                                       sources, config->n_threads);
        fb_netns_leave(old_fd);
        if (retval) {
            error = xasprintf(FB_GEN_NAME ": cannot send by %s (%s)",
                              config->backend->name, ovs_strerror(retval));
        }
    }
    for (size_t i = 0; i < n; i++) {
        free(CONST_CAST(char *, sources[i].ifname));
    }
    free(sources);
    return error;
}

/* Has 'dut' be a bridge in the Open vSwitch that runs with 'db'. */
static char *
join_host(struct fb_dut *dut, const struct fb_dut_config *config)
{
    char *error = fb_host_bridge_begin(config->db, config->rundir,
                                       &dut->host);
    if (!error) {
        dut->near_fd = dut->host->netns_fd;
        dut->host->netns_fd = -1;
        free(dut->port_prefix);
        free(dut->bridge);
        dut->port_prefix = xstrdup(dut->host->prefix);
        dut->bridge = xstrdup(dut->host->name);
        error = fb_sandbox_join(config->db, &dut->sandbox);
    }
    return error;
}

/* Has 'dut' be in the namespace into which it takes the uplink. */
static char *
take_uplink(struct fb_dut *dut, const struct fb_dut_config *config)
{
    dut->uplink = xstrdup(config->uplink);
    dut->uplink_dir = xstrdup(config->rundir);
    return fb_uplink_take(dut->uplink, dut->uplink_dir, &dut->near_fd);
}

/* Builds 'dut' up from its namespaces. */
static char *
build(struct fb_dut *dut, const struct fb_dut_config *config)
{
    char *error = fb_netns_create(&dut->far_fd);
    if (!error) {
        error = (config->db && dut->kind->datapath_type
                 ? join_host(dut, config)
                 : config->uplink && dut->kind != &fb_dut_wire
                 ? take_uplink(dut, config)
                 : fb_netns_create(&dut->near_fd));
    }
    if (!error) {
        error = fb_rtnl_open(dut->far_fd, &dut->far);
    }
    if (!error) {
        error = fb_rtnl_open(dut->near_fd, &dut->near);
    }
    if (!error) {
        error = (dut->kind == &fb_dut_wire
                 ? add_wire(dut) : add_switch_ports(dut));
    }
    if (!error && dut->like) {
        error = fb_twin_prepare(dut);
    }
    dut->copies = dut->flood ? dut->n_sinks + (dut->uplink != NULL) : 1;
    if (!error && dut->two_way) {
        dut->sinks[dut->n_sinks++] = dut->gen;
    }
    if (!error) {
        error = wait_running(dut);
    }
    if (!error && dut->kind->attach) {
        error = dut->kind->attach(dut, (fb_dut_has_ports(dut->kind, "dpdk")
                                        ? config->dpdk_programs
                                        : config->programs));
    }
    if (!error && dut->flood) {
        error = fb_ipstat_open(dut->sink_fd, dut->ipv6, &dut->ipstat_fd);
    }
    if (!error && config->br_netfilter) {
        error = fb_netns_enable_br_netfilter(dut->near_fd);
    }
    if (!error) {
        error = open_generator(dut, config);
    }
    if (!error && config->latency_rate) {
        error = fb_marks_open(dut, config->latency_rate, config->n_mark_slots);
    }
    if (!error && config->tcp) {
        error = fb_tcp_open(dut, config->tcp->tso, &dut->tcp);
    }
    return error;
}

/* Builds a DUT of 'kind' that reports call 'label' and stores it in '*dutp',
 * for the caller to destroy with fb_dut_destroy().  It is there, as far as it
 * is built, while this function works on it. */
char *
fb_dut_create(const struct fb_dut_kind *kind, const char *label,
              const struct fb_dut_config *config, struct fb_dut **dutp)
{
    struct fb_dut *dut = xzalloc(sizeof *dut);
    dut->kind = kind;
    dut->label = xstrdup(label);
    dut->dir = (config->build
                ? xasprintf("%s/%s.%u", config->rundir, label, config->build)
                : xasprintf("%s/%s", config->rundir, label));
    dut->far_fd = dut->near_fd = dut->sink_fd = dut->ipstat_fd = -1;
    dut->flood = config->traffic->pattern == FB_PATTERN_FLOOD;
    dut->churn = config->traffic->pattern == FB_PATTERN_CHURN;
    dut->n_masks = config->traffic->n_masks;
    dut->ipv6 = config->traffic->ipv6;
    dut->port_prefix = xstrdup(PORT_NAME);
    dut->bridge = xstrdup(FB_DUT_BRIDGE);
    dut->like = config->like;
    dut->n_destinations = config->n_destinations;
    dut->two_way = fb_traffic_is_two_way(config->traffic);
    dut->matrix = config->traffic->pattern == FB_PATTERN_MATRIX;
    dut->answers = config->tcp != NULL;
    dut->n_pairs = fb_traffic_n_pairs(config->traffic,
                                      config->n_destinations);
    dut->sinks = xcalloc(config->n_destinations + 1, sizeof *dut->sinks);
    dut->ports = xcalloc(config->n_destinations + 1, sizeof *dut->ports);

    /* Already now: a signal may end this process meanwhile, and what there is
     * until then must be taken down. */
    *dutp = dut;
    char *error = build(dut, config);
    if (error) {
        char *whole = xasprintf("%s: %s", label, error);
        free(error);
        fb_dut_destroy(dut);
        *dutp = NULL;
        return whole;
    }
    return NULL;
}

/* Takes 'dut' down and frees it.  'dut' may be null. */
void
fb_dut_destroy(struct fb_dut *dut)
{
    if (!dut) {
        return;
    }
    fb_generator_close(dut->generator);
    fb_marks_close(dut->marks);
    fb_tcp_close(dut->tcp);
    fb_mirror_destroy(dut->mirror);
    if (dut->host) {
        fb_host_bridge_end(dut->host);
        for (size_t i = 0; i < dut->n_ports; i++) {
            if (dut->ports[i]) {
                /* Gone with its peer already, perhaps. */
                free(fb_rtnl_delete(dut->near, dut->ports[i]));
            }
        }
    }
    fb_sandbox_stop(dut->sandbox);
    if (dut->sink_fd >= 0 && dut->sink_fd != dut->far_fd
        && dut->sink_fd != dut->near_fd) {
        fb_rtnl_close(dut->sink_rtnl);
        close(dut->sink_fd);
    }
    fb_rtnl_close(dut->far);
    fb_rtnl_close(dut->near);
    if (dut->uplink) {
        fb_uplink_undo(dut->uplink_dir, NULL);
    }
    if (dut->far_fd >= 0) {
        close(dut->far_fd);
    }
    if (dut->near_fd >= 0) {
        close(dut->near_fd);
    }
    if (dut->ipstat_fd >= 0) {
        close(dut->ipstat_fd);
    }
    free(dut->sinks);
    free(dut->ports);
    free(dut->port_prefix);
    free(dut->uplink);
    free(dut->uplink_dir);
    free(dut->bridge);
    free(dut->management);
    free(dut->extras);
    free(dut->dir);
    free(dut->label);
    free(dut);
}
