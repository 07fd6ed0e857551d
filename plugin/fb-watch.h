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

#ifndef FB_WATCH_H
#define FB_WATCH_H 1

/* Figures that OVS itself keeps, watched while a recording goes on.
 *
 * Coverage counters, datapaths' statistics and flow limits are read once a
 * second by the main thread, at the start of a recording and before results
 * are shown, so that it is known by how much they rose in the recording, and
 * since when, to the second.  Flow limits go to fb_cause_limit_is().
 *
 * Thread rules: main thread only. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-datapath.h"
#include "fb-errnos.h"

/* Coverage counters that are watched. */
enum fb_coverage {
    FB_COV_MAC_LEARNED,         /* Addresses learned. */
    FB_COV_MAC_EVICTED,         /* Addresses thrown out of a full table. */
    FB_COV_MAC_EXPIRED,         /* Addresses that were too old. */
    FB_COV_MAC_MOVED,           /* Addresses that changed their port. */
    FB_COV_REV_MAC,             /* Revalidation asked for: MAC learning... */
    FB_COV_REV_FLOW_TABLE,      /* ...OpenFlow rules... */
    FB_COV_REV_RECONFIGURE,     /* ...configuration. */
    FB_COV_LIMIT_HIT,           /* Flows not installed: over the limit. */
    FB_COV_LIMIT_KILL,          /* All flows deleted: twice the limit. */
    FB_COV_LIMIT_REDUCED,       /* Limit less a quarter.  Not in OVS 3.1. */
    FB_COV_LIMIT_SCALED,        /* Limit divided.  Not in OVS 3.1. */
    FB_COV_LIMIT_GREW,          /* Limit grown.  Not in OVS 3.1. */
    FB_COV_DUPLICATE_UPCALL,    /* Upcalls of a flow that just came in. */
    FB_COV_TOO_MANY_OUTPUT,     /* Actions with too many outputs. */
    FB_COV_DROP_UPCALL,         /* Packets whose upcall failed. */
    FB_COV_DROP_LOCK,           /* Packets while upcalls were locked out. */
    FB_N_COVERAGE
};

/* A number that grows. */
struct fb_watched {
    bool known;                 /* Has it been read at all? */
    uint64_t first;             /* As it was at first. */
    uint64_t last;              /* As it is now. */
    uint64_t since;             /* Ticks when a rise was first seen. */
    uint64_t latest;            /* Ticks when one was last seen. */
};

/* A datapath. */
struct fb_watched_dp {
    struct fb_watched hit;      /* Packets that matched a flow. */
    struct fb_watched missed;   /* Packets that did not. */
    struct fb_watched lost;     /* Upcalls lost on the way to userspace. */
    uint64_t n_flows;           /* Flows now. */
    struct fb_errnos put_errors; /* Flow puts that failed. */
    struct fb_watched put_failed; /* The number of those. */
};

/* A bridge whose MAC table has been too small. */
struct fb_mac_table {
    char bridge[64];            /* Its name, "" if there is none. */
    uint64_t n;                 /* Entries in its table. */
    uint64_t max;               /* How many there may be. */
    uint64_t evicted;           /* Entries thrown out since it was created. */
};

/* All that is watched. */
struct fb_watch {
    unsigned int epoch;         /* Recording that this belongs to. */
    uint64_t next_ns;           /* CLOCK_MONOTONIC from which to read again. */
    bool from_birth;            /* Did it begin before OVS's main()? */
    struct fb_watched coverage[FB_N_COVERAGE]; /* Counters. */
    struct fb_watched_dp dps[FB_MAX_DATAPATHS]; /* Datapaths. */
    struct fb_mac_table mac;    /* The worst one, when results were shown. */
    struct fb_errnos put_first[FB_MAX_DATAPATHS]; /* Failed before. */
};

/* What a source knows about a datapath, all since it was created. */
struct fb_watch_dp_sample {
    uint64_t hit;               /* Packets that matched a flow. */
    uint64_t missed;            /* Packets that did not. */
    uint64_t lost;              /* Upcalls lost. */
    uint64_t n_flows;           /* Flows. */
};

/* Where the figures come from.  Any member may be null. */
struct fb_watch_source {
    /* Stores the value of the coverage counter called 'name' in '*value'.
     * Returns false if there is none. */
    bool (*read_coverage)(const char *name, uint64_t *value);

    /* Fills in '*sample' for datapath 'dp'.  Returns false if it cannot. */
    bool (*read_dp)(int dp, struct fb_watch_dp_sample *sample);

    /* Returns the flow limit of datapath 'dp', or 0 if that is not known. */
    unsigned int (*read_limit)(int dp);

    /* Finds the bridge most of whose MAC entries were thrown out. */
    void (*read_mac)(struct fb_mac_table *);
};

/* For each counter, OVS's name, which is the name in JSON, too. */
extern const char *const fb_coverage_names[FB_N_COVERAGE];

void fb_watch_set_source(const struct fb_watch_source *);
void fb_watch_run(unsigned int epoch, uint64_t now);
void fb_watch_finish(unsigned int epoch, uint64_t now);
void fb_watch_dp_served(unsigned int epoch, int dp, uint64_t now);
const struct fb_watch *fb_watch_get(unsigned int epoch);

/* Returns by how much 'w' rose in the recording. */
static inline uint64_t
fb_watched_rise(const struct fb_watched *w)
{
    return w->last > w->first ? w->last - w->first : 0;
}

/* Returns by how much 'counter' rose in the recording; 0 if OVS does not have
 * it or 'w' is null. */
static inline uint64_t
fb_watch_rise(const struct fb_watch *w, enum fb_coverage counter)
{
    return w ? fb_watched_rise(&w->coverage[counter]) : 0;
}

#endif /* fb-watch.h */
