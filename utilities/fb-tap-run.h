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

#ifndef FB_TAP_RUN_H
#define FB_TAP_RUN_H 1

/* What comes out of a tap behind a userspace datapath (see fb-tap.h), and
 * which threads of ovs-vswitchd take how much CPU time for it. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-stats.h"
#include "fb-tap.h"

struct fb_dut;
struct fb_result;

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

/* What fb_tap_run() needs. */
struct fb_tap_config {
    struct fb_dut *const *duts; /* Those of the result. */
    uint64_t seed;              /* Of the order of trials. */
    const volatile sig_atomic_t *stop; /* Ends it when this is nonzero. */

    /* Told before each block, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, unsigned int block, unsigned int n_blocks);
    void *aux;
};

char *fb_tap_run(const struct fb_tap_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_tap_analyze(struct fb_result *);
void fb_tap_result_destroy(struct fb_tap_result *results);
double fb_tap_parse_batch(const char *text);

#endif /* fb-tap-run.h */
