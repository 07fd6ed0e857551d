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
#include "fanbench-config.h"

#include "fb-births.h"

#include "fb-clock.h"
#include "ovs-atomic.h"
#include "util.h"

/* Set-ups that a thread takes from the budget at a time, at most. */
#define CHUNK 16

/* Chunks in a second's budget, at least: a smaller budget has smaller
 * chunks. */
#define MIN_CHUNKS 64

/* Set-ups per second in the next recording; 0: no limit. */
static unsigned int configured = FB_BIRTHS_DEFAULT;

/* The present budget: ticks for each set-up (0: no limit), ticks that can be
 * saved up, and set-ups in a chunk. */
static atomic_uint64_t ticks_each = 0;
static atomic_uint64_t ticks_saved = 0;
static atomic_uint32_t chunk = CHUNK;

/* Set-ups are paid for up to this, in ticks.  If it is in the past, some are
 * saved up. */
static atomic_uint64_t paid_until = 0;

/* From the next recording on, 'per_second' set-ups per second are recorded; 0:
 * all. */
void
fb_births_configure(unsigned int per_second)
{
    configured = per_second;
}

/* A recording begins, with a second's worth of set-ups saved up.  Shares from
 * before it are no longer valid.  Returns how many per second are recorded, or
 * 0 for all. */
unsigned int
fb_births_begin(void)
{
    const uint64_t second = UINT64_C(1000000000);
    uint64_t ticks = (double) second * second / fb_clock_to_ns(second);
    uint64_t each = configured ? MAX(ticks / configured, 1) : 0;

    atomic_store_relaxed(&paid_until, 0);
    atomic_store_relaxed(&ticks_each, each);
    atomic_store_relaxed(&ticks_saved, MIN(each * configured, ticks));
    atomic_store_relaxed(&chunk, MIN(MAX(configured / MIN_CHUNKS, 1), CHUNK));
    return configured;
}

/* 'share' is used up: gets more for it at 'now' (ticks), of which what it
 * recorded too much is paid for, too.  Returns false if the budget has
 * none. */
bool
fb_births_claim__(struct fb_births_share *share, uint64_t now)
{
    uint64_t each, saved, paid, start;
    uint32_t n;

    atomic_read_relaxed(&ticks_each, &each);
    atomic_read_relaxed(&ticks_saved, &saved);
    atomic_read_relaxed(&chunk, &n);
    if (!each) {
        share->left = INT32_MAX;
        return true;
    }
    atomic_read_relaxed(&paid_until, &paid);
    do {
        /* What was saved up beyond a second's worth is forfeit. */
        start = MAX(paid, now > saved ? now - saved : 0);
        if (start + each > now) {
            share->not_before = start + each;
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(
                 &paid_until, &paid, start + each * (n - share->left),
                 memory_order_relaxed, memory_order_relaxed));
    share->left = n;
    return true;
}
