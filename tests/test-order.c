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
#include "fanbench-test.h"
#include "fb-order.h"

#include "util.h"

/* Returns what is seen if of 'n_sent' packets of 'n_flows' flows the 'n' with
 * the 'numbers' arrive. */
static struct fb_order_summary
summarize(size_t n_flows, uint64_t n_sent, const uint64_t numbers[], size_t n)
{
    struct fb_order *order = fb_order_create(n_flows, n_sent);
    struct fb_order_summary s;

    for (size_t i = 0; i < n; i++) {
        fb_order_arrived(order, numbers[i]);
    }
    fb_order_summarize(order, &s);
    fb_order_destroy(order);
    return s;
}

/* Known answers. */
static void
test_order(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_order_summary s;

    /* 4 is late by 3 places. */
    static const uint64_t one_late[] = { 0, 1, 2, 4, 5, 6, 3, 7, 8, 9 };
    s = summarize(1, 10, one_late, ARRAY_SIZE(one_late));
    CHECK(s.sent == 10 && s.arrived == 10 && s.reordered == 1);
    CHECK(s.max_late == 3 && s.flows_reordered == 1 && !s.flows_lossy);
    CHECK(s.least_delivery == 1);

    /* Two in a row, after one that overtook them. */
    static const uint64_t two_late[] = { 0, 1, 2, 6, 3, 4, 5, 7 };
    s = summarize(1, 8, two_late, ARRAY_SIZE(two_late));
    CHECK(s.reordered == 3 && s.max_late == 3);

    /* Loss is no reordering, nor is a copy. */
    static const uint64_t lossy[] = { 0, 0, 1, 5, 5, 0, 7 };
    s = summarize(1, 8, lossy, ARRAY_SIZE(lossy));
    CHECK(s.arrived == 4 && s.duplicates == 3 && !s.reordered);
    CHECK(s.flows_lossy == 1 && s.least_delivery == 0.5 && !s.strays);

    /* Flows do not wait for each other: of 3, one is reordered and one lossy,
     * and the last packet was none of these. */
    static const uint64_t flows[] = { 1, 4, 7, 3, 0, 6, 2, 5, 9 };
    s = summarize(3, 9, flows, ARRAY_SIZE(flows));
    CHECK(s.flows == 3 && s.arrived == 8 && s.strays == 1);
    CHECK(s.reordered == 1 && s.max_late == 1 && s.flows_reordered == 1);
    CHECK(s.flows_lossy == 1 && s.least_delivery > 0.66
          && s.least_delivery < 0.67);

    /* No packet, and fewer packets than flows. */
    s = summarize(4, 0, NULL, 0);
    CHECK(!s.flows && !s.arrived && !s.flows_lossy);
    s = summarize(4, 2, one_late, 2);
    CHECK(s.flows == 2 && s.arrived == 2 && s.least_delivery == 1);
    fb_order_destroy(NULL);
}

const struct ovs_cmdl_command test_order_commands[] = {
    { "order", NULL, 0, 0, test_order, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
