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

#ifndef FB_GROUPS_H
#define FB_GROUPS_H 1

/* Estimates from samples that come in groups
 * ==========================================
 *
 * Blocks of trials that went through one and the same build of the topologies
 * share what that build happens to be like: they are no independent samples of
 * what another build would say.  So each group, that is, each build, counts
 * once, with the median of its samples, and the interval is one over groups.
 * Whatever differs between groups is in it: the bias of each build, and the
 * noise within that its blocks have not averaged out.
 *
 * The estimate is that of Hodges and Lehmann: the median of the Walsh
 * averages, which are the means of any two of the groups' medians and of each
 * with itself.  The interval is from the k-th smallest to the k-th largest
 * Walsh average, as the signed-rank test has it.  It assumes that a group's
 * median is as likely too high as too low by the same amount, and nothing
 * else: neither a shape of the distribution, nor that groups are equally
 * noisy, so that the last one may have fewer samples.  For the logarithm of
 * the ratio of two things that are alike this symmetry is exact.
 *
 * Ratios are averaged as logarithms, so that a / b and b / a tell the same.
 *
 * Sources: J. L. Hodges, E. L. Lehmann, "Estimates of location based on rank
 * tests", Annals of Mathematical Statistics 34(2), 1963; M. Hollander,
 * D. A. Wolfe, "Nonparametric Statistical Methods", 2nd edition, section 3.4.
 *
 * With a single group the interval is that of its samples, by fb-stats.h.
 * With more groups, but too few for the probability that is asked for, there
 * is none: 6 groups are the fewest for 95 %, and 7 for 97 %.
 *
 * All functions are pure and may be called from any thread. */

#include <stddef.h>

#include "fb-stats.h"

/* Most groups: the intervals are exact, in time and memory that grow with the
 * square of the number. */
#define FB_GROUPS_MAX 500

/* How samples are grouped. */
struct fb_groups {
    const unsigned int *group;  /* Of each sample; equal ones are adjacent. */
    size_t n;                   /* Number of samples. */
    double miss;                /* Probability, of (0, 1), with which an
                                 * interval over groups may miss. */
};

int fb_groups_median(const struct fb_groups *, const double *x,
                     struct fb_estimate *);
int fb_groups_difference(const struct fb_groups *, const double *a,
                         const double *b, struct fb_estimate *);
int fb_groups_ratio(const struct fb_groups *, const double *a,
                    const double *b, struct fb_estimate *);
int fb_signed_rank(const double *x, size_t n, double miss,
                   struct fb_estimate *);

#endif /* fb-groups.h */
