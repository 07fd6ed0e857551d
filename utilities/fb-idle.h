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

#ifndef FB_IDLE_H
#define FB_IDLE_H 1

/* How much of a CPU's time nobody wanted, as seen by a loop that has nothing
 * to do but to look at a clock.
 *
 * While such a loop runs undisturbed, two looks are as far apart as one takes.
 * Whatever takes the CPU from it, be it another thread, an interrupt, a
 * softirq or a hypervisor, and whatever the kernel books that as, moves two
 * looks further apart.  So the time between looks that are close together was
 * the CPU's to spare, and the rest was not.
 *
 * Time is counted, not turns of the loop: a CPU that changes its frequency, or
 * shares a core with a busy one, makes fewer turns in the same spare time.
 *
 * Times are in any one unit.  A struct fb_idle belongs to one thread. */

#include <stdint.h>

#include "compiler.h"

/* Two looks that are further apart than a look usually takes, times this, had
 * something between them.  A timer interrupt takes some microseconds. */
#define FB_IDLE_FACTOR 8

/* What a waiting loop has seen. */
struct fb_idle {
    uint64_t gap;               /* Looks further apart had work between. */
    uint64_t last;              /* When it last looked; 0 if it has done
                                 * something else since. */
    uint64_t total;             /* Spare time since fb_idle_init(). */
};

uint64_t fb_idle_get_gap(uint64_t (*clock)(void));
void fb_idle_init(struct fb_idle *, uint64_t (*clock)(void));

/* Notes that the loop of 'idle', which waits, has looked at the clock, which
 * said 'now'; it had work since it last looked if that was more than 'gap'
 * ago. */
static inline void
fb_idle_look_within(struct fb_idle *idle, uint64_t now, uint64_t gap)
{
    uint64_t step = now - idle->last;
    if (OVS_LIKELY(idle->last && step <= gap)) {
        idle->total += step;
    }
    idle->last = now;
}

/* Notes that the loop of 'idle', which waits, has looked at the clock, which
 * said 'now'. */
static inline void
fb_idle_look(struct fb_idle *idle, uint64_t now)
{
    fb_idle_look_within(idle, now, idle->gap);
}

/* Notes that the loop of 'idle' does something else now than to wait. */
static inline void
fb_idle_work(struct fb_idle *idle)
{
    idle->last = 0;
}

#endif /* fb-idle.h */
