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
#include "fanbench-config.h"

#include "fb-recording.h"

#include <errno.h>
#include <time.h>

#include "fb-births.h"
#include "fb-cause.h"
#include "fb-clock.h"
#include "fb-ledger-life.h"
#include "fb-returns.h"
#include "fb-watch.h"

atomic_uint fb_recording_epoch__ = 0;
atomic_int fb_recording_dp__ = -1;

/* The main thread's view. */
static struct fb_recording recording = { .dp = -1 };

/* Returns the time of day in milliseconds.  It is not OVS's time_wall_msec(),
 * which must not be called before main(), as a constructor does. */
static long long int
wall_msec(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

/* Begins a new epoch, in which nothing has been recorded yet. */
static void
new_epoch(void)
{
    static unsigned int last_epoch;

    last_epoch++;
    if (!last_epoch) {
        last_epoch++;
    }
    recording.epoch = last_epoch;
    recording.start = recording.end = fb_clock_ticks();
    recording.start_msec = wall_msec();
    recording.max_births = fb_births_begin();
    fb_ledger_begin(recording.epoch, recording.start);
    fb_returns_begin(recording.epoch);
    fb_watch_run(recording.epoch, recording.start);
    atomic_store_relaxed(&fb_recording_epoch__, recording.epoch);
    fb_cause_read_triggers();
}

/* Starts a recording of the datapath with index 'dp', or of all if 'dp' is
 * -1.  What an earlier one recorded is forgotten.  Returns 0, or EALREADY if
 * one is already going on, which is then left alone. */
int
fb_recording_start(int dp)
{
    if (recording.on) {
        return EALREADY;
    }
    recording.on = true;
    recording.dp = dp;
    atomic_store_relaxed(&fb_recording_dp__, dp);
    new_epoch();
    return 0;
}

/* Stops recording.  What was recorded stays, and so does the rate by which its
 * ticks become nanoseconds.  Returns 0, or EALREADY if nothing was being
 * recorded. */
int
fb_recording_stop(void)
{
    if (!recording.on) {
        return EALREADY;
    }
    fb_watch_finish(recording.epoch, fb_clock_ticks());
    recording.on = false;
    recording.end = fb_clock_ticks();
    atomic_store_relaxed(&fb_recording_epoch__, 0);
    fb_clock_calibrate();
    return 0;
}

/* Forgets all that was recorded.  If a recording is going on, it goes on from
 * zero. */
void
fb_recording_clear(void)
{
    if (recording.on) {
        new_epoch();
    } else {
        recording = (struct fb_recording) { .dp = -1 };
        fb_ledger_drop();
    }
}

/* Returns the state of the recording.  It belongs to this module. */
const struct fb_recording *
fb_recording_get(void)
{
    return &recording;
}
