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

#include "fb-marker.h"

#include <stdlib.h>

#include "fb-gcd.h"
#include "fb-mark.h"
#include "timeval.h"

#define NS_PER_S UINT64_C(1000000000)

/* In a paced run at least this many frames are not marked between two that
 * are: it is the load that is measured, not the marks. */
#define MIN_PACED_INTERVAL 10

/* The two clocks are read this often for one difference: the closest pair
 * counts. */
#define N_READINGS 8

/* The difference of the two clocks is measured to within some microseconds
 * where reading a clock is a system call.  A greater change than this, in ns,
 * is a step: both are slewed alike. */
#define MAX_STEP_NS 20000

/* Returns the time of clock 'id' in ns. */
static int64_t
clock_ns(clockid_t id)
{
    struct timespec ts;

    xclock_gettime(id, &ts);
    return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Returns CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns.  The error is at most
 * half of the time that reading a clock twice takes. */
static int64_t
measure_realtime_ofs(void)
{
    int64_t best_width = INT64_MAX;
    int64_t ofs = 0;

    for (int i = 0; i < N_READINGS; i++) {
        int64_t before = clock_ns(CLOCK_MONOTONIC);
        int64_t realtime = clock_ns(CLOCK_REALTIME);
        int64_t width = clock_ns(CLOCK_MONOTONIC) - before;

        if (width < best_width) {
            best_width = width;
            ofs = realtime - (before + width / 2);
        }
    }
    return ofs;
}

/* Makes 'marker' one that marks 'rate' frames per second, evenly spread, and
 * gives the first one the sequence number 'first_seq'. */
void
fb_marker_init(struct fb_marker *marker, uint64_t first_seq, uint64_t rate)
{
    marker->first_seq = first_seq;
    marker->n_marked = 0;
    marker->n_missed = 0;
    fb_marker_set_rate(marker, rate);
}

/* Lets 'marker' mark 'rate' frames per second from the next run on: 0 for
 * none, FB_MARKER_ALL for all. */
void
fb_marker_set_rate(struct fb_marker *marker, uint64_t rate)
{
    marker->rate = rate;
    marker->interval = 0;
    marker->next = UINT64_MAX;
}

/* Prepares 'marker' for a run of 'pps' frames per second, whose frames are in
 * turn 'n_frames' different ones.  Each of those is marked as often as the
 * others. */
void
fb_marker_start_paced(struct fb_marker *marker, uint64_t pps, size_t n_frames)
{
    if (!marker->rate) {
        marker->next = UINT64_MAX;
        return;
    }
    marker->interval = (marker->rate == FB_MARKER_ALL
                        ? 1 : MAX(pps / marker->rate, MIN_PACED_INTERVAL));
    while (fb_gcd(marker->interval, n_frames) != 1) {
        marker->interval++;
    }
    marker->next = marker->interval - 1;
    marker->realtime_ofs = measure_realtime_ofs();
}

/* Prepares 'marker' for a run as fast as it goes, from 'start_ns' of
 * CLOCK_MONOTONIC on. */
void
fb_marker_start_unpaced(struct fb_marker *marker, uint64_t start_ns)
{
    if (!marker->rate) {
        marker->next = UINT64_MAX;
        return;
    }
    marker->interval = (marker->rate == FB_MARKER_ALL
                        ? 0 : NS_PER_S / marker->rate);
    marker->next = start_ns + marker->interval / 2;
    marker->realtime_ofs = measure_realtime_ofs();
}

/* Returns false if CLOCK_REALTIME was set since the start of the run, so that
 * no latency can be told. */
bool
fb_marker_is_clock_steady(const struct fb_marker *marker)
{
    return (llabs(measure_realtime_ofs() - marker->realtime_ofs)
            <= MAX_STEP_NS);
}

/* Makes 'marker->frame' the marked frame that is sent in the place of 'like',
 * of 'len' bytes, at least FB_PACKET_MIN_SIZE, which is due at 'due_ns' of
 * CLOCK_MONOTONIC, or now if that is 0. */
void
fb_marker_write(struct fb_marker *marker, const void *like, size_t len,
                uint64_t due_ns)
{
    struct fb_mark mark = {
        .seq = marker->first_seq + marker->n_marked,
    };

    mark.sent_ns = (due_ns ? due_ns + marker->realtime_ofs
                    : clock_ns(CLOCK_REALTIME));
    fb_mark_build(like, len, &mark, marker->frame);
}

/* Counts that 'marker->frame' was tried.  What is to be marked next lies one
 * interval after it; but not before 'now', of CLOCK_MONOTONIC, in a run
 * without a pace, in which 'now' is not 0. */
void
fb_marker_next(struct fb_marker *marker, uint64_t now)
{
    marker->n_marked++;
    marker->next = MAX(marker->next + marker->interval, now);
}

/* Tells 'marker' that the frames before 'frame' of a paced run have been tried
 * or given up. */
void
fb_marker_skip(struct fb_marker *marker, uint64_t frame)
{
    if (marker->next < frame) {
        uint64_t n = DIV_ROUND_UP(frame - marker->next, marker->interval);

        marker->n_missed += n;
        marker->next += n * marker->interval;
    }
}
