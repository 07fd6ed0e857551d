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

#ifndef FB_CURVE_RESULT_H
#define FB_CURVE_RESULT_H 1

/* Curves, see fb-curve.h: plain data, filled in by those who measure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fb-curve-rates.h"
#include "fb-stats.h"

struct fb_trial;

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

void fb_curve_destroy(struct fb_curve *);

#endif /* fb-curve-result.h */
