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

#ifndef FB_FLOWS_H
#define FB_FLOWS_H 1

/* The flows of a source, one after another.  Each is a flow to one destination
 * or, where frames are flooded, to all of them at once.
 *
 * Each destination has one flow in turn; each time around, the fields in which
 * flows differ are counted up like an odometer's wheels, until all flows have
 * had their turn.  Nothing is stored for a flow, and no division is needed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-packet.h"
#include "fb-traffic.h"

/* Which of the flows a sender has: those that come from the port of endpoint
 * 'source', 0 for the generator's.  Where several share them: number 'first',
 * from 0, and every 'step'-th after that. */
struct fb_flows_share {
    size_t source;
    size_t first;               /* Less than 'step'. */
    size_t step;                /* 0 for all flows. */
};

/* Where in its flows a source is.  To be changed only by fb_flows_init() and
 * fb_flows_next(). */
struct fb_flows {
    unsigned int fields;        /* FB_FIELD_*. */
    bool flood;                 /* Broadcast, not to destinations in turn? */
    bool masks;                 /* Are source addresses those of masks? */
    size_t n_destinations;      /* Of its source. */
    size_t n_endpoints;         /* Numbers of destinations, for addresses. */
    size_t n_sources;           /* The same for sources. */
    struct fb_flows_share share; /* 'step' is at least 1. */
    uint64_t n_flows;           /* Of its share, before it begins again. */
    uint32_t sizes[FB_N_FIELDS]; /* Number of values of each field. */
    uint32_t wheels[FB_N_FIELDS]; /* The value that is next, from 0. */
    uint64_t flow;              /* Number of the next flow, from 0. */
    size_t destination;         /* Which of its source's destinations it goes
                                 * to, from 1. */
};

size_t fb_flows_n_targets(const struct fb_traffic *, size_t n_destinations,
                          size_t source);
uint64_t fb_flows_capacity(const struct fb_traffic *, size_t n_destinations,
                           size_t source);
uint64_t fb_flows_count(const struct fb_traffic *, size_t n_destinations,
                        size_t source);
void fb_flows_init(struct fb_flows *, const struct fb_traffic *,
                   size_t n_destinations, const struct fb_flows_share *);
bool fb_flows_next(struct fb_flows *, struct fb_packet_spec *);

#endif /* fb-flows.h */
