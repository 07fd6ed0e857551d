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


#ifndef FB_LOOK_H
#define FB_LOOK_H 1

/* In which revalidation rounds the flow ledger looks at the flows.
 *
 * To look up a flow's record and bring it up to date takes a few tens of ns.
 * That is much beside the few hundred that a revalidator of a userspace
 * datapath takes for a flow that has not changed.  So the ledger looks at the
 * flows in some rounds only, and measures what that takes:
 *
 *   - in every Nth, where N was asked for, or else
 *
 *   - in every Nth, where N is such that looking takes FB_LOOK_PERMILLE of the
 *     revalidators' time in all rounds, by what it took in the latest ones
 *     that were looked at; and
 *
 *   - in rounds of at most FB_LOOK_FEW flows, if the latest one that was
 *     looked at was FB_LOOK_PAUSE_MS ago: that takes no more than a thousandth
 *     of a CPU.
 *
 * Each flow's revalidation time in such a round stands for the rounds before
 * it that were not looked at, too: see fb_look_weight().
 *
 * Thread rules: fb_look_begin() and fb_look_end() are for the thread that
 * leads a round, the rest for any thread in the round.  Readers may read at
 * any time. */

#include <stdbool.h>
#include <stdint.h>
#include "ovs-atomic.h"

#define FB_LOOK_PERMILLE 8      /* Of revalidators' time, for looking. */
#define FB_LOOK_FEW 1000        /* So many flows are few. */
#define FB_LOOK_PAUSE_MS 100    /* Looks at few flows are so far apart. */
#define FB_LOOK_MAX_EVERY 200   /* Not more seldom than this. */

/* State for one datapath.  All zeros at first.  Times are in ticks. */
struct fb_look {
    atomic_uint64_t round;      /* Id of the latest round looked at. */
    atomic_uint64_t when;       /* When that began. */
    atomic_uint32_t since;      /* Rounds after that one. */
    atomic_uint32_t weight;     /* Rounds that it stands for. */
    atomic_uint32_t every;      /* N, if it was not asked for; 0 before the
                                 * first. */
    atomic_uint32_t n_rounds;   /* Rounds that ended. */
    atomic_uint32_t n_looked;   /* Of these, those that were looked at. */
    atomic_uint64_t took;       /* What looking took, in all. */
    atomic_uint64_t work;       /* Revalidators' time for dumping and
                                 * revalidating in all rounds, that of looking
                                 * included. */

    /* The latest rounds that were looked at: sums in which each counts for
     * half of the next. */
    atomic_uint64_t recent_took; /* What looking took. */
    atomic_uint64_t recent_work; /* All, as 'work'. */

    /* The present round, or the latest while there is none. */
    atomic_uint64_t now_flows;  /* Flows dumped so far. */
    atomic_uint64_t now_took;   /* What looking took so far. */
    atomic_uint64_t now_work;   /* All, as 'work'. */
};

void fb_look_begin(struct fb_look *, unsigned int every, uint64_t id,
                   bool must, uint64_t now);
void fb_look_add(struct fb_look *, uint64_t n_flows, uint64_t took,
                 uint64_t work);
void fb_look_end(struct fb_look *, uint64_t id);

bool fb_look_is_on(const struct fb_look *, uint64_t id);
uint32_t fb_look_weight(const struct fb_look *);
double fb_look_share(const struct fb_look *);

#endif /* fb-look.h */
