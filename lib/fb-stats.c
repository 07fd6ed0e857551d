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
#include "fb-stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "openvswitch/util.h"
#include "util.h"

/* An interval misses its median with at most this probability. */
#define MISS_PROBABILITY 0.05

/* Orders two doubles, none of them NaN, for qsort(). */
static int
compare_doubles(const void *a_, const void *b_)
{
    double a = *(const double *) a_;
    double b = *(const double *) b_;

    return (a > b) - (a < b);
}

/* Returns the largest k for which the probability that fewer than k of 'n'
 * tosses of a fair coin show heads is at most MISS_PROBABILITY / 2; 0 if it is
 * more even for k = 1.  Sums up in logarithms, for 2**-n may underflow. */
static size_t
sign_test_rank(size_t n)
{
    double log_p = n * log(0.5);        /* log P(exactly k heads). */
    double tail = exp(log_p);           /* P(at most k heads). */
    size_t k = 0;

    while (tail <= MISS_PROBABILITY / 2) {
        k++;
        log_p += log((double) (n - k + 1) / k);
        tail += exp(log_p);
    }
    return k;
}

/* Returns the 'q' quantile of the 'n' numbers in 'x', which are in ascending
 * order.  'n' must not be 0 and 'q' must be of [0, 1]. */
static double
quantile_of_sorted(const double *x, size_t n, double q)
{
    double position = q * (n - 1);
    size_t i = position;

    return i + 1 < n ? x[i] + (position - i) * (x[i + 1] - x[i]) : x[n - 1];
}

/* Fills in '*estimate' from the 'n' numbers in 'x', which it sorts.  Returns
 * as fb_stats_median() does. */
static int
estimate_median__(double *x, size_t n, struct fb_estimate *estimate)
{
    *estimate = (struct fb_estimate) FB_NO_ESTIMATE;
    if (!n) {
        return EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return EDOM;
        }
    }

    qsort(x, n, sizeof *x, compare_doubles);
    estimate->median = quantile_of_sorted(x, n, 0.5);
    estimate->n = n;

    size_t k = sign_test_rank(n);
    if (k) {
        estimate->lo = x[k - 1];
        estimate->hi = x[n - k];
    }
    return 0;
}

/* Stores the median of the 'n' samples in 'x' and its 95 % interval, in their
 * own unit, in '*estimate'.  With fewer than FB_STATS_MIN_SAMPLES samples the
 * interval is NaN.
 *
 * Returns 0 if successful, EINVAL if 'n' is 0, EDOM if a sample is NaN or
 * infinite.  On error '*estimate' is all NaN, with an 'n' of 0. */
int
fb_stats_median(const double *x, size_t n, struct fb_estimate *estimate)
{
    double *copy = xmalloc(MAX(n, 1) * sizeof *copy);

    for (size_t i = 0; i < n; i++) {
        copy[i] = x[i];
    }

    int error = estimate_median__(copy, n, estimate);
    free(copy);
    return error;
}

/* Stores the median of the 'n' differences 'a[i]' - 'b[i]' and its 95 %
 * interval in '*estimate'.  Returns as fb_stats_median() does. */
int
fb_stats_difference(const double *a, const double *b, size_t n,
                    struct fb_estimate *estimate)
{
    double *x = xmalloc(MAX(n, 1) * sizeof *x);

    for (size_t i = 0; i < n; i++) {
        x[i] = a[i] - b[i];
    }

    int error = estimate_median__(x, n, estimate);
    free(x);
    return error;
}

/* Stores the median of the 'n' ratios 'a[i]' / 'b[i]' and its 95 % interval in
 * '*estimate'.  Returns as fb_stats_median() does; EDOM also if an 'a[i]' is
 * negative or a 'b[i]' is not positive, for both are times or rates. */
int
fb_stats_ratio(const double *a, const double *b, size_t n,
               struct fb_estimate *estimate)
{
    double *x = xmalloc(MAX(n, 1) * sizeof *x);

    for (size_t i = 0; i < n; i++) {
        bool ok = isfinite(a[i]) && isfinite(b[i]) && a[i] >= 0 && b[i] > 0;

        x[i] = ok ? a[i] / b[i] : NAN;
    }

    int error = estimate_median__(x, n, estimate);
    free(x);
    return error;
}

/* Returns the 'q' quantile of the 'n' numbers in 'x', in any order: 0 is the
 * least of them, 0.5 the median, 1 the greatest.  Between two samples it
 * interpolates linearly.  NaN if there are no samples, if one is NaN or
 * infinite, or if 'q' is not of [0, 1].
 *
 * Source: definition 7 of R. J. Hyndman, Y. Fan, "Sample quantiles in
 * statistical packages", The American Statistician 50(4), 1996. */
double
fb_stats_quantile(const double *x, size_t n, double q)
{
    if (!n || !(q >= 0 && q <= 1)) {
        return NAN;
    }

    double *copy = xmalloc(n * sizeof *copy);
    double result = NAN;
    size_t i;

    for (i = 0; i < n && isfinite(x[i]); i++) {
        copy[i] = x[i];
    }
    if (i == n) {
        qsort(copy, n, sizeof *copy, compare_doubles);
        result = quantile_of_sorted(copy, n, q);
    }
    free(copy);
    return result;
}

/* Returns true if 'estimate' has an interval, false if it came from too few
 * samples or from none. */
bool
fb_estimate_has_interval(const struct fb_estimate *estimate)
{
    return !isnan(estimate->lo) && !isnan(estimate->hi);
}

/* Returns how far the whole interval of 'ratio' must be away from 1 for a
 * verdict. */
double
fb_verdict_margin(const struct fb_estimate *ratio)
{
    return ratio->n_builds ? FB_VERDICT_MARGIN : FB_VERDICT_MARGIN_ONE_BUILD;
}

/* Returns what 'ratio', of a time to that of the base, says: slower or faster
 * only if the whole interval is beyond the margin.  Without an interval there
 * is nothing that could be said, not even that there is no difference. */
enum fb_verdict
fb_verdict_from_ratio(const struct fb_estimate *ratio)
{
    double margin = fb_verdict_margin(ratio);

    return (!fb_estimate_has_interval(ratio) ? FB_NO_VERDICT
            : ratio->lo > 1 + margin ? FB_SLOWER
            : ratio->hi < 1 / (1 + margin) ? FB_FASTER
            : FB_NO_DIFFERENCE);
}

/* Returns 'verdict' in words, for reports.  A constant string. */
const char *
fb_verdict_to_string(enum fb_verdict verdict)
{
    switch (verdict) {
    case FB_SLOWER:
        return "slower";
    case FB_FASTER:
        return "faster";
    case FB_NO_DIFFERENCE:
        return "no difference seen";
    case FB_NO_VERDICT:
        return "cannot tell";
    default:
        OVS_NOT_REACHED();
    }
}
