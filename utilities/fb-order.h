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

#ifndef FB_ORDER_H
#define FB_ORDER_H 1

/* Whether packets arrive in the order in which they were sent, flow by flow
 * ==========================================================================
 *
 * A packet is reordered if one of the same flow that was sent later arrived
 * before it (RFC 4737, section 3.3: its number is less than that of the next
 * one expected).  A copy of a packet that has arrived already is a duplicate
 * and not reordered (there, section 3.4).
 *
 * Packets are numbered from 0 as they are sent, and packet i is one of flow
 * i % n_flows.
 *
 * Typical use:
 *
 *     struct fb_order *order = fb_order_create(n_flows, n_sent);
 *     fb_order_arrived(order, number);          for each that arrives
 *     fb_order_summarize(order, &summary);
 *     fb_order_destroy(order);
 *
 * For single-threaded use. */

#include <stddef.h>
#include <stdint.h>

/* What was seen. */
struct fb_order_summary {
    uint64_t sent;              /* Packets that were sent. */
    uint64_t arrived;           /* Of those, packets that arrived. */
    uint64_t duplicates;        /* Further arrivals of the same packets. */
    uint64_t reordered;         /* Of 'arrived', reordered packets. */
    uint64_t strays;            /* Arrivals that were none of these. */
    uint64_t max_late;          /* Greatest number of packets of its flow that
                                 * were sent after a reordered packet, up to
                                 * the last that arrived before it. */
    uint64_t flows;             /* Flows with packets sent. */
    uint64_t flows_lossy;       /* Of those, flows with lost packets... */
    uint64_t flows_reordered;   /* ...and with reordered ones. */
    double least_delivery;      /* Least share of a flow that arrived. */
};

struct fb_order *fb_order_create(size_t n_flows, uint64_t n_sent);
void fb_order_destroy(struct fb_order *);
void fb_order_arrived(struct fb_order *, uint64_t number);
void fb_order_summarize(const struct fb_order *, struct fb_order_summary *);

#endif /* fb-order.h */
