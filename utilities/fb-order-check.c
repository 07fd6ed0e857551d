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

#include "fb-order-check.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-load.h"
#include "fb-mark-ring.h"
#include "fb-marks.h"
#include "fb-trial.h"
#include "util.h"

/* Returns how long, in ns, to send at 'rate' so that all that arrives has room
 * in a ring: at most 'duration' s. */
static uint64_t
limit_duration(uint64_t rate, double duration)
{
    return MIN(duration, (double) FB_MARK_RING_MAX_SLOTS / rate) * 1e9;
}

/* Takes all that arrived in 'ring' to 'order', in which the first packet has
 * the number 'first_seq' of its mark. */
static void
read_ring(struct fb_mark_ring *ring, uint64_t first_seq,
          struct fb_order *order)
{
    struct fb_mark_arrival arrival;

    while (fb_mark_ring_next(ring, &arrival)) {
        /* What was sent earlier gets a number that was never sent. */
        fb_order_arrived(order, arrival.mark.seq - first_seq);
    }
}

/* Sends through 'dut', at 'rate' packets per second and for at most 'duration'
 * s, marked frames only, one a system call, and stores in '*result' in which
 * order they arrived.  'stop' as in struct fb_trial_config.
 *
 * The frames are those of the load, in turn, one for each destination, which
 * is a flow.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_order_check_run(struct fb_dut *dut, uint64_t rate, double duration,
                   const volatile sig_atomic_t *stop,
                   struct fb_order_result *result)
{
    struct fb_trial_config config = {
        .pace.rate = rate,
        .duration_ns = limit_duration(rate, duration),
        .mark_all = true,
        .stop = stop,
    };
    uint64_t first_seq = fb_marks_next_seq(dut->marks);
    struct fb_mark_ring *ring;
    struct fb_trial trial;

    char *error = fb_mark_ring_open(dut->sink_fd,
                                    rate * duration + dut->n_destinations,
                                    &ring);
    if (!error) {
        error = fb_trial_run(dut, &config, &trial);
    }
    if (!error) {
        struct fb_order *order = fb_order_create(dut->n_destinations,
                                                 trial.marks.tried);

        read_ring(ring, first_seq, order);
        fb_order_summarize(order, &result->summary);
        fb_order_destroy(order);
        result->rate = rate;
        result->not_sent = trial.not_sent;
        result->unread = fb_mark_ring_dropped(ring);
    }
    fb_mark_ring_close(ring);
    return error;
}
