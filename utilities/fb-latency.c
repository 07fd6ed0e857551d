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

#include "fb-latency.h"

#include <math.h>
#include <stdlib.h>

#include "util.h"

/* What each figure is called and which quantile it is; less than 0 for the
 * mean. */
static const struct {
    const char *name;
    double q;
} figures[FB_N_LATENCY_FIGURES] = {
    [FB_LATENCY_MEAN] = { "mean", -1 },
    [FB_LATENCY_P50] = { "p50", 0.5 },
    [FB_LATENCY_P90] = { "p90", 0.9 },
    [FB_LATENCY_P99] = { "p99", 0.99 },
    [FB_LATENCY_P999] = { "p999", 0.999 },
    [FB_LATENCY_MAX] = { "max", 1 },
};

/* Returns the name of 'figure' in results. */
const char *
fb_latency_figure_name(enum fb_latency_figure figure)
{
    return figures[figure].name;
}

/* Returns a new, empty histogram. */
static struct fb_hist *
create_part(void)
{
    struct fb_hist *part = xmalloc(sizeof *part);

    fb_hist_init(part);
    return part;
}

/* Returns latencies without any sample, for the caller to destroy. */
struct fb_latency *
fb_latency_create(void)
{
    struct fb_latency *latency = xzalloc(sizeof *latency);

    latency->trials_per_part = 1;
    return latency;
}

/* Frees 'latency', which may be NULL. */
void
fb_latency_destroy(struct fb_latency *latency)
{
    if (latency) {
        for (size_t i = 0; i < latency->n_parts; i++) {
            free(latency->parts[i]);
        }
        free(latency);
    }
}

/* Makes room for as many parts again as there are. */
static void
merge_pairs(struct fb_latency *latency)
{
    for (size_t i = 0; i < FB_LATENCY_MAX_PARTS / 2; i++) {
        struct fb_hist *even = latency->parts[2 * i];
        struct fb_hist *odd = latency->parts[2 * i + 1];

        fb_hist_merge(even, odd);
        free(odd);
        latency->parts[i] = even;
    }
    latency->n_parts = FB_LATENCY_MAX_PARTS / 2;
    latency->trials_per_part *= 2;
}

/* Begins the next trial: samples that are added from now on are its. */
void
fb_latency_begin_trial(struct fb_latency *latency)
{
    if (latency->n_trials++ % latency->trials_per_part) {
        return;
    }
    if (latency->n_parts == FB_LATENCY_MAX_PARTS) {
        /* The first trial of a part of the new size, too. */
        merge_pairs(latency);
    }
    latency->parts[latency->n_parts++] = create_part();
}

/* Adds a sample of 'ns' to the trial that has begun. */
void
fb_latency_add(struct fb_latency *latency, uint64_t ns)
{
    fb_hist_record(latency->parts[latency->n_parts - 1], ns);
}

/* Returns the number of samples. */
uint64_t
fb_latency_count(const struct fb_latency *latency)
{
    uint64_t n = 0;

    for (size_t i = 0; i < latency->n_parts; i++) {
        n += fb_hist_count(latency->parts[i]);
    }
    return n;
}

/* Returns 'figure' of the samples in 'hist', which has some. */
static double
figure_of(const struct fb_hist *hist, enum fb_latency_figure figure)
{
    return (figure == FB_LATENCY_MEAN ? fb_hist_mean(hist)
            : fb_hist_quantile(hist, figures[figure].q));
}

/* Returns how many parts of 'latency' in turn make a group that has samples
 * enough for 'figure'; 0 if not even all of them do. */
static size_t
parts_per_group(const struct fb_latency *latency,
                enum fb_latency_figure figure)
{
    double tail = figure == FB_LATENCY_MEAN ? 0.5 : 1 - figures[figure].q;
    uint64_t n = fb_latency_count(latency);

    if (!n || tail <= 0) {
        return 0;
    }
    double needed = FB_LATENCY_MIN_BEYOND / tail;
    size_t per_group = ceil(needed * latency->n_parts / n);
    return per_group <= latency->n_parts ? MAX(per_group, 1) : 0;
}

/* Returns 'figure' of each group of 'per_group' parts of 'latency', an array
 * for the caller to free, and their number in '*n'.  What is left over at the
 * end belongs to the last group.  Groups without a sample are NaN. */
static double *
figures_of_groups(const struct fb_latency *latency, size_t per_group,
                  enum fb_latency_figure figure, size_t *n)
{
    *n = latency->n_parts / per_group;

    double *values = xcalloc(*n, sizeof *values);
    for (size_t i = 0; i < *n; i++) {
        size_t end = i + 1 < *n ? (i + 1) * per_group : latency->n_parts;
        struct fb_hist *group = create_part();

        for (size_t j = i * per_group; j < end; j++) {
            fb_hist_merge(group, latency->parts[j]);
        }
        values[i] = fb_hist_count(group) ? figure_of(group, figure) : NAN;
        free(group);
    }
    return values;
}

/* Stores 'figure' of all samples of 'latency', in ns, in '*estimate', without
 * an interval. */
static void
estimate_all(const struct fb_latency *latency, enum fb_latency_figure figure,
             struct fb_estimate *estimate)
{
    size_t n;

    *estimate = (struct fb_estimate) { .median = NAN, .lo = NAN, .hi = NAN };
    if (latency->n_parts) {
        double *value = figures_of_groups(latency, latency->n_parts, figure,
                                          &n);

        estimate->median = value[0];
        estimate->n = !isnan(value[0]);
        free(value);
    }
}

/* Stores 'figure' of 'latency', in ns, in '*estimate': the median of groups
 * with its interval, or, where there are too few samples for that, that of all
 * samples without one.  All NaN if there is no sample. */
void
fb_latency_estimate(const struct fb_latency *latency,
                    enum fb_latency_figure figure,
                    struct fb_estimate *estimate)
{
    size_t per_group = parts_per_group(latency, figure);

    if (per_group && latency->n_parts / per_group >= FB_STATS_MIN_SAMPLES) {
        size_t n;
        double *values = figures_of_groups(latency, per_group, figure, &n);
        int error = fb_stats_median(values, n, estimate);

        free(values);
        if (!error) {
            return;
        }
    }
    estimate_all(latency, figure, estimate);
}

/* Stores in '*estimate' by how much, in ns, 'figure' of 'latency' is greater
 * than that of 'base', which had its trials in the same blocks: the median of
 * the groups' differences with its interval, or the difference of all samples
 * without one.  All NaN if one of them has no sample. */
void
fb_latency_estimate_added(const struct fb_latency *latency,
                          const struct fb_latency *base,
                          enum fb_latency_figure figure,
                          struct fb_estimate *estimate)
{
    size_t mine = parts_per_group(latency, figure);
    size_t theirs = parts_per_group(base, figure);
    size_t per_group = MAX(mine, theirs);

    if (mine && theirs && latency->n_parts == base->n_parts
        && latency->n_parts / per_group >= FB_STATS_MIN_SAMPLES) {
        size_t n;
        double *a = figures_of_groups(latency, per_group, figure, &n);
        double *b = figures_of_groups(base, per_group, figure, &n);
        int error = fb_stats_difference(a, b, n, estimate);

        free(a);
        free(b);
        if (!error) {
            return;
        }
    }

    struct fb_estimate theirs_all;

    estimate_all(latency, figure, estimate);
    estimate_all(base, figure, &theirs_all);
    estimate->median -= theirs_all.median;
}
