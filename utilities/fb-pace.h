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

/* Pacing
 * ======
 *
 * When the frames of a load are due: at a constant rate, at one that rises or
 * falls steadily, or in bursts with pauses between them.
 *
 * Frame number i is due at the time that the schedule gives it, whatever
 * became of the frames before it, so that rounding never adds up.
 *
 * A frame that is late by more than FB_PACE_MAX_LATE_NS is given up.  Sending
 * it would make up for lost time in a burst, which is another load than the
 * one that was asked for.  So a burst has at most 1 ms worth of frames.
 *
 * All times are in ns since the start.  This module reads no clock. */

#include <stdbool.h>
#include <stdint.h>

#define FB_PACE_MAX_RATE UINT64_C(1000000000)  /* In frames per second. */
#define FB_PACE_MAX_LATE_NS UINT64_C(1000000)

/* What a schedule is like. */
struct fb_pace_spec {
    uint64_t rate;              /* Frames per second, up to FB_PACE_MAX_RATE;
                                 * 0 for as many as possible. */
    uint64_t end_rate;          /* The rate at the end, or 0 if it is
                                 * constant.  Not with bursts. */
    uint64_t burst_ns;          /* Length of a burst, and of the pause after...
                                 */
    uint64_t pause_ns;          /* ...it; both 0 if there are none. */

    /* Where several senders share a schedule: this one has its frame number
     * 'first', from 0, and every 'step'-th after that.  All if 'step' is 0. */
    uint64_t first;
    uint64_t step;
};

/* A schedule, or a sender's share of it, whose frames are numbered from 0.
 * Members other than 'next' do not change. */
struct fb_pace {
    struct fb_pace_spec spec;
    uint64_t duration_ns;       /* Of it all. */
    uint64_t n_planned;         /* Number of frames in all. */
    uint64_t next;              /* The first frame not sent nor given up. */
};

void fb_pace_init(struct fb_pace *, const struct fb_pace_spec *,
                  uint64_t duration_ns);
uint64_t fb_pace_due_ns(const struct fb_pace *, uint64_t frame);
uint64_t fb_pace_give_up(struct fb_pace *, uint64_t elapsed_ns);
uint64_t fb_pace_ready(const struct fb_pace *, uint64_t elapsed_ns);
bool fb_pace_is_done(const struct fb_pace *);

#endif /* fb-pace.h */
