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

#ifndef FB_BIRTHS_H
#define FB_BIRTHS_H 1

/* How many flow set-ups go into the flow ledger one by one.
 *
 * To tell the ledger of a flow set-up costs the thread that does it some
 * hundreds of instructions and a few cache misses.  In a storm of upcalls,
 * when nobody looks at each flow, that is too much.  So there is a budget: a
 * number of set-ups per second for all threads together, of which up to a
 * second's worth is saved up.  Those beyond it are only counted.  In a storm
 * those that are recorded are spread evenly over it.
 *
 * Each thread has a share of the budget, some set-ups, and gets the next from
 * what all have in common, which is the time up to which set-ups are paid for
 * (a "virtual scheduling" leaky bucket, see ITU-T I.371, annex A).
 *
 * Thread rules: fb_births_configure() and fb_births_begin() are for the main
 * thread.  The rest is for any thread, each with a share of its own, and
 * neither waits nor takes a lock. */

#include <stdbool.h>
#include <stdint.h>
#include "openvswitch/compiler.h"

/* Set-ups per second by default: at one that takes 25 us of a thread, which
 * then does nothing else, one in eight. */
#define FB_BIRTHS_DEFAULT 5000

/* What a thread has of the budget.  All zeros to begin with. */
struct fb_births_share {
    int32_t left;               /* Set-ups that it may record; if negative, it
                                 * has recorded more. */
    uint64_t not_before;        /* There are no more before this, in ticks. */
};

void fb_births_configure(unsigned int per_second);
unsigned int fb_births_begin(void);
bool fb_births_claim__(struct fb_births_share *, uint64_t now);

/* Says whether a thread whose share is 'share' may record a set-up at 'now'
 * (ticks).  If so, fb_births_record() must follow for each that it records,
 * which may be a few. */
static inline bool
fb_births_admit(struct fb_births_share *share, uint64_t now)
{
    return (share->left > 0
            || (now >= share->not_before && fb_births_claim__(share, now)));
}

/* Takes a set-up from 'share'. */
static inline void
fb_births_record(struct fb_births_share *share)
{
    share->left--;
}

#endif /* fb-births.h */
