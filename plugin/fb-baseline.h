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

#ifndef FB_BASELINE_H
#define FB_BASELINE_H 1

/* OVS's own counters, less what they were when the recording began.
 *
 * Thread rules: main thread only. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-datapath.h"

struct dpif;

/* Coverage counters that are of interest here. */
enum fb_ovs_counter {
    FB_OC_LIMIT_HIT,           /* Flows not installed: over the limit. */
    FB_OC_LIMIT_KILL,          /* All flows deleted: twice the limit. */
    FB_OC_LIMIT_REDUCED,       /* Limit less a quarter.  Not in OVS 3.1. */
    FB_OC_LIMIT_SCALED,        /* Limit divided.  Not in OVS 3.1. */
    FB_OC_LIMIT_GREW,          /* Limit grown.  Not in OVS 3.1. */
    FB_OC_MAC_LEARNED,         /* Addresses learned. */
    FB_OC_MAC_EVICTED,         /* Addresses thrown out of a full table. */
    FB_OC_MAC_EXPIRED,         /* Addresses that were too old. */
    FB_OC_MAC_MOVED,           /* Addresses that changed their port. */
    FB_OC_DUPLICATE_UPCALL,    /* Upcalls of a flow that just came in. */
    FB_OC_TOO_MANY_OUTPUT,     /* Actions with too many outputs. */
    FB_N_OVS_COUNTERS
};

/* What a datapath itself counts, since the recording began. */
struct fb_dp_stats {
    bool known;                 /* Are these valid? */
    uint64_t n_hit;             /* Packets that matched a flow. */
    uint64_t n_missed;          /* Packets that matched none. */
    uint64_t n_lost;            /* Of these, not passed up. */
    uint64_t n_flows;           /* Flows, now. */
};

/* What OVS counted since the recording began. */
struct fb_baseline {
    bool has[FB_N_OVS_COUNTERS];    /* Does OVS have the counter? */
    uint64_t counters[FB_N_OVS_COUNTERS]; /* Its growth, all datapaths. */
    struct fb_dp_stats dps[FB_MAX_DATAPATHS]; /* By datapath index. */
};

/* OVS's name for each, which is the name in JSON, too. */
extern const char *const fb_ovs_counter_names[FB_N_OVS_COUNTERS];

void fb_baseline_set_dpif(int dp, struct dpif *);
void fb_baseline_begin(unsigned int epoch);
void fb_baseline_end(void);
void fb_baseline_read(struct fb_baseline *);

#endif /* fb-baseline.h */
