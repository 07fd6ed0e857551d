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

#ifndef FB_FLOWS_H
#define FB_FLOWS_H 1

/* The top flows of the ledger, by a cost.
 *
 * The ledger may hold a million flows, so the search goes through it in
 * slices: after each, the main thread can do something else.
 *
 *     flows = fb_flows_create(&query);
 *     while (!fb_flows_run(flows)) ...        -- A slice each.
 *     ... flows->shown ...
 *     fb_flows_destroy(flows);
 *
 * Thread rules: main thread only. */

#include <stdbool.h>
#include <stddef.h>
#include "fb-ledger.h"

/* Most flows that one search returns. */
#define FB_FLOWS_MAX 1000

/* What a slice of a search may take, in microseconds. */
#define FB_FLOWS_SLICE_US 5000

/* By what flows are sorted. */
enum fb_flows_sort {
    FB_SORT_SETUP,              /* Time from receipt to flow put done. */
    FB_SORT_REVALIDATION,       /* Revalidators' time. */
    FB_SORT_UPCALLS,            /* Misses. */
    FB_SORT_PACKETS,            /* Packets that hit. */
    FB_SORT_REINSTALLS,         /* Lives after the first. */
    FB_SORT_REPAY,              /* What is left to be repaid. */
    FB_SORT_PUTS_FAILED,        /* Failed flow puts. */
    FB_N_SORTS
};

/* What to search for. */
struct fb_flows_query {
    int dp;                     /* Only this datapath, or -1 for all. */
    enum fb_flows_sort sort;    /* The cost that matters. */
    size_t max;                 /* At most this many flows. */
    char *match;                /* Only flows with this in them, or null. */
};

/* A flow that was found. */
struct fb_flow_shown {
    struct fb_flow_copy flow;   /* Its record. */
    int64_t value;              /* What it is sorted by. */
    char *text;                 /* In OVS's syntax. */
    bool repay_known;           /* Is the next one known? */
    uint64_t repay;             /* Packets that must hit to repay its cost. */
};

/* A search. */
struct fb_flows {
    struct fb_flows_query query; /* What for. */
    struct fb_ledger *ledger;   /* Where.  Null if nothing was recorded. */
    bool drained;               /* Is all there that was reported before? */
    int n_drains;               /* Slices that this took. */
    uint32_t next;              /* Next slot to look at. */
    size_t n_text;              /* Elements of 'shown' that have 'text'. */
    size_t n_shown;             /* Elements of 'shown'. */
    struct fb_flow_shown *shown; /* A heap, the least on top, until all slots
                                  * were looked at; then sorted. */
    bool sorted;                /* Are they? */

    /* Flows of the datapaths searched, whether they match or not. */
    uint64_t n_live;            /* Installed. */
    uint64_t n_dead;            /* Were installed. */
    uint64_t n_never;           /* Never were. */
};

extern const char *const fb_flows_sort_names[FB_N_SORTS];
extern const char *const fb_end_names[FB_N_ENDS];

struct fb_flows *fb_flows_create(const struct fb_flows_query *);
bool fb_flows_run(struct fb_flows *);
void fb_flows_destroy(struct fb_flows *);

uint64_t fb_flows_miss_cost(const struct fb_ledger *, int dp);

#endif /* fb-flows.h */
