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

#ifndef FB_CHURN_H
#define FB_CHURN_H 1

/* Flows that come and go: each has a number of packets and is then followed by
 * one that was never there before.
 *
 * FB_CHURN_LANES flows are alive at a time and send in turn.  At first their
 * ages differ, so that the new ones come evenly. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-flows.h"

#define FB_CHURN_LANES 64       /* Flows alive at a time. */

/* What is alive. */
struct fb_churn {
    struct fb_flows flows;      /* Before the next flow to be born. */
    uint32_t flow_packets;      /* Packets of each flow, at least 1. */
    size_t turn;                /* The lane that is next. */
    struct {
        struct fb_packet_spec spec; /* Addresses, ports and tag of its flow. */
        uint32_t left;          /* Packets that its flow still has. */
        bool fresh;             /* Has its flow had none yet? */
    } lanes[FB_CHURN_LANES];
};

void fb_churn_init(struct fb_churn *, const struct fb_flows *,
                   uint32_t flow_packets);
bool fb_churn_next(struct fb_churn *, struct fb_packet_spec *);

#endif /* fb-churn.h */
