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

#include "fb-ipstat.h"
#include "fb-marks.h"
#include "fb-rtnl.h"
#include "util.h"

/* Returns the name of 'place' in results. */
const char *
fb_lost_name(enum fb_lost place)
{
    switch (place) {
    case FB_LOST_GENERATOR:
        return "generator";
    case FB_LOST_INGRESS_BACKLOG:
        return "ingress-backlog";
    case FB_LOST_PORT:
        return "port";
    case FB_LOST_UPCALL:
        return "upcall";
    case FB_LOST_SWITCH:
        return "switch";
    case FB_LOST_EGRESS_BACKLOG:
        return "egress-backlog";
    case FB_LOST_SINK:
        return "sink";
    case FB_LOST_CHECKSUM:
        return "checksum";
    case FB_N_LOST:
    default:
        OVS_NOT_REACHED();
    }
}

/* Reads what has arrived at the sinks of 'dut' into the members of 'counters'
 * that begin with 'sinks_'.  One request to the kernel.
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
    free(links);
    return error;
}

/* Reads the counters of the generator's interface of 'dut'. */
static char *
read_generator(struct fb_dut *dut, struct fb_counters *counters)
{
    struct fb_link_counters gen = { .tx_packets = 0 };
    bool has_otherhost;

    char *error = fb_rtnl_get_counters(dut->far, &dut->gen, 1, &gen,
                                       &has_otherhost);
    counters->gen_sent = gen.tx_packets;
    counters->gen_dropped = gen.tx_dropped;
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
        counters->port_received = links[0].rx_packets;
        for (size_t i = 1; i < dut->n_ports; i++) {
            counters->ports_sent += links[i].tx_packets;
            counters->ports_dropped += links[i].tx_dropped;
        }
    }
    free(links);
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
    if (!error && dut->kind->read_datapath) {
        error = dut->kind->read_datapath(dut, &counters->datapath);
    }
    if (!error) {
        error = fb_counters_read_sinks(dut, counters);
    }
    return error;
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

/* Books what was lost in the switch 'dut', whose counters rose by 'd', and
 * returns the number of packets that left it for the sinks' interfaces. */
static void
settle_switch(const struct fb_dut *dut, const struct fb_counters *d,
              struct fb_losses *losses)
{
    uint64_t in = d->port_received;

    if (d->gen_sent != in) {
        losses->consistent = false;
    }
    if (dut->kind->read_datapath) {
        uint64_t lookups = d->datapath.hit + d->datapath.missed;
        book(losses, FB_LOST_PORT, in, lookups);
        losses->lost[FB_LOST_UPCALL] = d->datapath.lost;
        in = MIN(in, lookups);
    }
    book(losses, FB_LOST_SWITCH, in,
         d->ports_sent + d->ports_dropped + losses->lost[FB_LOST_UPCALL]);
    losses->lost[FB_LOST_EGRESS_BACKLOG] = d->ports_dropped;
    if (d->ports_sent != d->sinks_received) {
        losses->consistent = false;
    }
}

/* Turns what 'd' counted before packets were copied into copies. */
static void
count_copies(const struct fb_dut *dut, struct fb_counters *d)
{
    d->gen_sent *= dut->copies;
    d->gen_dropped *= dut->copies;
    d->port_received *= dut->copies;
    d->datapath.hit *= dut->copies;
    d->datapath.missed *= dut->copies;
    d->datapath.lost *= dut->copies;
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
        RISE(ports_sent), RISE(ports_dropped), RISE(sinks_received),
        RISE(sinks_taken), RISE(datapath.hit), RISE(datapath.missed),
        RISE(datapath.lost),
    };
#undef RISE
    count_copies(dut, &d);
    offered *= dut->copies;

    memset(losses, 0, sizeof *losses);
    losses->consistent = true;
    losses->offered = offered;
    book(losses, FB_LOST_GENERATOR, offered, d.gen_sent + d.gen_dropped);
    losses->lost[FB_LOST_INGRESS_BACKLOG] = d.gen_dropped;
    if (dut->n_ports) {
        settle_switch(dut, &d, losses);
    } else if (d.gen_sent != d.sinks_received) {
        losses->consistent = false;
    }
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
