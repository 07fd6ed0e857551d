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

#ifndef FB_TAX_RESULT_H
#define FB_TAX_RESULT_H 1

/* Taxes of mirrors, see fb-tax.h: plain data, filled in by those who
 * measure. */

#include <stdbool.h>
#include <stddef.h>

#include "fb-stats.h"

/* How to measure taxes. */
struct fb_tax_parameters {
    bool wanted;                /* Measure any? */
    unsigned int blocks;        /* So many blocks, at least 1... */
    unsigned int trials;        /* ...and trials in each of a kind. */
    double settle;              /* Load that is discarded before, in
                                 * seconds. */
};

/* What a DUT did with a kind of mirror. */
struct fb_tax {
    double *pps;                /* For each block, the median of its trials, in
                                 * packets delivered per second... */
    size_t n;                   /* ...so many. */
    char *why_not;              /* Why there is none, or NULL. */

    /* Computed by fb_tax_analyze(). */
    struct fb_estimate median_pps;
    struct fb_estimate pct;     /* Throughput lost, in percent. */
};

void fb_tax_destroy(struct fb_tax *taxes);

#endif /* fb-tax-result.h */
