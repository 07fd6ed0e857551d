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

#include "fb-losses.h"

#include <stdlib.h>
#include <string.h>

#include "fb-ipstat.h"
#include "fb-marks.h"
#include "fb-netstat.h"
#include "fb-qdisc.h"
#include "fb-rtnl.h"
#include "fb-sandbox.h"
#include "util.h"

/* Returns the name of 'place' in results. */
const char *
fb_lost_name(enum fb_lost place)
{
    static const char *const names[FB_N_LOST] = {
        [FB_LOST_GENERATOR] = "generator",
        [FB_LOST_DEVICE_QUEUE] = "device-queue",
        [FB_LOST_INGRESS_RING] = "ingress-ring",
        [FB_LOST_INGRESS_BACKLOG] = "ingress-backlog",
        [FB_LOST_XDP] = "xdp-socket",
        [FB_LOST_PORT] = "port",
        [FB_LOST_UPCALL] = "upcall",
        [FB_LOST_NO_RULE] = "no-rule",
        [FB_LOST_NO_PORT] = "no-port",
        [FB_LOST_METER] = "meter",
        [FB_LOST_NETFILTER] = "netfilter",
        [FB_LOST_PORT_STATE] = "port-state",
        [FB_LOST_NO_ENTRY] = "no-entry",
        [FB_LOST_SWITCH] = "switch",
        [FB_LOST_EGRESS_QUEUE] = "egress-queue",
        [FB_LOST_EGRESS_RING] = "egress-ring",
        [FB_LOST_EGRESS_BACKLOG] = "egress-backlog",
        [FB_LOST_SINK] = "sink",
        [FB_LOST_CHECKSUM] = "checksum",
    };
    return names[place];
}

/* Stores in '*sent' how many frames have left 'dut' by its uplink; 0 if it has
 * none. */
static char *
read_uplink(struct fb_dut *dut, uint64_t *sent)
{
    struct fb_link_counters c = { .tx_packets = 0 };
    bool has_otherhost;

    *sent = 0;
    if (!dut->uplink) {
        return NULL;
    }
    char *error = fb_rtnl_get_counters(dut->near,
                                       &dut->ports[dut->n_destinations], 1, &c,
                                       &has_otherhost);
    *sent = c.tx_packets;
    if (error) {
        free(error);
        error = xasprintf("the uplink %s has vanished", dut->uplink);
    }
    return error;
}

/* Reads what has arrived at the sinks of 'dut' into the members of 'counters'
 * that begin with 'sinks_'.  One request to the kernel, and one more if there
 * is an uplink.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_counters_read_sinks(struct fb_dut *dut, struct fb_counters *counters)
{
    struct fb_link_counters *links = xcalloc(dut->n_sinks, sizeof *links);
    bool has_otherhost;

    counters->sinks_received = 0;
    counters->sinks_taken = 0;
    char *error = fb_rtnl_get_counters(dut->sink_rtnl, dut->sinks,
                                       dut->n_sinks, links, &has_otherhost);
    for (size_t i = 0; !error && i < dut->n_sinks; i++) {
        counters->sinks_received += links[i].rx_packets;
        counters->sinks_taken += (has_otherhost ? links[i].rx_otherhost
                                  : links[i].rx_packets);
    }
    counters->back_received = dut->two_way ? links[dut->n_sinks - 1].rx_packets
                                           : 0;
    if (!error && dut->flood) {
        uint64_t received;

        error = fb_ipstat_read(dut->ipstat_fd, dut->ipv6, &received);
        counters->sinks_taken = received + (has_otherhost
                                            ? counters->sinks_taken : 0);
    }
    if (dut->marks && (has_otherhost || dut->flood)) {
        /* They do not get to the IP layer. */
        counters->sinks_taken += fb_marks_received(dut->marks);
    }
    if (!error) {
        uint64_t sent;

        error = read_uplink(dut, &sent);
        counters->sinks_received += sent;
        counters->sinks_taken += sent;
    }
    free(links);
    return error;
}

/* Reads the counters of the interfaces of 'dut' into which frames are sent. */
static char *
read_generator(struct fb_dut *dut, struct fb_counters *counters)
{
    /* In two-way traffic each sink is one, fb-gen among them. */
    const int *sources = dut->two_way ? dut->sinks : &dut->gen;
    size_t n = dut->two_way ? dut->n_sinks : 1;
    struct fb_link_counters *links = xcalloc(n, sizeof *links);
    uint64_t *drops = xcalloc(n, sizeof *drops);
    bool has_otherhost;

    char *error = fb_rtnl_get_counters(dut->far, sources, n, links,
                                       &has_otherhost);
    if (!error) {
        error = fb_qdisc_get_drops(dut->far, sources, n, drops);
    }
    for (size_t i = 0; i < n; i++) {
        counters->gen_sent += links[i].tx_packets;
        counters->gen_dropped += links[i].tx_dropped;
        counters->gen_queue += drops[i];
    }
    free(links);
    free(drops);
    return error;
}

/* Reads what the queueing disciplines of the ports of the switch 'dut' to
 * destinations have dropped. */
static char *
read_port_queues(struct fb_dut *dut, struct fb_counters *counters)
{
    uint64_t *drops = xcalloc(dut->n_ports, sizeof *drops);

    char *error = fb_qdisc_get_drops(dut->near, dut->ports, dut->n_ports,
                                     drops);
    for (size_t i = !dut->two_way; i < dut->n_ports; i++) {
        counters->ports_queue += drops[i];
    }
    free(drops);
    return error;
}

/* Reads the counters of the ports of the switch 'dut'. */
static char *
read_ports(struct fb_dut *dut, struct fb_counters *counters)
{
    struct fb_link_counters *links = xcalloc(dut->n_ports, sizeof *links);
    bool has_otherhost;

    counters->ports_sent = 0;
    counters->ports_dropped = 0;
    char *error = fb_rtnl_get_counters(dut->near, dut->ports, dut->n_ports,
                                       links, &has_otherhost);
    if (!error) {
        for (size_t i = 0; i < (dut->two_way ? dut->n_ports : 1); i++) {
            counters->port_received += links[i].rx_packets;
            if (fb_dut_has_ports(dut->kind, "afxdp")) {
                counters->port_refused += links[i].rx_dropped;
            }
        }
        for (size_t i = !dut->two_way; i < dut->n_ports; i++) {
            counters->ports_sent += links[i].tx_packets;
            counters->ports_dropped += links[i].tx_dropped;
        }
        error = read_port_queues(dut, counters);
    }
    free(links);
    return error;
}

/* Reads what there is to know of the Linux bridge 'dut'. */
static char *
read_bridge(struct fb_dut *dut, struct fb_counters *counters)
{
    char *error = fb_netstat_ip_errors(dut->near_fd, &counters->ip_errors);
    if (!error) {
        error = fb_fdb_read(dut->near, dut->ports, dut->n_ports,
                            !dut->two_way, &counters->fdb);
    }
    return error;
}

/* Reads all counters of 'dut' into '*counters'.  Not at one instant: packets
 * must not be on their way.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_counters_read(struct fb_dut *dut, struct fb_counters *counters)
{
    memset(counters, 0, sizeof *counters);
    char *error = read_generator(dut, counters);
    if (!error && dut->n_ports) {
        error = read_ports(dut, counters);
    }
    if (!error && dut->host) {
        /* A dump of all flows would hold up the host's ovs-vswitchd. */
        error = fb_datapath_read(fb_sandbox_rpc(dut->sandbox),
                                 dut->kind->datapath_type,
                                 &counters->datapath);
    } else if (!error && dut->sandbox) {
        error = fb_datapath_read_more(fb_sandbox_rpc(dut->sandbox),
                                      dut->kind->datapath_type,
                                      &counters->datapath);
    } else if (!error && dut->n_ports) {
        error = read_bridge(dut, counters);
    }
    if (!error) {
        error = fb_netstat_softnet_drops(&counters->softnet);
    }
    if (!error) {
        error = fb_counters_read_sinks(dut, counters);
    }
    return error;
}

/* Returns 'error', of something about 'dut' that failed, or, in its place,
 * what is behind it: the end of ovs-vswitchd or of the uplink. */
char *
fb_counters_explain(struct fb_dut *dut, char *error)
{
    char *cause = NULL;

    if (dut->sandbox && fb_sandbox_has_ended(dut->sandbox)) {
        cause = xstrdup(FB_SANDBOX_ENDED);
    } else {
        uint64_t ignored;
        cause = read_uplink(dut, &ignored);
    }
    if (cause) {
        free(error);
    }
    return cause ? cause : error;
}

/* Books the packets that are among 'n_before' and not among 'n_after' as lost
 * in 'place'. */
static void
book(struct fb_losses *losses, enum fb_lost place, uint64_t n_before,
     uint64_t n_after)
{
    if (n_before >= n_after) {
        losses->lost[place] += n_before - n_after;
    } else {
        losses->consistent = false;
    }
}

/* Books in 'place' what was dropped on the way over a veth pair, and in the
 * place after it what of that is explained by '*softnet' packets that found a
 * CPU's receive queue full, which it uses up. */
static void
book_veth(struct fb_losses *losses, enum fb_lost ring, uint64_t dropped,
          uint64_t *softnet)
{
    uint64_t backlog = MIN(dropped, *softnet);

    losses->lost[ring] = dropped - backlog;
    losses->lost[ring + 1] = backlog;
    *softnet -= backlog;
}

/* Divides the packets that 'losses' has for lost in the Linux bridge by what
 * the bridge, whose counters rose by 'd', is like. */
static void
settle_bridge(const struct fb_counters *d, struct fb_losses *losses)
{
    const struct fb_fdb *fdb = &d->fdb;
    uint64_t *rest = &losses->lost[FB_LOST_SWITCH];

    losses->lost[FB_LOST_NETFILTER] = MIN(d->ip_errors, *rest);
    *rest -= losses->lost[FB_LOST_NETFILTER];
    if (fdb->n_not_forwarding && !fdb->n_ports_without) {
        losses->lost[FB_LOST_PORT_STATE] = *rest;
        *rest = 0;
    } else if (fdb->n_ports_without && !fdb->n_not_forwarding) {
        losses->lost[FB_LOST_NO_ENTRY] = *rest;
        *rest = 0;
    }
}

/* Moves up to 'n' of those packets that 'losses' has for lost in the switch to
 * 'place'.  Returns how many it has moved. */
static uint64_t
move(struct fb_losses *losses, enum fb_lost place, uint64_t n)
{
    uint64_t moved = MIN(n, losses->lost[FB_LOST_SWITCH]);

    losses->lost[place] += moved;
    losses->lost[FB_LOST_SWITCH] -= moved;
    return moved;
}

/* Divides the packets that 'losses' has for lost in an Open vSwitch, whose
 * datapath counted 'd'.  The packet whose miss made a flow is not among the
 * flow's: if all flows that drop have one cause, it is that of the misses that
 * were not lost, too. */
static void
settle_ovs(const struct fb_datapath_counters *d, struct fb_losses *losses)
{
    static const enum fb_lost places[] = {
        FB_LOST_NO_PORT, FB_LOST_PORT_STATE, FB_LOST_NO_RULE
    };
    int n_causes = 0;
    int cause = 0;

    if (d->dropped == FB_DATAPATH_NONE) {
        return;
    }
    uint64_t no_rule = d->dropped - MIN(d->dropped,
                                        d->no_port + d->port_state);
    const uint64_t n[] = { d->no_port, d->port_state, no_rule };
    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        if (move(losses, places[i], n[i])) {
            cause = i;
            n_causes++;
        }
    }
    if (n_causes == 1) {
        move(losses, places[cause], d->missed - MIN(d->missed, d->lost));
    }
}

/* Books 'n' of the packets that 'losses' of 'dut' has for lost in the switch,
 * which has no better place for them, as dropped by meters, if there are so
 * many. */
void
fb_losses_settle_meters(const struct fb_dut *dut, uint64_t n,
                        struct fb_losses *losses)
{
    move(losses, FB_LOST_METER, n * dut->copies);
}

/* Returns how many of the 'in' packets that were looked up in 'dut' were lost
 * on their way up, according to 'd'.  The userspace datapath counts as lost
 * those, too, that it forwards without installing a flow, because there are as
 * many as the limit allows. */
static uint64_t
get_lost_upcalls(const struct fb_dut *dut, const struct fb_counters *d,
                 uint64_t in)
{
    uint64_t out = d->ports_queue + d->ports_sent + d->ports_dropped;

    return (strcmp(dut->kind->datapath_type, "netdev")
            ? d->datapath.lost
            : MIN(d->datapath.lost, in > out ? in - out : 0));
}

/* Books what was lost in the switch 'dut', whose counters rose by 'd'.
 * '*softnet' is as for book_veth(). */
static void
settle_switch(const struct fb_dut *dut, const struct fb_counters *d,
              uint64_t *softnet, struct fb_losses *losses)
{
    /* The host's datapath counts the host's packets, too. */
    bool own_datapath = dut->sandbox && !dut->host;
    uint64_t in = d->port_received;

    if (d->gen_sent != in) {
        losses->consistent = false;
    }
    if (own_datapath) {
        uint64_t lookups = d->datapath.hit + d->datapath.missed;
        book(losses, FB_LOST_PORT, in, lookups);
        losses->lost[FB_LOST_XDP] = MIN(losses->lost[FB_LOST_PORT],
                                        d->port_refused);
        losses->lost[FB_LOST_PORT] -= losses->lost[FB_LOST_XDP];
        in = MIN(in, lookups);
        losses->lost[FB_LOST_UPCALL] = get_lost_upcalls(dut, d, in);
    }
    book(losses, FB_LOST_SWITCH, in,
         d->ports_queue + d->ports_sent + d->ports_dropped
         + losses->lost[FB_LOST_UPCALL]);
    if (own_datapath) {
        settle_ovs(&d->datapath, losses);
    } else if (!dut->host) {
        settle_bridge(d, losses);
    }
    losses->lost[FB_LOST_EGRESS_QUEUE] = d->ports_queue;
    book_veth(losses, FB_LOST_EGRESS_RING, d->ports_dropped, softnet);
    if (d->ports_sent != d->sinks_received) {
        losses->consistent = false;
    }
}

/* Turns what 'd' counted before packets were copied into copies. */
static void
count_copies(const struct fb_dut *dut, struct fb_counters *d)
{
    d->gen_queue *= dut->copies;
    d->gen_sent *= dut->copies;
    d->gen_dropped *= dut->copies;
    d->port_received *= dut->copies;
    d->port_refused *= dut->copies;
    d->datapath.hit *= dut->copies;
    d->datapath.missed *= dut->copies;
    d->datapath.lost *= dut->copies;
    if (d->datapath.dropped != FB_DATAPATH_NONE) {
        d->datapath.dropped *= dut->copies;
        d->datapath.no_port *= dut->copies;
        d->datapath.port_state *= dut->copies;
    }
    d->ip_errors *= dut->copies;
    if (dut->flood) {
        /* Flooded frames need no entry. */
        d->fdb.n_ports_without = 0;
    }
}

/* Makes the account of a trial on 'dut' in which 'offered' packets were given
 * to the kernel, from the counters before and after it.  'broken' says that
 * the frames that arrive are not as they should be, so that no receiver would
 * take them.
 *
 * Where frames are flooded everything is counted in copies: a packet that is
 * lost before the switch is as many losses as there are sinks.
 *
 * A ledger with unaccounted packets, or an inconsistent one, voids the run. */
void
fb_losses_settle(const struct fb_dut *dut, const struct fb_counters *before,
                 const struct fb_counters *after, uint64_t offered,
                 bool broken, struct fb_losses *losses)
{
#define RISE(MEMBER) .MEMBER = after->MEMBER - before->MEMBER
    struct fb_counters d = {
        RISE(gen_sent), RISE(gen_dropped), RISE(port_received),
        RISE(port_refused),
        RISE(ports_sent), RISE(ports_dropped), RISE(sinks_received),
        RISE(sinks_taken), RISE(softnet), RISE(ip_errors),
        /* The kernel has 32 bits for these. */
        .gen_queue = (uint32_t) (after->gen_queue - before->gen_queue),
        .ports_queue = (uint32_t) (after->ports_queue - before->ports_queue),
        .datapath = fb_datapath_rise(&before->datapath, &after->datapath),
        .fdb = after->fdb,
    };
#undef RISE
    count_copies(dut, &d);
    offered *= dut->copies;

    memset(losses, 0, sizeof *losses);
    losses->consistent = true;
    losses->offered = offered;
    losses->softnet = d.softnet;
    book(losses, FB_LOST_GENERATOR, offered,
         d.gen_queue + d.gen_sent + d.gen_dropped);
    losses->lost[FB_LOST_DEVICE_QUEUE] = d.gen_queue;
    if (dut->n_ports) {
        settle_switch(dut, &d, &d.softnet, losses);
    } else if (d.gen_sent != d.sinks_received) {
        losses->consistent = false;
    }
    d.softnet *= dut->copies;
    book_veth(losses, FB_LOST_INGRESS_RING, d.gen_dropped, &d.softnet);
    book(losses, FB_LOST_SINK, d.sinks_received, d.sinks_taken);
    if (broken) {
        losses->lost[FB_LOST_CHECKSUM] = d.sinks_taken;
    } else {
        losses->delivered = d.sinks_taken;
    }

    uint64_t placed = losses->delivered;
    for (int i = 0; i < FB_N_LOST; i++) {
        placed += losses->lost[i];
    }
    losses->unaccounted = offered - placed;
}
