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

#ifndef FB_RECORDING_H
#define FB_RECORDING_H 1

/* Whether the probe records, and since when.
 *
 * Every recording has a number, its *epoch*, never 0.  Whatever is recorded is
 * marked with it, so that clearing is only a change of this number: what
 * threads of ovs-vswitchd recorded under an older one no longer counts, and
 * each thread resets what is its own when it next records something.
 *
 * Thread rules: any thread may read the epoch.  The main thread alone starts,
 * stops and clears. */

#include <stdbool.h>
#include <stdint.h>
#include "ovs-atomic.h"

/* State of the recording, for the main thread. */
struct fb_recording {
    bool on;                    /* Are events being recorded? */
    unsigned int epoch;         /* Of what is or was recorded; 0 if nothing. */
    int dp;                     /* Only this datapath, or -1 for all. */
    uint64_t start;             /* Ticks when it started or was cleared. */
    uint64_t end;               /* Ticks when it stopped, if not 'on'. */
    long long int start_msec;   /* 'start', in ms since the UNIX epoch. */
    unsigned int max_births;    /* Flow set-ups per second that are recorded by
                                 * flow; 0: all. */
};

/* The epoch in which events are to be recorded, 0 when off.  Internal. */
extern atomic_uint fb_recording_epoch__;

/* Index of the only datapath to be recorded, -1 for all.  Internal. */
extern atomic_int fb_recording_dp__;

int fb_recording_start(int dp);
int fb_recording_stop(void);
void fb_recording_clear(void);
const struct fb_recording *fb_recording_get(void);

/* Returns the epoch to record in, or 0 if nothing is to be recorded. */
static inline unsigned int
fb_recording_epoch(void)
{
    unsigned int epoch;

    atomic_read_relaxed(&fb_recording_epoch__, &epoch);
    return epoch;
}

/* Says whether the datapath with index 'dp' is among those recorded. */
static inline bool
fb_recording_selects(int dp)
{
    int only;

    atomic_read_relaxed(&fb_recording_dp__, &only);
    return only < 0 || only == dp;
}

#endif /* fb-recording.h */
