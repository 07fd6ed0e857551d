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

#include "fb-order.h"

#include <stdlib.h>

#include "bitmap.h"
#include "util.h"

/* A flow. */
struct flow {
    uint64_t next;              /* One more than the greatest number that has
                                 * arrived, 0 if none. */
    uint64_t arrived;           /* Packets that arrived. */
    uint64_t reordered;         /* Of those, reordered ones. */
};

/* The packets of a trial. */
struct fb_order {
    struct flow *flows;         /* 'n_flows' of them. */
    size_t n_flows;
    unsigned long *seen;        /* For each packet: has it arrived? */
    struct fb_order_summary sum; /* All but what flows say. */
};

/* Returns the account of 'n_sent' packets of 'n_flows' flows, at least one, of
 * which none has arrived yet, for the caller to destroy. */
struct fb_order *
fb_order_create(size_t n_flows, uint64_t n_sent)
{
    struct fb_order *order = xzalloc(sizeof *order);

    order->flows = xcalloc(n_flows, sizeof *order->flows);
    order->n_flows = n_flows;
    order->seen = bitmap_allocate(MAX(n_sent, 1));
    order->sum.sent = n_sent;
    return order;
}

/* Frees 'order', which may be NULL. */
void
fb_order_destroy(struct fb_order *order)
{
    if (order) {
        bitmap_free(order->seen);
        free(order->flows);
        free(order);
    }
}

/* Takes note that packet 'number' arrived, after all others of which note was
 * taken. */
void
fb_order_arrived(struct fb_order *order, uint64_t number)
{
    if (number >= order->sum.sent) {
        order->sum.strays++;
        return;
    } else if (bitmap_is_set(order->seen, number)) {
        order->sum.duplicates++;
        return;
    }
    bitmap_set1(order->seen, number);
    order->sum.arrived++;

    struct flow *flow = &order->flows[number % order->n_flows];

    flow->arrived++;
    if (number < flow->next) {
        uint64_t late = (flow->next - 1 - number) / order->n_flows;

        flow->reordered++;
        order->sum.reordered++;
        order->sum.max_late = MAX(order->sum.max_late, late);
    } else {
        flow->next = number + 1;
    }
}

/* Returns the number of packets sent in flow 'i' of 'order'. */
static uint64_t
sent_in_flow(const struct fb_order *order, size_t i)
{
    return (order->sum.sent / order->n_flows
            + (i < order->sum.sent % order->n_flows));
}

/* Stores what was seen of 'order' in '*summary'. */
void
fb_order_summarize(const struct fb_order *order,
                   struct fb_order_summary *summary)
{
    *summary = order->sum;
    summary->least_delivery = 1;
    for (size_t i = 0; i < order->n_flows; i++) {
        const struct flow *flow = &order->flows[i];
        uint64_t sent = sent_in_flow(order, i);

        if (sent) {
            double share = (double) flow->arrived / sent;

            summary->flows++;
            summary->flows_lossy += flow->arrived < sent;
            summary->flows_reordered += flow->reordered > 0;
            summary->least_delivery = MIN(summary->least_delivery, share);
        }
    }
}
