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

#include "fb-noise.h"

#include <math.h>
#include <stdlib.h>

#include "fb-result.h"
#include "fb-stats.h"
#include "util.h"

/* The quartiles of a normal distribution are this many standard deviations
 * apart. */
#define QUARTILES 1.349

/* Divides the 'n' times in 'x' by their median. */
static void
normalize(double *x, size_t n)
{
    double median = fb_stats_quantile(x, n, 0.5);

    for (size_t i = 0; i < n; i++) {
        x[i] /= median;
    }
}

/* Returns how much the times per packet of the trials of 'dut' spread around
 * the median of their build, relatively: the distance of the quartiles, which
 * outliers do not change, in standard deviations.  NaN with fewer than two
 * trials, or if a packet did not get through. */
double
fb_noise_spread(const struct fb_dut_result *dut)
{
    double *x = xcalloc(MAX(1, dut->n_trials), sizeof *x);
    size_t start = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];

        x[i] = (trial->in_time
                ? (double) trial->duration_ns / trial->in_time : NAN);
        if (i + 1 == dut->n_trials
            || dut->trials[i + 1].build != trial->build) {
            normalize(x + start, i + 1 - start);
            start = i + 1;
        }
    }

    double spread = (fb_stats_quantile(x, dut->n_trials, 0.75)
                     - fb_stats_quantile(x, dut->n_trials, 0.25)) / QUARTILES;

    free(x);
    return dut->n_trials > 1 ? spread : NAN;
}
