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

#ifndef FB_MARKS_H
#define FB_MARKS_H 1

/* The marked frames of a DUT, from the generator to the sinks.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct fb_dut;
struct fb_latency;
struct fb_marks;

/* Which frames of a trial are marked. */
enum fb_marking {
    FB_MARK_NONE,
    FB_MARK_SOME,               /* As many per second as in fb_marks_open(). */
    FB_MARK_ALL                 /* All, of a trial at a fixed rate. */
};

/* What became of marked frames. */
struct fb_marks_tally {
    uint64_t tried;             /* Marked frames that were sent, or that the
                                 * kernel refused: part of those offered. */
    uint64_t arrived;           /* Of those, arrivals at a sink. */
    uint64_t missed;            /* Frames that were to be marked, but were
                                 * given up by the generator, being late. */
    uint64_t unread;            /* Arrivals that found no room in the ring:
                                 * part of 'arrived' of unknown latency. */
    bool clock_set;             /* Somebody set the clock meanwhile: there are
                                 * no latencies. */
};

size_t fb_marks_slots(uint64_t rate, double duration);
char *fb_marks_open(struct fb_dut *, uint64_t rate, size_t n_slots)
    OVS_WARN_UNUSED_RESULT;
void fb_marks_close(struct fb_marks *);

char *fb_marks_prove(struct fb_dut *, size_t *n_missing)
    OVS_WARN_UNUSED_RESULT;

void fb_marks_begin(struct fb_marks *, enum fb_marking, struct fb_latency *);
uint64_t fb_marks_longest(struct fb_marks *);
void fb_marks_end(struct fb_marks *, struct fb_marks_tally *);
uint64_t fb_marks_received(struct fb_marks *);
uint64_t fb_marks_next_seq(const struct fb_marks *);

void fb_marks_tally_add(struct fb_marks_tally *,
                        const struct fb_marks_tally *);

#endif /* fb-marks.h */
