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

#ifndef FB_SHOW_UPCALLS_H
#define FB_SHOW_UPCALLS_H 1

/* "fanbench/upcalls".
 *
 * Thread rules: main thread only. */

#include <stddef.h>
#include <stdint.h>
#include "fb-datapath.h"

struct ds;
struct fb_snapshot;
struct fb_upcall_stats;
struct json;

/* What happened since an earlier time. */
struct fb_upcalls_interval {
    uint64_t ticks;             /* How long ago that is. */
    uint64_t n_upcalls;         /* Upcalls served since. */
    uint64_t n_missed;          /* Packets that missed since. */
    uint64_t n_lost;            /* Upcalls lost since. */
};

/* What text and JSON are made from, beside the snapshot. */
struct fb_upcalls_view {
    int dp;                     /* Only this datapath, or -1. */
    size_t n_threads;           /* Elements of 'threads'. */
    struct fb_upcall_stats **threads; /* By thread. */
    struct fb_upcall_stats *sums[FB_MAX_DATAPATHS]; /* By datapath, or null. */
    struct fb_upcalls_interval recent[FB_MAX_DATAPATHS]; /* Since the last
                                                          * view. */
};

struct fb_upcalls_view *fb_upcalls_view_take(const struct fb_snapshot *,
                                             int dp);
void fb_upcalls_view_free(struct fb_upcalls_view *);
uint64_t fb_upcalls_count(const struct fb_upcall_stats *);

void fb_show_upcalls_text(const struct fb_snapshot *,
                          const struct fb_upcalls_view *, struct ds *);
struct json *fb_show_upcalls_json(const struct fb_snapshot *,
                                  const struct fb_upcalls_view *);

#endif /* fb-show-upcalls.h */
