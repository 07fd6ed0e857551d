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

#ifndef FB_MODEL_H
#define FB_MODEL_H 1

/* The cost model: what a packet costs by itself, and what each unit of the
 * parameter of a sweep adds, for each DUT, and where that does not fit. */

#include "fb-line.h"
#include "fb-sweep.h"

struct ds;
struct fb_result;
struct json;
struct table_style;

/* The model of a DUT. */
struct fb_model {
    struct fb_line line;        /* Time per packet in ns over the units, see
                                 * fb_sweep_units(). */
    struct fb_residual residuals[FB_SWEEP_MAX]; /* At each of... */
    double values[FB_SWEEP_MAX]; /* ...the values of the sweep. */
    size_t n;                   /* Number of values. */
};

void fb_model_fit(struct fb_result *);
void fb_model_format(const struct fb_result *, const struct table_style *,
                     struct ds *);
struct json *fb_model_to_json(const struct fb_model *);

#endif /* fb-model.h */
