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


#ifndef FB_LINE_H
#define FB_LINE_H 1

/* A straight line through samples
 * ===============================
 *
 * The slope is that of Theil and Sen: the median of the slopes of all lines
 * through two samples with different x.  Up to 29 % of the samples may be as
 * wrong as they like without carrying it away.  Its interval lies between two
 * of these slopes, as Kendall's rank correlation has it, and assumes nothing
 * of the errors but that they come from one distribution.
 *
 * The intercept is the median of what the slope leaves of the samples.  Its
 * interval holds for every slope of the slope's interval, so that it is wider
 * than it need be.
 *
 * Whether a line is the right model at all is told by the residuals: at each x
 * the median of the samples less the line, with its interval.  Where that does
 * not hold 0, the line does not fit.
 *
 * Sources: P. K. Sen, "Estimates of the regression coefficient based on
 * Kendall's tau", Journal of the American Statistical Association 63(324),
 * 1968; M. Hollander, D. A. Wolfe, "Nonparametric Statistical Methods", 2nd
 * edition, sections 9.2 to 9.4.
 *
 * All functions are pure and may be called from any thread. */

#include <stdbool.h>
#include <stddef.h>

#include "fb-stats.h"

/* Most samples: there are as many slopes as pairs of them. */
#define FB_LINE_MAX_SAMPLES 5000

/* A line. */
struct fb_line {
    struct fb_estimate slope;   /* In units of y per unit of x. */
    struct fb_estimate intercept; /* In units of y. */
};

/* How far samples are off a line at an x. */
struct fb_residual {
    double x;
    struct fb_estimate off;     /* Samples less the line. */
    bool fits;                  /* Does the interval hold 0?  Also true if
                                 * there is none. */
};

int fb_line_fit(const double *x, const double *y, size_t n,
                struct fb_line *);
int fb_line_residual(const struct fb_line *, const double *x, const double *y,
                     size_t n, double at, struct fb_residual *);

#endif /* fb-line.h */
