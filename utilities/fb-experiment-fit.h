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

#ifndef FB_EXPERIMENT_FIT_H
#define FB_EXPERIMENT_FIT_H 1

/* Straight lines through the samples of an experiment: what a figure is by
 * itself, and what each 1 more of what varies adds to it.  See fb-line.h. */

#include <stddef.h>

#include "fb-line.h"

struct ds;
struct fb_experiment_result;
struct json;
struct table_style;

/* Samples to fit a line through.  All zeros are none. */
struct fb_fit_samples {
    double *x;                  /* What varies. */
    double *y;                  /* The figure. */
    size_t n;
    size_t allocated;
};

/* A line. */
struct fb_fit {
    char *dut;                  /* The DUT's label. */
    const char *variant;        /* As in struct fb_point. */
    const char *figure;         /* Which, with its unit. */
    const char *per;            /* Of what there is 1 more. */
    struct fb_line line;
};

void fb_fit_add(struct fb_fit_samples *, double x, double y);
void fb_fit_finish(struct fb_fit_samples *, struct fb_experiment_result *,
                   const char *dut, const char *variant, const char *figure,
                   const char *per);
void fb_fit_format(const struct fb_experiment_result *,
                   const struct table_style *, struct ds *);
struct json *fb_fit_to_json(const struct fb_experiment_result *);

#endif /* fb-experiment-fit.h */
