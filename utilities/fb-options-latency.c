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

#include "fb-options-latency.h"

#include <stdlib.h>
#include <string.h>

#include "fb-latency-at.h"
#include "fb-mark-ring.h"
#include "fb-options.h"
#include "fb-result.h"
#include "util.h"

/* Stores the loads in 'value', of --latency-at, in '*p'. */
static void
parse_latency_at(const char *value, struct fb_parameters *p)
{
    char *copy = xstrdup(value);
    char *save_ptr = NULL;

    p->n_latency_at = 0;
    for (char *item = strtok_r(copy, ",", &save_ptr); item;
         item = strtok_r(NULL, ",", &save_ptr)) {
        if (p->n_latency_at >= FB_MAX_LATENCY_AT) {
            ovs_fatal(0, "--latency-at=%s: more than %d loads", value,
                      FB_MAX_LATENCY_AT);
        }
        p->latency_at[p->n_latency_at++] = fb_parse_number(
            "latency-at", item, 0.1, 100, false);
    }
    if (!p->n_latency_at) {
        ovs_fatal(0, "--latency-at: no load is given");
    }
    free(copy);
}

/* Changes the members of 'p' about latency that options were given for, once
 * its other members are known.  Exits with an error message if one has a bad
 * value or does not go with another. */
void
fb_options_get_latency(const struct fb_options *options,
                       struct fb_parameters *p)
{
    /* Frames that the sinks have room for.  A length of trials that is not
     * known yet is a short one. */
    double max_duration = fb_latency_at_duration(p);
    uint64_t max_rate = MAX(FB_MARK_RING_MAX_SLOTS / 2 / max_duration, 1);

    if (options->no_latency || options->uplink) {
        const char *other = (options->latency_at ? "latency-at"
                             : options->latency_rate ? "latency-rate"
                             : options->check_order ? "check-order"
                             : NULL);

        if (other) {
            ovs_fatal(0, "--%s: excludes --%s",
                      options->no_latency ? "no-latency" : "uplink", other);
        }
        p->latency_rate = 0;
        return;
    }
    if (p->traffic.n_masks) {
        /* Marked packets would have masks of their own. */
        if (options->latency_rate || options->latency_at
            || options->check_order) {
            ovs_fatal(0, "masks are counted without marked packets: no "
                      "--latency-rate, --latency-at or --check-order");
        }
        p->latency_rate = 0;
        return;
    }
    if (options->latency_rate) {
        p->latency_rate = fb_parse_number(
            "latency-rate", options->latency_rate, 1, MIN(max_rate, 100000),
            true);
    }
    p->latency_rate = MIN(p->latency_rate, max_rate);
    p->check_order = options->check_order;
    if (p->check_order && (p->traffic.pattern == FB_PATTERN_FLOOD
                           || p->traffic.pattern == FB_PATTERN_CHURN
                           || fb_traffic_is_two_way(&p->traffic))) {
        ovs_fatal(0, "--check-order needs a pattern in which one port sends, "
                  "each packet has one destination and each flow goes on");
    }
    if (p->check_order && p->n_threads > 1) {
        ovs_fatal(0, "--check-order needs --threads=1");
    }
    if (p->check_order && p->traffic.n_flows % p->n_destinations) {
        ovs_fatal(0, "--check-order needs a number of --flows that is a "
                  "multiple of --destinations");
    }
    if (options->latency_at) {
        if (p->rate) {
            ovs_fatal(0, "--latency-at: excludes --rate: loads are shares of "
                      "the greatest throughput");
        }
        parse_latency_at(options->latency_at, p);
    }
}
