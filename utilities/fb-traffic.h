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

#ifndef FB_TRAFFIC_H
#define FB_TRAFFIC_H 1

/* What the packets of a load are like: data that says which flows there are,
 * from where to where, and of what size.  When they are sent is fb-pace.h's
 * business. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-sizes.h"

struct ds;
struct json;

#define FB_MAX_FLOWS 1000000    /* Most flows of a load. */

/* Fields in which flows differ, as bits. */
enum fb_field {
    FB_FIELD_SPORT = 1 << 0,    /* UDP source port. */
    FB_FIELD_DPORT = 1 << 1,    /* UDP destination port. */
    FB_FIELD_IP_SRC = 1 << 2,   /* IP source address. */
    FB_FIELD_IP_DST = 1 << 3,   /* IP destination address. */
    FB_FIELD_ETH_SRC = 1 << 4   /* Ethernet source address. */
};
#define FB_N_FIELDS 5

/* From where to where packets go, or how they come. */
enum fb_pattern {
    FB_PATTERN_UNIFORM,         /* To each destination in turn. */
    FB_PATTERN_BURST,           /* The same, in bursts with pauses. */
    FB_PATTERN_FLOOD,           /* Broadcast: each destination gets a copy. */
    FB_PATTERN_CHURN,           /* To each in turn, in ever new flows. */
    FB_PATTERN_BIDIRECTIONAL,   /* To each in turn, and as much from them. */
    FB_PATTERN_MATRIX,          /* From each port to each other. */
    FB_N_PATTERNS
};

/* The tag of broadcast frames.  That of others is FB_TAG(), which is the
 * number of the destination where all come from the generator's port. */
#define FB_TAG_FLOOD UINT32_MAX
#define FB_TAG(SOURCE, DESTINATION) ((uint32_t) (SOURCE) << 16 | (DESTINATION))

/* Most destinations of FB_PATTERN_MATRIX: the proof that each way works takes
 * a packet for each pair. */
#define FB_MAX_MATRIX 100

/* A load's packets. */
struct fb_traffic {
    enum fb_pattern pattern;
    struct fb_sizes sizes;      /* Frame sizes. */
    bool ipv6;                  /* IPv6, not IPv4? */
    uint16_t vlan;              /* VLAN ID, or 0 for none. */
    uint64_t n_flows;           /* From each port that sends; 0: one for each
                                 * destination. */
    uint32_t flow_packets;      /* Churn: packets of each flow, else 0. */
    unsigned int fields;        /* FB_FIELD_*: in which flows differ that have
                                 * the same source and destination. */
    uint32_t n_masks;           /* 1...FB_MASKS_MAX: each destination has a
                                 * flow under each of so many masks of Open
                                 * vSwitch's, see fb-masks.h, and no other, so
                                 * that 'n_flows' and 'fields' do not matter;
                                 * 0: nothing is done about masks. */
};

const char *fb_field_name(size_t bit);
const char *fb_pattern_name(enum fb_pattern);
bool fb_pattern_from_name(const char *, enum fb_pattern *);
char *fb_fields_parse(const char *, unsigned int *fields)
    OVS_WARN_UNUSED_RESULT;
char *fb_traffic_check(const struct fb_traffic *, size_t n_destinations)
    OVS_WARN_UNUSED_RESULT;
bool fb_traffic_is_two_way(const struct fb_traffic *);
size_t fb_traffic_n_sources(const struct fb_traffic *, size_t n_destinations);
size_t fb_traffic_n_turns(const struct fb_traffic *, size_t n_destinations);
size_t fb_traffic_source(const struct fb_traffic *, size_t turn);
size_t fb_traffic_n_pairs(const struct fb_traffic *, size_t n_destinations);
uint64_t fb_traffic_n_flows(const struct fb_traffic *, size_t n_destinations);
uint64_t fb_traffic_cycle(const struct fb_traffic *, size_t n_destinations);
size_t fb_traffic_min_size(const struct fb_traffic *);
void fb_traffic_format(const struct fb_traffic *, struct ds *);
struct json *fb_traffic_to_json(const struct fb_traffic *,
                                size_t n_destinations);

#endif /* fb-traffic.h */
