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

#ifndef FB_LATENCY_H
#define FB_LATENCY_H 1

/* The latencies of a DUT at one load
 * ==================================
 *
 * Samples of many trials, in histograms, each of as many consecutive trials as
 * it takes to have room for all: so memory is bounded whatever their number.
 *
 * What is said of a quantile has to be said of samples that do not depend on
 * each other.  Those of one trial do: what holds one packet up holds up the
 * next.  So trials in turn are put together in groups that have enough samples
 * each (FB_LATENCY_MIN_BEYOND of them beyond the quantile, on average), and
 * the figure is the median of the groups' quantiles, with its interval, as in
 * fb-stats.h.  Where there are too few for that, it is the quantile of all
 * samples, without an interval.
 *
 * Quantiles are exact to within FB_HIST_MAX_ERROR, see fb-hist.h; the mean and
 * the greatest are exact.
 *
 * For single-threaded use. */

#include <stddef.h>
#include <stdint.h>

#include "fb-hist.h"
#include "fb-stats.h"

/* Most histograms. */
#define FB_LATENCY_MAX_PARTS 64

/* A group has at least this many samples beyond a quantile that is told of
 * it, on average. */
#define FB_LATENCY_MIN_BEYOND 10

/* What is told of a distribution. */
enum fb_latency_figure {
    FB_LATENCY_MEAN,
    FB_LATENCY_P50,
    FB_LATENCY_P90,
    FB_LATENCY_P99,
    FB_LATENCY_P999,
    FB_LATENCY_MAX,             /* The greatest of all: without interval. */
    FB_N_LATENCY_FIGURES
};

const char *fb_latency_figure_name(enum fb_latency_figure);

/* Latencies.  Members are the functions' own business. */
struct fb_latency {
    struct fb_hist *parts[FB_LATENCY_MAX_PARTS]; /* NULL if not begun. */
    size_t n_parts;             /* Parts that have begun. */
    size_t trials_per_part;     /* Trials in each but the last. */
    size_t n_trials;            /* Trials that have begun. */
};

struct fb_latency *fb_latency_create(void);
void fb_latency_destroy(struct fb_latency *);

void fb_latency_begin_trial(struct fb_latency *);
void fb_latency_add(struct fb_latency *, uint64_t ns);

uint64_t fb_latency_count(const struct fb_latency *);
void fb_latency_estimate(const struct fb_latency *, enum fb_latency_figure,
                         struct fb_estimate *);
void fb_latency_estimate_added(const struct fb_latency *,
                               const struct fb_latency *base,
                               enum fb_latency_figure, struct fb_estimate *);

#endif /* fb-latency.h */
