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

#ifndef FB_DATAPATH_H
#define FB_DATAPATH_H 1

/* What the datapath of an Open vSwitch has counted, as its ovs-vswitchd tells.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdint.h>

#include "compiler.h"
#include "fb-slow-flows.h"

struct jsonrpc;

/* A counter that this type of datapath, or this version, does not have. */
#define FB_DATAPATH_NONE UINT64_MAX

/* Counters since the datapath was created, in packets unless it says
 * otherwise. */
struct fb_datapath_counters {
    uint64_t hit;               /* Matched a datapath flow. */
    uint64_t missed;            /* Became upcalls. */
    uint64_t lost;              /* Of those, lost on the way up. */
    uint64_t flows;             /* Datapath flows, now. */
    uint64_t dropped;           /* Matched a flow that drops them, of those
                                 * that are there now.  FB_DATAPATH_NONE with
                                 * too many flows.  Of these, for a port... */
    uint64_t no_port;           /* ...that is not there... */
    uint64_t port_state;        /* ...or that does not forward. */
    struct fb_slow_flows slow;  /* Flows whose packets all go through
                                 * ovs-vswitchd, now; 'n' is FB_DATAPATH_NONE
                                 * with too many flows. */

    /* The kernel datapath.  FB_DATAPATH_NONE elsewhere. */
    uint64_t masks;             /* Masks of flows, now. */
    uint64_t masks_hit;         /* Masks that were tried, for all packets. */
    uint64_t cache_hit;         /* Whose mask was in the mask cache. */

    /* The userspace datapath.  FB_DATAPATH_NONE elsewhere. */
    uint64_t emc_hit;           /* Found in the exact-match cache. */
    uint64_t smc_hit;           /* Found in the signature-match cache. */
    uint64_t megaflow_hit;      /* Found by the classifier. */

    /* PMD threads, in cycles of the TSC.  FB_DATAPATH_NONE without them. */
    uint64_t pmd_busy;          /* In rounds that brought packets... */
    uint64_t pmd_idle;          /* ...and in those that brought none. */
};

char *fb_datapath_parse_show(const char *text, struct fb_datapath_counters *)
    OVS_WARN_UNUSED_RESULT;
void fb_datapath_parse_pmd_stats(const char *text,
                                 struct fb_datapath_counters *);

char *fb_datapath_read(struct jsonrpc *, const char *type,
                       struct fb_datapath_counters *)
    OVS_WARN_UNUSED_RESULT;
char *fb_datapath_read_more(struct jsonrpc *, const char *type,
                            struct fb_datapath_counters *)
    OVS_WARN_UNUSED_RESULT;
struct fb_datapath_counters fb_datapath_rise(
    const struct fb_datapath_counters *before,
    const struct fb_datapath_counters *after);
void fb_datapath_add(struct fb_datapath_counters *sum,
                     const struct fb_datapath_counters *);

#endif /* fb-datapath.h */
