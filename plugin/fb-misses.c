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

#include "fb-misses.h"

#include "fb-ledger-life.h"
#include "fb-ledger.h"
#include "fb-thread.h"

/* In a cache line of its own. */
FB_THREAD_LOCAL struct fb_misses fb_misses__
    __attribute__((aligned(CACHE_LINE_SIZE)));
BUILD_ASSERT_DECL(sizeof(struct fb_misses) <= CACHE_LINE_SIZE);

/* Tells the ledger of the misses that it does not know of.  Internal. */
void
fb_misses_tell__(void)
{
    struct fb_misses *misses = &fb_misses__;
    struct fb_ledger *ledger = fb_ledger_get(misses->epoch);

    if (ledger) {
        fb_record_sum(&ledger->dps[misses->dp].miss_ticks, misses->ticks);
        fb_record_sum(&ledger->dps[misses->dp].misses, misses->n);
    }
    misses->n = misses->ticks = 0;
    misses->told = true;
}

/* A miss in datapath 'dp' took 'ticks' of the calling thread.  The ledger is
 * told at once of the first, and then of some at a time. */
void
fb_misses_add(unsigned int epoch, int dp, uint64_t ticks)
{
    struct fb_misses *misses = &fb_misses__;

    if (OVS_UNLIKELY(misses->epoch != epoch || misses->dp != dp)) {
        if (misses->n) {
            fb_misses_tell__();
        }
        *misses = (struct fb_misses) { .epoch = epoch, .dp = dp };
    }
    misses->ticks += ticks;
    misses->n++;
    if (misses->n >= FB_MISSES_AT_ONCE || !misses->told) {
        fb_misses_tell__();
    }
}

/* Does what fb_misses_count() does, whatever came in between.  Internal. */
void
fb_misses_count__(unsigned int epoch, int dp, uint64_t ticks, int error)
{
    struct fb_thread *thread = fb_thread_self(epoch);
    struct fb_record *record = fb_thread_record(thread, dp);

    fb_record_add(record, FB_C_MISS, 1);
    fb_record_add(record, FB_C_UNRECORDED, 1);
    fb_record_add(record, FB_C_UPCALL_ERRORS, error != 0);
    fb_record_add(record, FB_C_UPCALL_TICKS, ticks);
    fb_upcalls_called(thread, dp, FB_UC_MISS, ticks, error);
    fb_misses_add(epoch, dp, ticks);
}

/* The ledger is not to be told one by one of misses of 'thread', the calling
 * thread, in datapath 'dp' before 'until' (ticks): opens the short way for
 * them.  fb_misses_add() came before. */
void
fb_misses_open(struct fb_thread *thread, int dp, uint64_t until)
{
    struct fb_misses *misses = &fb_misses__;

    misses->record = fb_thread_record(thread, dp);
    misses->stats = fb_upcalls_stats(thread, dp);
    misses->closed_from = misses->record ? until : 0;
}
