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

#ifndef FB_MARKER_H
#define FB_MARKER_H 1

/* Which frames of a load are marked
 * =================================
 *
 * A sender has a marker and consults it once for each system call:
 *
 *     if (fb_marker_is_due(marker, now)) {
 *         fb_marker_write(marker, next frame, its length, 0);
 *         ...send marker->frame instead of that frame...
 *         fb_marker_next(marker, now);
 *     }
 *
 * At a fixed rate, every so many frames one is marked, wherever it stands in
 * its batch, with the time at which it was due: so a sender that is held up
 * does not hide what held it up.  As fast as it goes, nothing is due at any
 * time: then the first frame of a batch is marked when some time has passed,
 * with the time right before the system call that sends it.
 *
 * One thread at a time uses a marker. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-packet.h"
#include "util.h"

/* A rate: every frame of a paced run, the first of each batch of another. */
#define FB_MARKER_ALL UINT64_MAX

/* A marker.  The members of the first group may be read between two runs; the
 * others are the functions' own business. */
struct fb_marker {
    uint64_t first_seq;         /* Sequence number of the first. */
    uint64_t n_marked;          /* Marked frames that were tried, which, after
                                 * 'first_seq', is the sequence number of the
                                 * next one. */
    uint64_t n_missed;          /* Frames that were to be marked but were
                                 * never tried, being late. */

    uint64_t rate;              /* Frames to mark per second; 0 for none;
                                 * FB_MARKER_ALL. */
    uint64_t next;              /* What is to be marked next: the frame with
                                 * this number in a paced run, otherwise the
                                 * first one after this time of
                                 * CLOCK_MONOTONIC, in ns. */
    uint64_t interval;          /* Between two marks, in the unit of 'next'. */
    int64_t realtime_ofs;       /* CLOCK_REALTIME - CLOCK_MONOTONIC, in ns. */
    uint8_t frame[FB_PACKET_MAX_SIZE]; /* The marked frame. */
};

void fb_marker_init(struct fb_marker *, uint64_t first_seq, uint64_t rate);
void fb_marker_set_rate(struct fb_marker *, uint64_t rate);

void fb_marker_start_paced(struct fb_marker *, uint64_t pps, size_t n_frames);
void fb_marker_start_unpaced(struct fb_marker *, uint64_t start_ns);
bool fb_marker_is_clock_steady(const struct fb_marker *);

void fb_marker_write(struct fb_marker *, const void *like, size_t len,
                     uint64_t due_ns);
void fb_marker_next(struct fb_marker *, uint64_t now);
void fb_marker_skip(struct fb_marker *, uint64_t frame);

/* Returns true if what is to be marked next is before 'position': in a paced
 * run, the number of the first frame after a batch; otherwise the present
 * time of CLOCK_MONOTONIC, in ns. */
static inline bool
fb_marker_is_due(const struct fb_marker *marker, uint64_t position)
{
    return OVS_UNLIKELY(marker->next < position);
}

#endif /* fb-marker.h */
