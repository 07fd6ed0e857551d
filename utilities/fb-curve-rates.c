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

#include "fb-curve-rates.h"

#include <math.h>
#include <stdlib.h>

#include "fb-pace.h"
#include "util.h"

/* Of two rates that differ by less than this share, one does. */
#define MIN_DISTANCE 0.05

/* The last step is this much above what the fastest switch can do. */
#define BEYOND 1.15

/* Least rate, in packets per second: slower than that, the generator sleeps
 * between packets, and nobody sees who uses its CPU meanwhile. */
#define MIN_RATE 1000

/* Orders two rates, for qsort(). */
static int
compare_rates(const void *a_, const void *b_)
{
    const double *a = a_;
    const double *b = b_;

    return (*a > *b) - (*a < *b);
}

/* Stores in 'rates' the rates of curves of 'n' switches, which can do 'pps'
 * packets per second: 'steps' evenly spaced shares of what each of them can
 * do, and one rate more than all can do, in ascending order.  Of rates that
 * hardly differ only one is there.  Returns their number. */
size_t
fb_curve_rates(const double pps[], size_t n, unsigned int steps,
               uint64_t rates[FB_CURVE_MAX])
{
    double *all = xcalloc(n * steps + 1, sizeof *all);
    size_t n_rates = 0;
    double max = 0;

    for (size_t i = 0; i < n; i++) {
        for (unsigned int j = 0; j < steps; j++) {
            all[i * steps + j] = pps[i] * (j + 1) / steps;
        }
        max = MAX(max, pps[i]);
    }
    all[n * steps] = max * BEYOND;
    qsort(all, n * steps + 1, sizeof *all, compare_rates);
    for (size_t i = 0; i <= n * steps && n_rates < FB_CURVE_MAX; i++) {
        uint64_t rate = lround(MIN(all[i], FB_PACE_MAX_RATE));

        if (rate >= MIN_RATE
            && (!n_rates
                || rate > rates[n_rates - 1] * (1 + MIN_DISTANCE))) {
            rates[n_rates++] = rate;
        }
    }
    free(all);
    return n_rates;
}
