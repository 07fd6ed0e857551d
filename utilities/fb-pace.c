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

#include <math.h>

#include "util.h"

#define NS_PER_S UINT64_C(1000000000)

/* Returns how much of the first 'elapsed_ns' ns of 'pace' lies in bursts: all
 * of it if there are none. */
static uint64_t
active_ns(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    uint64_t burst_ns = pace->spec.burst_ns;

    if (!burst_ns) {
        return elapsed_ns;
    }
    uint64_t period_ns = burst_ns + pace->spec.pause_ns;
    return (elapsed_ns / period_ns * burst_ns
            + MIN(elapsed_ns % period_ns, burst_ns));
}

/* Returns the number of frames that are due in the first 'elapsed_ns' ns of a
 * ramp. */
static uint64_t
count_ramp(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    long double t = MIN(elapsed_ns, pace->duration_ns) / 1e9L;
    long double slope = (((long double) pace->spec.end_rate
                          - pace->spec.rate)
                         / (pace->duration_ns / 1e9L));

    return ceill(t * (pace->spec.rate + t * slope / 2));
}

/* Returns the number of frames of the whole schedule that are due before
 * 'elapsed_ns', were there no end of them.  A constant rate is split at the
 * second so that it cannot overflow. */
static uint64_t
count_all_before(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    if (pace->spec.end_rate) {
        return count_ramp(pace, elapsed_ns);
    }
    uint64_t rate = pace->spec.rate;
    uint64_t active = active_ns(pace, elapsed_ns);
    uint64_t s = active / NS_PER_S;
    uint64_t ns = active % NS_PER_S;

    return s * rate + DIV_ROUND_UP(ns * rate, NS_PER_S);
}

/* Returns the number of frames of 'pace' that are due before 'elapsed_ns',
 * were there no end of them. */
static uint64_t
count_due_before(const struct fb_pace *pace, uint64_t elapsed_ns)
{
    uint64_t n = count_all_before(pace, elapsed_ns);

    return (pace->spec.step <= 1 ? n
            : n <= pace->spec.first ? 0
            : (n - pace->spec.first - 1) / pace->spec.step + 1);
}

/* Makes 'pace' the schedule of 'spec', whose rate is not 0, for 'duration_ns'
 * ns. */
void
fb_pace_init(struct fb_pace *pace, const struct fb_pace_spec *spec,
             uint64_t duration_ns)
{
    pace->spec = *spec;
    pace->duration_ns = duration_ns;
    pace->next = 0;
    pace->n_planned = duration_ns ? count_due_before(pace, duration_ns) : 0;
}

/* Returns when 'frame' of the whole schedule, a ramp, is due.  Where the rate
 * is almost constant the root loses digits, so that the time is found by
 * halving. */
static uint64_t
due_in_ramp(const struct fb_pace *pace, uint64_t frame)
{
    uint64_t lo = 0;
    uint64_t hi = pace->duration_ns;

    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (count_ramp(pace, mid + 1) > frame) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return lo;
}

/* Returns when 'frame' is due, in ns after the start, rounded down. */
uint64_t
fb_pace_due_ns(const struct fb_pace *pace, uint64_t frame)
{
    if (pace->spec.step > 1) {
        frame = frame * pace->spec.step + pace->spec.first;
    }
    if (pace->spec.end_rate) {
        return due_in_ramp(pace, frame);
    }
    uint64_t rate = pace->spec.rate;
    uint64_t burst_ns = pace->spec.burst_ns;
    uint64_t active = frame / rate * NS_PER_S + frame % rate * NS_PER_S / rate;

    return (burst_ns
            ? active / burst_ns * (burst_ns + pace->spec.pause_ns)
              + active % burst_ns
            : active);
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
