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

#ifndef FB_FIND_H
#define FB_FIND_H 1

/* The rules by which findings are found, for fb-findings.c: each adds to the
 * findings what it is for, if the snapshot has it.
 *
 * Thread rules: main thread only. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "fb-findings.h"
#include "fb-snapshot.h"

struct fb_finding *fb_finding_add(struct fb_findings *,
                                  const struct fb_snapshot *,
                                  enum fb_severity, const char *code,
                                  uint64_t ticks);

typedef void fb_find_func(const struct fb_snapshot *, struct fb_findings *);

/* Rounds and the flow limit. */
fb_find_func fb_find_slow_rounds;
fb_find_func fb_find_starved;
fb_find_func fb_find_limit_reduced;
fb_find_func fb_find_over_limit;

/* Upcalls and flows. */
fb_find_func fb_find_mac_table;
fb_find_func fb_find_put_errors;
fb_find_func fb_find_lost;
fb_find_func fb_find_dropped;
fb_find_func fb_find_idle_out;
fb_find_func fb_find_put_again;
fb_find_func fb_find_vanished;
fb_find_func fb_find_misses;

/* The main thread. */
fb_find_func fb_find_holds;
fb_find_func fb_find_sweeps;

/* Returns the part of 'n' set-ups or misses of 'dp' that was recorded by flow,
 * of which alone it is known whether a flow came back. */
static inline uint64_t
fb_find_recorded(const struct fb_snapshot_dp *dp, uint64_t n)
{
    uint64_t misses = dp->total.n[FB_C_MISS];
    uint64_t unrecorded = dp->total.n[FB_C_UNRECORDED];

    return (unrecorded && unrecorded <= misses
            ? (double) n * (misses - unrecorded) / misses : n);
}

/* Says whether 'dp' is a kernel datapath. */
static inline bool
fb_find_is_kernel(const struct fb_snapshot_dp *dp)
{
    return !strncmp(dp->name, "system@", strlen("system@"));
}

#endif /* fb-find.h */
