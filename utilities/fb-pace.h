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

#ifndef FB_PACE_H
#define FB_PACE_H 1

/* When the frames of a fixed rate are due
 * =======================================
 *
 * Frame k is due k / rate seconds after the start, whenever those before it
 * were sent: lateness does not add up.  A frame that is late by more than
 * FB_PACE_MAX_LATE_NS is given up, for a sender that was held up must not make
 * a burst of what it owes.
 *
 * This module reads no clock. */

#include <stdbool.h>
#include <stdint.h>

#define FB_PACE_MAX_RATE UINT64_C(1000000000)  /* In frames per second. */
#define FB_PACE_MAX_LATE_NS UINT64_C(1000000)

/* A schedule.  Members other than 'next' do not change. */
struct fb_pace {
    uint64_t rate;              /* Frames per second. */
    uint64_t n_planned;         /* Number of frames in all. */
    uint64_t next;              /* The first frame not sent nor given up. */
};

void fb_pace_init(struct fb_pace *, uint64_t rate, uint64_t duration_ns);
uint64_t fb_pace_due_ns(const struct fb_pace *, uint64_t frame);
uint64_t fb_pace_give_up(struct fb_pace *, uint64_t elapsed_ns);
uint64_t fb_pace_ready(const struct fb_pace *, uint64_t elapsed_ns);
bool fb_pace_is_done(const struct fb_pace *);

#endif /* fb-pace.h */
