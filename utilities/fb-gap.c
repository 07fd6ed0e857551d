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
#include "fb-gap.h"

#include <string.h>

#include "fb-pace.h"

/* Makes 'gap' that of a run that is about to begin. */
void
fb_gap_init(struct fb_gap *gap)
{
    fb_hist_init(&gap->errors);
    gap->begun = false;
}

/* Counts in 'gap' that 'n' frames of 'pace', from number 'first' on, were sent
 * 'sent_ns' ns after the start. */
void
fb_gap_add(struct fb_gap *gap, const struct fb_pace *pace, uint64_t first,
           uint64_t n, uint64_t sent_ns)
{
    for (uint64_t i = first; i < first + n; i++) {
        uint64_t due_ns = fb_pace_due_ns(pace, i);

        if (gap->begun) {
            int64_t error = ((sent_ns - gap->sent_ns)
                             - (due_ns - gap->due_ns));
            fb_hist_record(&gap->errors, error < 0 ? -error : error);
        }
        gap->begun = true;
        gap->sent_ns = sent_ns;
        gap->due_ns = due_ns;
    }
}

/* Stores in '*e' what 'errors' say. */
void
fb_gap_get(const struct fb_hist *errors, struct fb_gap_error *e)
{
    memset(e, 0, sizeof *e);
    e->n = fb_hist_count(errors);
    if (e->n) {
        e->p50_ns = fb_hist_quantile(errors, 0.5);
        e->p99_ns = fb_hist_quantile(errors, 0.99);
        e->max_ns = fb_hist_max(errors);
    }
}
