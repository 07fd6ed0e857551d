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

#ifndef FB_MISSES_H
#define FB_MISSES_H 1

/* The short way to count a miss of a userspace datapath.
 *
 * A flow set-up runs through more code than a processor's first-level cache
 * holds, so each line of code and data that the probe adds comes from the
 * next level.  In a storm of upcalls most misses are those that the flow
 * ledger is not told of (see fb-births.h), and there is little to do about
 * one.  So what that needs is in one cache line of the thread, and what
 * is done is in fb_misses_count(), which is meant to be inlined in the probe.
 *
 * The way opens when the ledger has no budget for more, until it may have
 * again.  What is counted is the same on either way, at once and exactly.
 *
 * Thread rules: everything here concerns the calling thread alone. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-clock.h"
#include "fb-counters.h"
#include "fb-hist.h"
#include "fb-record.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "openvswitch/compiler.h"
#include "util.h"

/* Misses that a thread tells the ledger of at a time. */
#define FB_MISSES_AT_ONCE 8

/* What a thread needs.  All zeros at first. */
struct fb_misses {
    unsigned int epoch;         /* Recording that this is valid in. */
    int dp;                     /* Index of the datapath. */
    uint64_t closed_from;       /* Ticks up to which the way is open. */
    struct fb_record *record;   /* The thread's counters for 'dp'. */
    struct fb_upcall_stats *stats; /* Its statistics for 'dp'. */
    uint64_t ticks;             /* Time that 'n' misses took. */
    uint32_t n;                 /* Misses that the ledger does not know of. */
    bool told;                  /* Does it know of any? */
};

/* The calling thread's.  Internal. */
extern FB_THREAD_LOCAL struct fb_misses fb_misses__;

void fb_misses_add(unsigned int epoch, int dp, uint64_t ticks);
void fb_misses_tell__(void);
void fb_misses_count__(unsigned int epoch, int dp, uint64_t ticks, int error);
void fb_misses_open(struct fb_thread *, int dp, uint64_t until);

/* Says whether a miss of the calling thread in datapath 'dp' at 'now' (ticks)
 * goes the short way. */
static inline bool
fb_misses_are_short(unsigned int epoch, int dp, uint64_t now)
{
    const struct fb_misses *misses = &fb_misses__;

    return (misses->epoch == epoch && misses->dp == dp
            && now < misses->closed_from);
}

/* Counts a miss in datapath 'dp', for which fb_misses_are_short() returned
 * true before it was translated in 'ticks' with positive errno 'error', or
 * 0. */
static inline void
fb_misses_count(unsigned int epoch, int dp, uint64_t ticks, int error)
{
    struct fb_misses *misses = &fb_misses__;
    struct fb_record *record;

    /* Another upcall may have come in between. */
    if (OVS_UNLIKELY(error || misses->epoch != epoch || misses->dp != dp
                     || misses->n >= FB_MISSES_AT_ONCE - 1)) {
        fb_misses_count__(epoch, dp, ticks, error);
        return;
    }
    record = misses->record;
    misses->ticks += ticks;
    misses->n++;
    fb_record_add(record, FB_C_MISS, 1);
    fb_record_add(record, FB_C_UNRECORDED, 1);
    fb_record_add(record, FB_C_UPCALL_TICKS, ticks);
    fb_upcalls_count_miss(misses->stats, ticks);
}

#endif /* fb-misses.h */
