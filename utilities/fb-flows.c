/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-flows.h"

#include <string.h>

#include "byte-order.h"
#include "fb-address.h"
#include "fb-masks.h"
#include "packets.h"
#include "util.h"

/* UDP ports.  Where they do not tell flows apart, it is the first of the
 * dynamic ones and the one for discarding. */
#define SPORT 49152
#define DPORT 9

/* The first of the destination ports that tell flows apart, and the number of
 * them and of source ports. */
#define DPORT_BASE 32768
#define N_PORTS 16384

/* Numbers of the fields' bits. */
enum {
    SPORT_BIT,
    DPORT_BIT,
    IP_SRC_BIT,
    IP_DST_BIT,
    ETH_SRC_BIT
};
BUILD_ASSERT_DECL(FB_FIELD_ETH_SRC == 1 << ETH_SRC_BIT);

/* Returns the fields in which the flows of 'traffic' differ, FB_FIELD_*. */
static unsigned int
get_fields(const struct fb_traffic *traffic)
{
    return traffic->n_masks ? FB_FIELD_ETH_SRC : traffic->fields;
}

/* Stores in 'sizes' the number of values that each field of 'traffic' has, 1
 * where flows do not differ in it. */
static void
get_sizes(const struct fb_traffic *traffic, size_t n_destinations,
          size_t n_sources,
          uint32_t sizes[FB_N_FIELDS])
{
    unsigned int fields = get_fields(traffic);
    const uint32_t max[FB_N_FIELDS] = {
        [SPORT_BIT] = N_PORTS,
        [DPORT_BIT] = N_PORTS,
        [IP_SRC_BIT] = FB_IP_MAX / n_sources,
        [IP_DST_BIT] = FB_IP_MAX / (n_destinations + 1),
        [ETH_SRC_BIT] = (traffic->n_masks ? traffic->n_masks
                         : FB_MAC_MAX / n_sources),
    };

    for (size_t i = 0; i < FB_N_FIELDS; i++) {
        sizes[i] = fields & (1u << i) ? max[i] : 1;
    }
}

/* Returns the number of flows of 'traffic' to 'n_destinations' from endpoint
 * 'source' that differ in where they go. */
size_t
fb_flows_n_targets(const struct fb_traffic *traffic, size_t n_destinations,
                   size_t source)
{
    return (traffic->pattern == FB_PATTERN_FLOOD
            || (traffic->pattern == FB_PATTERN_BIDIRECTIONAL && source)
            ? 1 : n_destinations);
}

/* Returns the number of flows from endpoint 'source' that the fields of
 * 'traffic' tell apart. */
uint64_t
fb_flows_capacity(const struct fb_traffic *traffic, size_t n_destinations,
                  size_t source)
{
    uint32_t sizes[FB_N_FIELDS];
    uint64_t n = fb_flows_n_targets(traffic, n_destinations, source);

    get_sizes(traffic, n_destinations,
              fb_traffic_n_sources(traffic, n_destinations), sizes);
    for (size_t i = 0; i < FB_N_FIELDS && n <= UINT32_MAX; i++) {
        n *= sizes[i];
    }
    return n;
}

/* Returns the number of flows of 'traffic' to 'n_destinations' from endpoint
 * 'source'.  With churn, those that there can be before one comes again;
 * with masks, one for each mask and destination. */
uint64_t
fb_flows_count(const struct fb_traffic *traffic, size_t n_destinations,
               size_t source)
{
    return (traffic->pattern == FB_PATTERN_CHURN || traffic->n_masks
            ? fb_flows_capacity(traffic, n_destinations, source)
            : traffic->n_flows ? traffic->n_flows
            : fb_flows_n_targets(traffic, n_destinations, source));
}

/* Moves the wheels on by one. */
static void
count_up(struct fb_flows *flows)
{
    for (size_t i = 0; i < FB_N_FIELDS; i++) {
        if (++flows->wheels[i] < flows->sizes[i]) {
            return;
        }
        flows->wheels[i] = 0;
    }
}

/* Moves on by 'n' flows, whoever's they are. */
static void
move_on(struct fb_flows *flows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (flows->destination++ == flows->n_destinations) {
            flows->destination = 1;
            count_up(flows);
        }
    }
}

/* Begins with the first flow of the share. */
static void
begin(struct fb_flows *flows)
{
    flows->flow = 0;
    flows->destination = 1;
    memset(flows->wheels, 0, sizeof flows->wheels);
    move_on(flows, flows->share.first);
}

/* Makes 'flows' stand before the first flow of 'traffic', which
 * fb_traffic_check() must have accepted, that 'share' has.  'share' may be
 * null: then it has all; otherwise there must be at least 'share->step'. */
void
fb_flows_init(struct fb_flows *flows, const struct fb_traffic *traffic,
              size_t n_destinations, const struct fb_flows_share *share)
{
    size_t source = share ? share->source : 0;
    uint64_t n_flows = fb_flows_count(traffic, n_destinations, source);

    memset(flows, 0, sizeof *flows);
    flows->fields = get_fields(traffic);
    flows->masks = traffic->n_masks > 0;
    flows->flood = traffic->pattern == FB_PATTERN_FLOOD;
    flows->n_destinations = fb_flows_n_targets(traffic, n_destinations,
                                               source);
    flows->n_endpoints = flows->flood ? 2 : n_destinations + 1;
    flows->n_sources = fb_traffic_n_sources(traffic, n_destinations);
    if (share) {
        flows->share = *share;
    }
    flows->share.step = MAX(flows->share.step, 1);
    flows->n_flows = ((n_flows - flows->share.first - 1) / flows->share.step
                      + 1);
    get_sizes(traffic, n_destinations, flows->n_sources, flows->sizes);
    begin(flows);
}

/* Returns the endpoint that is destination number 'i', from 1, of endpoint
 * 'source': all others, in turn, of which a source other than the generator
 * may have only the first. */
static size_t
get_target(size_t source, size_t i)
{
    return i - 1 < source ? i - 1 : i;
}

/* Stores the addresses, ports and tag of the next flow in 'spec', whose other
 * members are left alone, and moves on.  Returns true if this was the last
 * flow, so that it begins again. */
bool
fb_flows_next(struct fb_flows *flows, struct fb_packet_spec *spec)
{
    const uint32_t *wheels = flows->wheels;
    size_t source = flows->share.source;
    size_t target = get_target(source, flows->destination);

    spec->src = (flows->masks ? fb_masks_mac(wheels[ETH_SRC_BIT])
                 : flows->fields & FB_FIELD_ETH_SRC
                 ? fb_address_mac(FB_MAC_FLOW, (wheels[ETH_SRC_BIT]
                                                * flows->n_sources + source))
                 : fb_address_endpoint_mac(source));
    spec->dst = fb_address_destination_mac(target);
    spec->ip_src = htonl(FB_IP_SOURCES + 1 + source
                         + wheels[IP_SRC_BIT] * flows->n_sources);
    spec->ip_dst = htonl(FB_IP_DESTINATIONS + target
                         + wheels[IP_DST_BIT] * flows->n_endpoints);
    spec->sport = SPORT + wheels[SPORT_BIT];
    spec->dport = (flows->fields & FB_FIELD_DPORT
                   ? DPORT_BASE + wheels[DPORT_BIT] : DPORT);
    spec->tag = FB_TAG(source, target);
    if (flows->flood) {
        spec->dst = eth_addr_broadcast;
        spec->tag = FB_TAG_FLOOD;
    }

    if (++flows->flow == flows->n_flows) {
        begin(flows);
        return true;
    }
    move_on(flows, flows->share.step);
    return false;
}
