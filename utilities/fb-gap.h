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

#ifndef FB_GAP_H
#define FB_GAP_H 1

/* How exactly a load keeps its schedule: by how much the time between two
 * frames differs from what was intended.
 *
 * A frame's time is that at which the system call that sends it begins, so
 * that frames of one call have no time between them.  Frames that were given
 * up are as if they had not been intended. */

#include <stdbool.h>
#include <stdint.h>

#include "fb-hist.h"

struct fb_pace;

/* What is known of the gaps of a run. */
struct fb_gap {
    struct fb_hist errors;      /* In ns, without sign. */
    bool begun;                 /* Was there a frame yet? */
    uint64_t sent_ns;           /* When the last frame was sent... */
    uint64_t due_ns;            /* ...and was due, since the start. */
};

/* The same in a few numbers. */
struct fb_gap_error {
    uint64_t n;                 /* Gaps, that is, frames but the first. */
    uint64_t p50_ns, p99_ns;    /* Quantiles, within FB_HIST_MAX_ERROR. */
    uint64_t max_ns;
};

void fb_gap_init(struct fb_gap *);
void fb_gap_add(struct fb_gap *, const struct fb_pace *, uint64_t first,
                uint64_t n, uint64_t sent_ns);
void fb_gap_get(const struct fb_hist *, struct fb_gap_error *);

#endif /* fb-gap.h */
