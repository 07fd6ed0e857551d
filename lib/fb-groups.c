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

#include <config.h>
#include "fb-groups.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "util.h"

/* Orders two doubles, none of them NaN, for qsort(). */
static int
compare_doubles(const void *a_, const void *b_)
{
    double a = *(const double *) a_;
    double b = *(const double *) b_;

    return (a > b) - (a < b);
}

/* Returns the largest k for which the sum of those ranks, of 1 to 'n', whose
 * tosses of a fair coin show heads is below k with a probability of at most
 * 'miss' / 2; 0 if it is more even for k = 1.
 *
 * p[s] is the probability of the sum s with the ranks seen so far. */
static size_t
signed_rank_k(size_t n, double miss)
{
    size_t max_sum = n * (n + 1) / 2;
    double *p = xcalloc(max_sum + 1, sizeof *p);
    double tail = 0;
    size_t k = 0;

    p[0] = 1;
    for (size_t rank = 1; rank <= n; rank++) {
        for (size_t s = rank * (rank + 1) / 2 + 1; s-- > 0;) {
            p[s] = (p[s] + (s >= rank ? p[s - rank] : 0)) / 2;
        }
    }
    while (k < max_sum && tail + p[k] <= miss / 2) {
        tail += p[k++];
    }
    free(p);
    return k;
}

/* Stores the median of the Walsh averages of the 'n' numbers in 'x', and the
 * interval that misses with a probability of at most 'miss', in '*estimate'.
 * With too few numbers the interval is NaN.  'n_builds' is left to be 'n'.
 *
 * Returns 0 if successful, EINVAL if 'n' is 0 or above FB_GROUPS_MAX, EDOM if
 * a number is NaN or infinite; then '*estimate' is all NaN. */
int
fb_signed_rank(const double *x, size_t n, double miss,
               struct fb_estimate *estimate)
{
    *estimate = (struct fb_estimate) FB_NO_ESTIMATE;
    if (!n || n > FB_GROUPS_MAX) {
        return EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return EDOM;
        }
    }

    size_t n_walsh = n * (n + 1) / 2;
    double *walsh = xmalloc(n_walsh * sizeof *walsh);
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            walsh[m++] = (x[i] + x[j]) / 2;
        }
    }
    qsort(walsh, n_walsh, sizeof *walsh, compare_doubles);
    estimate->median = (walsh[(n_walsh - 1) / 2] + walsh[n_walsh / 2]) / 2;
    estimate->n = estimate->n_builds = n;

    size_t k = signed_rank_k(n, miss);

    if (k) {
        estimate->lo = walsh[k - 1];
        estimate->hi = walsh[n_walsh - k];
    }
    free(walsh);
    return 0;
}

/* Stores the medians of the groups of 'x' in 'medians', which has room for as
 * many numbers as there are samples, and their number in '*n_medians'.
 * Returns 0 or EDOM as fb_stats_median() does. */
static int
take_medians(const struct fb_groups *groups, const double *x,
             double *medians, size_t *n_medians)
{
    size_t start = 0;

    *n_medians = 0;
    while (start < groups->n) {
        struct fb_estimate e;
        size_t end = start + 1;

        while (end < groups->n
               && groups->group[end] == groups->group[start]) {
            end++;
        }

        int error = fb_stats_median(x + start, end - start, &e);

        if (error) {
            return error;
        }
        medians[(*n_medians)++] = e.median;
        start = end;
    }
    return 0;
}

/* Stores what the samples 'x' in 'groups' say in '*estimate': with several
 * groups the estimate over their medians and its interval, else the median of
 * the samples and its 95 % interval.
 *
 * Returns 0 if successful, EINVAL without samples or with more groups than
 * FB_GROUPS_MAX, EDOM if a sample is NaN or infinite.  On error '*estimate' is
 * all NaN, with an 'n' of 0. */
int
fb_groups_median(const struct fb_groups *groups, const double *x,
                 struct fb_estimate *estimate)
{
    size_t n = groups->n;

    if (!n || groups->group[0] == groups->group[n - 1]) {
        return fb_stats_median(x, n, estimate);
    }

    double *medians = xmalloc(n * sizeof *medians);
    size_t n_medians;
    int error = take_medians(groups, x, medians, &n_medians);

    if (!error) {
        error = fb_signed_rank(medians, n_medians, groups->miss, estimate);
    }
    if (error) {
        *estimate = (struct fb_estimate) FB_NO_ESTIMATE;
    } else {
        estimate->n = n;
    }
    free(medians);
    return error;
}

/* Stores what the differences 'a[i]' - 'b[i]' say in '*estimate'.  Returns as
 * fb_groups_median() does. */
int
fb_groups_difference(const struct fb_groups *groups, const double *a,
                     const double *b, struct fb_estimate *estimate)
{
    double *x = xmalloc(MAX(groups->n, 1) * sizeof *x);

    for (size_t i = 0; i < groups->n; i++) {
        x[i] = a[i] - b[i];
    }

    int error = fb_groups_median(groups, x, estimate);

    free(x);
    return error;
}

/* Stores what the ratios 'a[i]' / 'b[i]' say in '*estimate'.  Returns as
 * fb_groups_median() does; EDOM also unless all 'a[i]' and 'b[i]' are
 * positive. */
int
fb_groups_ratio(const struct fb_groups *groups, const double *a,
                const double *b, struct fb_estimate *estimate)
{
    double *x = xmalloc(MAX(groups->n, 1) * sizeof *x);

    for (size_t i = 0; i < groups->n; i++) {
        x[i] = a[i] > 0 && b[i] > 0 ? log(a[i] / b[i]) : NAN;
    }

    int error = fb_groups_median(groups, x, estimate);

    if (!error) {
        estimate->median = exp(estimate->median);
        estimate->lo = exp(estimate->lo);
        estimate->hi = exp(estimate->hi);
    }
    free(x);
    return error;
}
