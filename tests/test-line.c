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
#include "fanbench-test.h"

#include <errno.h>
#include <math.h>

#include "fb-line.h"
#include "fb-rng.h"
#include "test-noise.h"
#include "util.h"

/* Samples of a simulated sweep: five sizes, eight builds. */
#define N_SIZES 5
#define N_BUILDS 8
#define N (N_SIZES * N_BUILDS)
static const double sizes[N_SIZES] = { 64, 256, 512, 1024, 1514 };

/* Stores a simulated sweep in 'x' and 'y': 'fixed' ns, 'per_byte' ns a byte,
 * and noise of the standard deviation 'sd'. */
static void
simulate(struct fb_rng *rng, enum test_noise noise, double fixed,
         double per_byte, double sd, double *x, double *y)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = sizes[i % N_SIZES];
        y[i] = fixed + per_byte * x[i] + sd * test_noise_draw(rng, noise);
    }
}

/* Samples on a line, and some whose ten slopes can be worked out by hand. */
static void
test_known_answers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    /* Slopes: -0.15, -0.13, -0.08, -0.07, -0.0575, -0.055, -0.045, -0.033,
     * 0.01, 0.04. */
    static const double five_x[] = { 1, 2, 3, 4, 5 };
    static const double five_y[] = { 1.26, 1.27, 1.12, 1.16, 1.03 };
    double x[N], y[N];
    struct fb_residual residual;
    struct fb_line line;
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    simulate(&rng, TEST_NORMAL, 500, 0.25, 0, x, y);
    CHECK(!fb_line_fit(x, y, N, &line));
    CHECK(line.slope.median == 0.25 && line.slope.lo == 0.25);
    CHECK(line.slope.hi == 0.25 && line.slope.n == N);
    CHECK(line.intercept.median == 500 && line.intercept.lo == 500);
    CHECK(line.intercept.hi == 500);
    CHECK(!fb_line_residual(&line, x, y, N, 512, &residual));
    CHECK(residual.off.median == 0 && residual.fits && residual.x == 512);
    CHECK(fb_line_residual(&line, x, y, N, 513, &residual) == EINVAL);

    CHECK(!fb_line_fit(five_x, five_y, 5, &line));
    CHECK(fabs(line.slope.median + 0.05625) < 0.000001);
    CHECK(isnan(line.intercept.lo));
}

/* Bad samples, one x only, or none. */
static void
test_bad_samples(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    double x[] = { 1, 1, 1 };
    double y[] = { 1, 2, 3 };
    struct fb_line line;

    CHECK(fb_line_fit(x, y, 3, &line) == EINVAL);
    CHECK(isnan(line.slope.median) && isnan(line.intercept.median));
    CHECK(fb_line_fit(x, y, 0, &line) == EINVAL);
    CHECK(fb_line_fit(x, y, FB_LINE_MAX_SAMPLES + 1, &line) == EINVAL);
    x[2] = 2;
    y[0] = NAN;
    CHECK(fb_line_fit(x, y, 3, &line) == EDOM);
    y[0] = INFINITY;
    CHECK(fb_line_fit(x, y, 3, &line) == EDOM);
    CHECK(isnan(line.slope.median));
    /* Two samples have a slope and no interval. */
    y[0] = 0;
    CHECK(!fb_line_fit(x + 1, y + 1, 2, &line));
    CHECK(line.slope.median == 1 && isnan(line.slope.lo));
}

/* The intervals hold the truth in at least 93.5 % of 1,000 simulated sweeps,
 * whatever the noise, and are not so wide as to be worth nothing. */
static void
test_coverage(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    for (int noise = 0; noise < TEST_N_NOISES; noise++) {
        unsigned int n_slopes = 0;
        unsigned int n_intercepts = 0;
        double width = 0;
        struct fb_rng rng;

        fb_rng_init(&rng, noise);
        for (int i = 0; i < 1000; i++) {
            double x[N], y[N];
            struct fb_line line;

            simulate(&rng, noise, 500, 0.25, 20, x, y);
            CHECK(!fb_line_fit(x, y, N, &line));
            n_slopes += line.slope.lo <= 0.25 && line.slope.hi >= 0.25;
            n_intercepts += (line.intercept.lo <= 500
                             && line.intercept.hi >= 500);
            width += (line.slope.hi - line.slope.lo) / 1000;
        }
        CHECK(n_slopes >= 935 && n_slopes <= 990);
        CHECK(n_intercepts >= 950);
        CHECK(width < 0.05);
    }
}

/* One in five samples is far off: the line does not follow.  Where the truth
 * is not a line, the residuals tell. */
static void
test_residuals(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    double x[N], y[N];
    struct fb_residual residual;
    struct fb_line line;
    struct fb_rng rng;
    unsigned int n_off = 0;

    fb_rng_init(&rng, 2);
    simulate(&rng, TEST_NORMAL, 500, 0.25, 5, x, y);
    for (size_t i = 0; i < N; i += 6) {
        y[i] *= 3;
    }
    CHECK(!fb_line_fit(x, y, N, &line));
    CHECK(fabs(line.slope.median - 0.25) < 0.02);
    CHECK(fabs(line.intercept.median - 500) < 10);

    /* A step between 512 and 1,024 bytes. */
    simulate(&rng, TEST_NORMAL, 500, 0.25, 5, x, y);
    for (size_t i = 0; i < N; i++) {
        y[i] += x[i] > 512 ? 200 : 0;
    }
    CHECK(!fb_line_fit(x, y, N, &line));
    for (size_t i = 0; i < N_SIZES; i++) {
        CHECK(!fb_line_residual(&line, x, y, N, sizes[i], &residual));
        n_off += !residual.fits;
    }
    CHECK(n_off >= 3);
}

const struct ovs_cmdl_command test_line_commands[] = {
    { "line-known-answers", NULL, 0, 0, test_known_answers, OVS_RO },
    { "line-bad-samples", NULL, 0, 0, test_bad_samples, OVS_RO },
    { "line-coverage", NULL, 0, 0, test_coverage, OVS_RO },
    { "line-residuals", NULL, 0, 0, test_residuals, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
