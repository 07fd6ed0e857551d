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

#ifndef FB_CURVE_H
#define FB_CURVE_H 1

/* A curve: what each DUT does, and what CPU time that takes, at one fixed rate
 * after another, up to more than the fastest of them can do.
 *
 * All DUTs are offered the same rates, so that they can be compared at each.
 * The rates are evenly spaced shares of what each switch can do, so that there
 * are some around the point at which each of them has had enough.  They come
 * block by block in random order, on one build. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-curve-rates.h"
#include "fb-stats.h"
#include "fb-trial.h"

struct fb_cpu_meter;
struct fb_dut;
struct fb_result;

/* How to measure curves. */
struct fb_curve_parameters {
    bool wanted;                /* Measure any? */
    unsigned int steps;         /* Rates for each switch. */
    unsigned int blocks;        /* Trials of each DUT at each rate. */
    double duration;            /* Of these, in seconds. */
};

/* A DUT at a rate. */
struct fb_curve_step {
    uint64_t rate;              /* Packets per second that were asked for. */
    struct fb_trial *trials;    /* One for each block... */
    size_t n_trials;            /* ...so many. */

    /* Computed by fb_curve_analyze(). */
    struct fb_estimate offered_pps; /* Packets sent per second. */
    struct fb_estimate pps;     /* Packets delivered per second. */
    struct fb_estimate lost_pct; /* Percent of those that were asked for that
                                  * did not arrive, or were never sent. */
    struct fb_estimate cpu;     /* CPU time in use, percent of one CPU... */
    struct fb_estimate over_wire; /* ...more than the wire's... */
    struct fb_estimate over_base; /* ...more than the Linux bridge's... */
    struct fb_estimate ratio;   /* ...and over that. */
    double misses_per_s;        /* Open vSwitch: upcalls per second... */
    double upcalls_lost_per_s;  /* ...and of these, lost.  Otherwise NaN. */
};

/* Between which rates packets begin to be lost, in packets per second. */
struct fb_knee {
    double through;             /* Here none are; NaN if some are at the least
                                 * rate, too. */
    double lost_from;           /* Here some are; NaN if that was not seen. */
    bool searched;              /* By a search, not from the curve. */
    double earlier_lo;          /* At how much lower a rate than on the Linux
                                 * bridge, in percent of its: at least... */
    double earlier_hi;          /* ...and at most.  NaN if not known. */
};

/* The curve of a DUT. */
struct fb_curve {
    struct fb_curve_step steps[FB_CURVE_MAX];
    size_t n;
    struct fb_knee knee;        /* Computed by fb_curve_analyze(). */
};

/* What fb_curve_run() needs. */
struct fb_curve_config {
    struct fb_dut *const *duts; /* Those of the result. */
    const bool *broken;         /* Of each, whether frames arrive broken. */
    struct fb_cpu_meter *meter;
    uint64_t seed;              /* Of the order in the blocks. */
    const volatile sig_atomic_t *stop; /* As in struct fb_trial_config. */

    /* Told before each block, for a progress display; 'aux' is its own. */
    void (*progress)(void *aux, unsigned int block, unsigned int n_blocks);
    void *aux;
};

char *fb_curve_run(const struct fb_curve_config *, struct fb_result *)
    OVS_WARN_UNUSED_RESULT;
void fb_curve_destroy(struct fb_curve *);

void fb_curve_analyze(struct fb_result *);

#endif /* fb-curve.h */
