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
#include "fb-churn.h"

#include <string.h>

/* Lets 'churn' begin, with flows as 'flows' has them, of 'flow_packets'
 * each. */
void
fb_churn_init(struct fb_churn *churn, const struct fb_flows *flows,
              uint32_t flow_packets)
{
    memset(churn, 0, sizeof *churn);
    churn->flows = *flows;
    churn->flow_packets = flow_packets;
    for (size_t i = 0; i < FB_CHURN_LANES; i++) {
        fb_flows_next(&churn->flows, &churn->lanes[i].spec);
        churn->lanes[i].fresh = true;
        churn->lanes[i].left = (1 + (uint64_t) i * flow_packets
                                / FB_CHURN_LANES);
    }
}

/* Stores the addresses, ports and tag of the next packet in 'spec', whose
 * other members are left alone.  Returns true if it is the first of its
 * flow. */
bool
fb_churn_next(struct fb_churn *churn, struct fb_packet_spec *spec)
{
    struct fb_packet_spec *mine = &churn->lanes[churn->turn].spec;
    uint32_t *left = &churn->lanes[churn->turn].left;
    bool *fresh = &churn->lanes[churn->turn].fresh;
    bool first;

    if (!*left) {
        fb_flows_next(&churn->flows, mine);
        *left = churn->flow_packets;
        *fresh = true;
    }
    *left -= 1;
    spec->src = mine->src;
    spec->dst = mine->dst;
    spec->ip_src = mine->ip_src;
    spec->ip_dst = mine->ip_dst;
    spec->sport = mine->sport;
    spec->dport = mine->dport;
    spec->tag = mine->tag;
    churn->turn = (churn->turn + 1) % FB_CHURN_LANES;
    first = *fresh;
    *fresh = false;
    return first;
}
