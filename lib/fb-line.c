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
#include "fb-line.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "openvswitch/util.h"
#include "util.h"

/* The 97.5 % quantile of the standard normal distribution: what of Kendall's
 * statistic is beyond it on either side makes 5 %. */
#define Z 1.959964

/* Orders two doubles, none of them NaN, for qsort(). */
static int
compare_doubles(const void *a_, const void *b_)
{
    double a = *(const double *) a_;
    double b = *(const double *) b_;

    return (a > b) - (a < b);
}

/* Returns the variance of Kendall's statistic for 'n' samples with 'x', whose
 * ties lessen it.  Source: Hollander and Wolfe, section 9.3, comment 17. */
static double
kendall_variance(const double *x, size_t n)
{
    double *sorted = xmemdup(x, n * sizeof *x);
    double sum = n * (n - 1.0) * (2.0 * n + 5);
    size_t run;

    qsort(sorted, n, sizeof *sorted, compare_doubles);
    for (size_t i = 0; i < n; i += run) {
        for (run = 1; i + run < n && sorted[i + run] == sorted[i]; run++) {
            continue;
        }
        sum -= run * (run - 1.0) * (2.0 * run + 5);
    }
    free(sorted);
    return sum / 18;
}

/* Stores the slopes of the lines through any two of the samples in '*slopes',
 * sorted, for the caller to free, and returns their number. */
static size_t
get_slopes(const double *x, const double *y, size_t n, double **slopes)
{
    size_t m = 0;

    *slopes = xmalloc(MAX(1, n * (n - 1) / 2) * sizeof **slopes);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (x[i] != x[j]) {
                (*slopes)[m++] = (y[i] - y[j]) / (x[i] - x[j]);
            }
        }
    }
    qsort(*slopes, m, sizeof **slopes, compare_doubles);
    return m;
}

/* Stores the slope of the samples in '*e'.  Returns 0 or EINVAL. */
static int
fit_slope(const double *x, const double *y, size_t n, struct fb_estimate *e)
{
    double *slopes;
    size_t m = get_slopes(x, y, n, &slopes);

    if (m) {
        double c = Z * sqrt(kendall_variance(x, n));
        double lower = floor((m - c) / 2);
        double upper = ceil((m + c) / 2);

        e->median = (slopes[(m - 1) / 2] + slopes[m / 2]) / 2;
        e->n = n;
        if (lower >= 1 && upper < m) {
            e->lo = slopes[(size_t) lower - 1];
            e->hi = slopes[(size_t) upper];
        }
    }
    free(slopes);
    return m ? 0 : EINVAL;
}

/* Stores what 'slope' leaves of the samples in '*e'. */
static void
fit_intercept(const double *x, const double *y, size_t n, double slope,
              struct fb_estimate *e)
{
    double *left = xmalloc(n * sizeof *left);

    for (size_t i = 0; i < n; i++) {
        left[i] = y[i] - slope * x[i];
    }
    fb_stats_median(left, n, e);
    free(left);
}

/* Fits a line to the 'n' samples 'y' at 'x' and stores it in '*line'.  Where
 * there are too few for a 95 % interval, that is NaN.
 *
 * Returns 0 if successful, EINVAL if there are fewer than two different 'x' or
 * more samples than FB_LINE_MAX_SAMPLES, EDOM if a number is NaN or infinite.
 * On error all of '*line' is NaN. */
int
fb_line_fit(const double *x, const double *y, size_t n, struct fb_line *line)
{
    static const struct fb_estimate nothing = {
        .median = NAN, .lo = NAN, .hi = NAN
    };

    line->slope = line->intercept = nothing;
    if (n > FB_LINE_MAX_SAMPLES) {
        return EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            return EDOM;
        }
    }

    int error = fit_slope(x, y, n, &line->slope);

    if (!error) {
        struct fb_estimate a, b;

        fit_intercept(x, y, n, line->slope.median, &line->intercept);
        fit_intercept(x, y, n, line->slope.lo, &a);
        fit_intercept(x, y, n, line->slope.hi, &b);
        /* NaN in 'a' and 'b' if there is no interval. */
        line->intercept.lo = isnan(a.lo) ? NAN : MIN(a.lo, b.lo);
        line->intercept.hi = isnan(a.hi) ? NAN : MAX(a.hi, b.hi);
    }
    return error;
}

/* Stores how far those of the 'n' samples that are at 'at' are off 'line' in
 * '*residual'.  Returns 0, or EINVAL if there are none. */
int
fb_line_residual(const struct fb_line *line, const double *x, const double *y,
                 size_t n, double at, struct fb_residual *residual)
{
    double *off = xmalloc(MAX(n, 1) * sizeof *off);
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        if (x[i] == at) {
            off[m++] = (y[i] - line->intercept.median
                        - line->slope.median * at);
        }
    }

    int error = fb_stats_median(off, m, &residual->off);

    residual->x = at;
    residual->fits = !(residual->off.lo > 0 || residual->off.hi < 0);
    free(off);
    return error;
}
