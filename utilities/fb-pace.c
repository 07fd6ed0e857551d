/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-pace.h"

#include "util.h"

#define NS_PER_S UINT64_C(1000000000)

/* Returns the number of frames of 'pace' that are due before 'elapsed_ns',
 * were there no end of them.  Split at the second so that it cannot
 * overflow. */
static uint64_t
count_due_before(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    uint64_t s = elapsed_ns / NS_PER_S;
    uint64_t ns = elapsed_ns % NS_PER_S;

    return s * pace->rate + DIV_ROUND_UP(ns * pace->rate, NS_PER_S);
}

/* Makes 'pace' the schedule of 'rate' frames per second, from 1 to
 * FB_PACE_MAX_RATE, for 'duration_ns' ns. */
void
fb_pace_init(struct fb_pace *pace, uint64_t rate, uint64_t duration_ns)
{
    pace->rate = rate;
    pace->next = 0;
    pace->n_planned = count_due_before(pace, duration_ns);
}

/* Returns when 'frame' is due, in ns after the start, rounded down. */
uint64_t
fb_pace_due_ns(const struct fb_pace *pace, uint64_t frame)
{
    return (frame / pace->rate * NS_PER_S
            + frame % pace->rate * NS_PER_S / pace->rate);
}

/* Gives up the frames that are too late 'elapsed_ns' ns after the start.
 * Returns their number. */
uint64_t
fb_pace_give_up(struct fb_pace *pace, uint64_t elapsed_ns)
{
    if (elapsed_ns <= FB_PACE_MAX_LATE_NS) {
        return 0;
    }

    uint64_t first = MIN(pace->n_planned,
                         count_due_before(pace,
                                          elapsed_ns - FB_PACE_MAX_LATE_NS));
    uint64_t n = first > pace->next ? first - pace->next : 0;

    pace->next += n;
    return n;
}

/* Returns the number of frames that are to be sent now, 'elapsed_ns' ns after
 * the start.  The caller adds those that it sent to 'pace->next'. */
uint64_t
fb_pace_ready(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    uint64_t end = MIN(pace->n_planned,
                       count_due_before(pace, elapsed_ns + 1));

    return end > pace->next ? end - pace->next : 0;
}

/* Returns true if every frame was sent or given up. */
bool
fb_pace_is_done(const struct fb_pace *pace)
{
    return pace->next >= pace->n_planned;
}
