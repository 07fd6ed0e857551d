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

#ifndef FB_LATENCY_RESULT_H
#define FB_LATENCY_RESULT_H 1

/* What a result says about latency, at one load on one DUT.
 *
 * Those who measure fill in the first group of members, and
 * fb_latency_result_analyze() the second one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-latency.h"
#include "fb-marks.h"

/* Latency at one load. */
struct fb_latency_result {
    struct fb_latency *samples; /* NULL if it was not measured. */
    struct fb_marks_tally marks; /* Of all trials. */
    double load_pct;            /* Load asked for, in percent of the DUT's own
                                 * throughput; NAN for that of the run. */
    uint64_t rate;              /* The same in packets per second; 0 for as
                                 * fast as it goes. */
    uint64_t offered;           /* Packets offered in all trials... */
    uint64_t delivered;         /* ...and delivered. */
    uint64_t not_sent;          /* Packets that the generator was too late to
                                 * offer. */

    struct fb_estimate ns[FB_N_LATENCY_FIGURES]; /* In ns. */
    struct fb_estimate added_ns[FB_N_LATENCY_FIGURES]; /* More than the wire,
                                                        * in ns. */
};

void fb_latency_result_analyze(struct fb_latency_result *,
                               const struct fb_latency_result *wire);
void fb_latency_result_destroy(struct fb_latency_result *);

#endif /* fb-latency-result.h */
