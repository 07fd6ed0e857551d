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

#include "fb-idle.h"

#include <stdlib.h>

#include "util.h"

/* Looks from which the usual time of one is found. */
#define N_LOOKS 101

/* For qsort(). */
static int
compare_times(const void *a_, const void *b_)
{
    const uint64_t *a = a_;
    const uint64_t *b = b_;
    return *a < *b ? -1 : *a > *b;
}

/* Returns how far apart, in the unit of 'clock', two looks at it must be for
 * something to have been between them.  The calling thread looks some times to
 * learn how long that takes it here: on a PC some tens of nanoseconds, in a
 * User-Mode Linux guest more than one microsecond. */
uint64_t
fb_idle_get_gap(uint64_t (*clock)(void))
{
    uint64_t steps[N_LOOKS];
    uint64_t last = clock();

    for (size_t i = 0; i < N_LOOKS; i++) {
        uint64_t now = clock();
        steps[i] = now - last;
        last = now;
    }
    qsort(steps, N_LOOKS, sizeof *steps, compare_times);
    return FB_IDLE_FACTOR * MAX(steps[N_LOOKS / 2], 1);
}

/* Prepares 'idle' for a loop that looks at 'clock', see fb_idle_get_gap(). */
void
fb_idle_init(struct fb_idle *idle, uint64_t (*clock)(void))
{
    *idle = (struct fb_idle) { .gap = fb_idle_get_gap(clock) };
}
