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

#include "fb-sink-ceiling.h"

#include <math.h>
#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-dut.h"
#include "fb-frames.h"
#include "fb-live.h"
#include "fb-losses.h"
#include "fb-stats.h"
#include "util.h"

/* Trials, and the frames of each: some milliseconds.  The kernel takes some
 * tens of milliseconds more for each to begin and to end. */
#define N_TRIALS 5
#define N_FRAMES 16384

/* Has the sink of 'wire' receive copies of 'frame' and stores how many it
 * takes in a second in '*pps'. */
static char *
make_trial(struct fb_dut *wire, const struct iovec *frame, double *pps)
{
    struct fb_counters before, after;
    double ns = 0;

    char *error = fb_counters_read_sinks(wire, &before);
    if (!error) {
        error = fb_live_receive(wire->sink_fd, wire->sinks[0],
                                frame->iov_base, frame->iov_len, N_FRAMES,
                                &ns);
    }
    if (!error) {
        error = fb_counters_read_sinks(wire, &after);
    }
    if (!error) {
        uint64_t taken = after.sinks_taken - before.sinks_taken;

        if (!taken || !(ns > 0)) {
            error = xstrdup("this kernel's IP layer does not count what a "
                            "sink takes");
        } else {
            *pps = 1e9 * taken / (ns * N_FRAMES);
        }
    }
    return error;
}

/* Makes all trials. */
static char *
make_trials(struct fb_dut *wire, const struct iovec *frame, double *pps)
{
    double all[N_TRIALS];
    struct fb_estimate e;

    for (size_t i = 0; i < N_TRIALS; i++) {
        fatal_signal_run();
        char *error = make_trial(wire, frame, &all[i]);
        if (error) {
            return error;
        }
    }
    fb_stats_median(all, N_TRIALS, &e);
    *pps = e.median;
    return NULL;
}

/* Measures how many frames like the first of 'traffic', to 'n_destinations',
 * the first sink of 'wire' can take in a second and stores that in '*ceiling',
 * for the caller to destroy. */
void
fb_sink_ceiling_measure(struct fb_dut *wire, const struct fb_traffic *traffic,
                        size_t n_destinations,
                        struct fb_sink_ceiling *ceiling)
{
    const struct fb_frames_config config = {
        .traffic = *traffic,
        .n_destinations = n_destinations,
    };
    struct fb_frames *frames;

    *ceiling = (struct fb_sink_ceiling) { .pps = NAN };
    int retval = fb_frames_create(&config, &frames);
    ceiling->why_not = (retval ? xstrdup(ovs_strerror(retval))
                        : make_trials(wire, fb_frames_peek(frames, 1),
                                      &ceiling->pps));
    fb_frames_destroy(frames);
}

/* Frees what 'ceiling' holds. */
void
fb_sink_ceiling_destroy(struct fb_sink_ceiling *ceiling)
{
    free(ceiling->why_not);
}
