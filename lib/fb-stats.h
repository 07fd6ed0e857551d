/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_STATS_H
#define FB_STATS_H 1

/* Medians and what can be said of them
 * ====================================
 *
 * A run measures every datapath once per block.  The machine's speed drifts
 * from block to block, but hardly within one: so two datapaths are compared
 * block by block, and what is reported is the median of the differences or
 * ratios, with an interval.
 *
 * The interval holds the true median in at least 95 % of runs.  It lies
 * between two order statistics, as the sign test has it: the number of samples
 * below the true median is binomial(n, 1/2) whatever the distribution is, so
 * that the interval from the k-th smallest to the k-th largest sample misses
 * with probability 2 P(binomial(n, 1/2) < k), and the largest k is taken for
 * which this is at most 5 %.  Nothing is assumed of the samples but that they
 * are independent and come from one distribution; ties only make the interval
 * safer.  Outliers are kept and do no harm.
 *
 * Sources: W. R. Thompson, "On confidence ranges for the median and other
 * expectation distributions for populations of unknown distribution form",
 * Annals of Mathematical Statistics 7(3), 1936; H. A. David, H. N. Nagaraja,
 * "Order Statistics", 3rd edition, section 7.1.
 *
 * Why not the percentile bootstrap (B. Efron, R. J. Tibshirani, "An
 * Introduction to the Bootstrap", 1993): of the median it is nearly the same
 * interval at 80 samples, but it claims too much at few: it missed in 6 to 8 %
 * of simulated experiments with 6 to 20 samples, where this one missed in 1 to
 * 4 %.  This one also needs no resampling and no seed.
 *
 * All functions are pure and may be called from any thread.
 *
 * Typical use, with the times per packet of the two DUTs of 80 blocks:
 *
 *     struct fb_estimate ratio;
 *     int error = fb_stats_ratio(ovs_ns, bridge_ns, 80, &ratio);
 *     if (!error) {
 *         puts(fb_verdict_to_string(fb_verdict_from_ratio(&ratio)));
 *     }
 */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* With fewer samples no order statistics make a 95 % interval: even the span
 * of 5 misses the median in 2 of 32 cases, which is more than 5 %. */
#define FB_STATS_MIN_SAMPLES 6

/* A median and its interval. */
struct fb_estimate {
    double median;              /* Sample median, NaN if there is none. */
    double lo;                  /* Lower end of the 95 % interval... */
    double hi;                  /* ...and upper end; NaN if there is none. */
    size_t n;                   /* Number of samples that it comes from. */
    size_t n_builds;            /* Number of builds that it is over, see
                                 * fb-groups.h; 0 if it is over samples. */
};

/* Initializer of an estimate that says nothing. */
#define FB_NO_ESTIMATE { .median = NAN, .lo = NAN, .hi = NAN }

int fb_stats_median(const double *x, size_t n, struct fb_estimate *);
int fb_stats_difference(const double *a, const double *b, size_t n,
                        struct fb_estimate *);
int fb_stats_ratio(const double *a, const double *b, size_t n,
                   struct fb_estimate *);
double fb_stats_quantile(const double *x, size_t n, double q);
bool fb_estimate_has_interval(const struct fb_estimate *);

/* A smaller difference than this is never called one.
 *
 * Two builds of one and the same topology differ, as long as they stand, by
 * how their data happen to lie in memory.  No number of blocks averages that
 * out, and no interval over blocks has it, so that a smaller difference says
 * nothing of the kinds that are compared.  Nine pairs of Linux bridges, 60
 * blocks each, had ratios from 0.986 to 1.010: hence the second margin, for
 * intervals over samples.  Intervals over builds have that difference in them;
 * the first margin is for what all builds of a run may share, such as the
 * order in which DUTs are built. */
#define FB_VERDICT_MARGIN 0.005
#define FB_VERDICT_MARGIN_ONE_BUILD 0.015

/* What a comparison of times says. */
enum fb_verdict {
    FB_SLOWER,                  /* Takes more time, beyond doubt. */
    FB_FASTER,                  /* Takes less time, beyond doubt. */
    FB_NO_DIFFERENCE,           /* None that shows through the noise. */
    FB_NO_VERDICT               /* There is no interval. */
};

double fb_verdict_margin(const struct fb_estimate *);
enum fb_verdict fb_verdict_from_ratio(const struct fb_estimate *);
const char *fb_verdict_to_string(enum fb_verdict);

#endif /* fb-stats.h */
