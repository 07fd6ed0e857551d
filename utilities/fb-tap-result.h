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

#ifndef FB_TAP_RESULT_H
#define FB_TAP_RESULT_H 1

/* What comes out of taps, see fb-tap-run.h: plain data, filled in by those who
 * measure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-stats.h"

/* How to measure. */
struct fb_tap_parameters {
    bool wanted;                /* Measure at all? */
    unsigned int blocks;        /* Trials of each input. */
    double duration;            /* Of these, in seconds; as much is discarded
                                 * before the first. */
};

/* What happened in a trial. */
struct fb_tap_trial {
    uint64_t duration_ns;       /* From the first packet to the last. */
    uint64_t sent;              /* Packets that the IP stack took... */
    uint64_t received;          /* ...and that came out of the tap. */
    uint64_t main_ns;           /* CPU time of ovs-vswitchd's main thread... */
    uint64_t pmd_ns;            /* ...and of its PMD threads. */
    double batch;               /* Packets that ovs-vswitchd sent at a time, on
                                 * average; NaN if it does not say. */
};

/* What came of an input of a DUT. */
struct fb_tap_result {
    struct fb_tap_trial *trials;
    size_t n;                   /* Number of trials. */

    /* Computed by fb_tap_analyze(). */
    struct fb_estimate sent_pps;
    struct fb_estimate received_pps;
    struct fb_estimate main_pct; /* Percent of one CPU. */
    struct fb_estimate pmd_pct;
    struct fb_estimate batch;
};

void fb_tap_result_destroy(struct fb_tap_result *results);

#endif /* fb-tap-result.h */
