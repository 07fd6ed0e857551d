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
#include "fanbench-test.h"
#include "fb-rng.h"
#include "fb-stats.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test-noise.h"
#include "util.h"

/* Blocks of a simulated experiment: as many as a run has by default. */
#define N_BLOCKS 80
#define N_EXPERIMENTS 400

/* Medians, quantiles and ranks that can be worked out by hand. */
static void
test_known_answers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double odd[] = { 5, 1, 4, 2, 3 };
    static const double even[] = { 4, 1, 3, 2 };
    struct fb_estimate e;

    CHECK(!fb_stats_median(odd, 5, &e));
    CHECK(e.median == 3 && e.n == 5);
    CHECK(!fb_stats_median(even, 4, &e));
    CHECK(e.median == 2.5 && e.n == 4);
    CHECK(odd[0] == 5 && even[3] == 2);

    CHECK(fb_stats_quantile(odd, 5, 0) == 1);
    CHECK(fb_stats_quantile(odd, 5, 0.25) == 2);
    CHECK(fb_stats_quantile(odd, 5, 0.5) == 3);
    CHECK(fb_stats_quantile(odd, 5, 0.875) == 4.5);
    CHECK(fb_stats_quantile(odd, 5, 1) == 5);
}

/* The interval of the median of 1, 2, ..., n lies between the ranks that
 * tables of the sign test give, also where 2**-n is no longer a double. */
static void
test_interval_ranks(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    /* Sample sizes and lower ranks of two-sided 95 % intervals. */
    static const struct {
        size_t n;               /* Number of samples. */
        size_t rank;            /* The least of the interval. */
    } expected[] = {
        { 6, 1 }, { 8, 1 }, { 9, 2 }, { 10, 2 }, { 12, 3 }, { 15, 4 },
        { 20, 6 }, { 25, 8 }, { 30, 10 }, { 40, 14 }, { 50, 18 },
        { 80, 31 }, { 100, 40 }, { 10000, 4902 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
        size_t n = expected[i].n;
        double *x = xmalloc(n * sizeof *x);
        struct fb_estimate e;

        for (size_t j = 0; j < n; j++) {
            x[j] = n - j;
        }
        CHECK(!fb_stats_median(x, n, &e));
        if (e.lo != expected[i].rank) {
            ovs_fatal(0, "%"PRIuSIZE" samples: lower rank %g, expected "
                      "%"PRIuSIZE, n, e.lo, expected[i].rank);
        }
        CHECK(e.hi == n + 1 - expected[i].rank);
        CHECK(e.median == (n + 1) / 2.0);
        free(x);
    }
}

/* Pairs are compared within their block: a drift that both share vanishes
 * from difference and ratio, whatever its size. */
static void
test_pairs(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    double a[N_BLOCKS], b[N_BLOCKS], c[N_BLOCKS];
    struct fb_estimate e;

    for (size_t i = 0; i < N_BLOCKS; i++) {
        b[i] = 1 << i % 10;
        a[i] = b[i] * 1.25;
        c[i] = b[i] + 8;
    }
    CHECK(!fb_stats_ratio(a, b, N_BLOCKS, &e));
    CHECK(e.median == 1.25 && e.lo == 1.25 && e.hi == 1.25);
    CHECK(fb_verdict_from_ratio(&e) == FB_SLOWER);
    CHECK(!fb_stats_difference(c, b, N_BLOCKS, &e));
    CHECK(e.median == 8 && e.lo == 8 && e.hi == 8);
}

/* Checks that 'e' says that there is nothing to say. */
static void
check_void(const struct fb_estimate *e)
{
    CHECK(isnan(e->median) && isnan(e->lo) && isnan(e->hi) && !e->n);
    CHECK(!fb_estimate_has_interval(e));
    CHECK(fb_verdict_from_ratio(e) == FB_NO_VERDICT);
}

/* NaN, infinite and negative samples, zero divisors and no samples at all are
 * errors, and no number comes out. */
static void
test_bad_samples(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double good[] = { 1, 2, 3, 4, 5, 6 };
    static const double bad[] = { NAN, INFINITY, -INFINITY };
    struct fb_estimate e;

    CHECK(fb_stats_median(good, 0, &e) == EINVAL);
    check_void(&e);
    CHECK(isnan(fb_stats_quantile(good, 0, 0.5)));
    CHECK(isnan(fb_stats_quantile(good, 6, -0.1)));
    CHECK(isnan(fb_stats_quantile(good, 6, 1.1)));
    CHECK(isnan(fb_stats_quantile(good, 6, NAN)));

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        double x[6];

        memcpy(x, good, sizeof x);
        x[3] = bad[i];
        CHECK(fb_stats_median(x, 6, &e) == EDOM);
        check_void(&e);
        CHECK(fb_stats_difference(good, x, 6, &e) == EDOM);
        check_void(&e);
        CHECK(fb_stats_ratio(good, x, 6, &e) == EDOM);
        check_void(&e);
        CHECK(fb_stats_ratio(x, good, 6, &e) == EDOM);
        check_void(&e);
        CHECK(isnan(fb_stats_quantile(x, 6, 0.5)));

        x[3] = 0;
        CHECK(fb_stats_ratio(good, x, 6, &e) == EDOM);
        check_void(&e);
        x[3] = -1;
        CHECK(fb_stats_ratio(x, good, 6, &e) == EDOM);
        check_void(&e);
    }
}

/* Too few samples give a median but no interval, hence no verdict either,
 * however far apart the two are. */
static void
test_few_samples(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double a[] = { 200, 201, 202, 203, 204, 205 };
    static const double b[] = { 100, 100, 100, 100, 100, 100 };
    struct fb_estimate e;

    for (size_t n = 1; n < FB_STATS_MIN_SAMPLES; n++) {
        CHECK(!fb_stats_ratio(a, b, n, &e));
        CHECK(e.n == n && e.median >= 2);
        CHECK(!fb_estimate_has_interval(&e));
        CHECK(fb_verdict_from_ratio(&e) == FB_NO_VERDICT);
    }
    CHECK(!fb_stats_ratio(a, b, FB_STATS_MIN_SAMPLES, &e));
    CHECK(fb_estimate_has_interval(&e));
    CHECK(fb_verdict_from_ratio(&e) == FB_SLOWER);
}

/* An interval that touches the margin around 1 decides nothing. */
static void
test_verdicts(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct {
        double lo;              /* Interval of a ratio... */
        double hi;              /* ...of times. */
        const char *verdict;    /* What is said about it. */
    } expected[] = {
        { 1.016, 1.03, "slower" },
        { 0.97, 0.985, "faster" },
        { 0.99, 1.01, "no difference seen" },
        { 1.005, 1.01, "no difference seen" },
        { 1.015, 1.04, "no difference seen" },
        { 0.986, 0.99, "no difference seen" },
        { 0.96, 0.986, "no difference seen" },
        { NAN, NAN, "cannot tell" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
        struct fb_estimate e = {
            .median = 1, .n = 80, .lo = expected[i].lo, .hi = expected[i].hi,
        };

        CHECK(!strcmp(fb_verdict_to_string(fb_verdict_from_ratio(&e)),
                      expected[i].verdict));
    }
}

/* Returns a time that takes 'ns' on a machine whose speed is now 'drift', with
 * a noise of 1.5 % and, once in 20 trials, an interruption of up to 30 %. */
static double
draw_time(struct fb_rng *rng, double ns, double drift)
{
    double t = ns * exp(drift + 0.015 * test_noise_draw(rng, TEST_NORMAL));

    return fb_rng_below(rng, 20) ? t : t * (1 + 0.3 * fb_rng_unit(rng));
}

/* Simulates an experiment of 'n' blocks, at most N_BLOCKS, in which the first
 * DUT takes 'ratio' times as long as the second.  The machine's speed wanders
 * from block to block by far more than the noise within one, as a first-order
 * autoregression.  Returns the ratio found. */
static struct fb_estimate
simulate(struct fb_rng *rng, double ratio, size_t n)
{
    double a[N_BLOCKS], b[N_BLOCKS];
    struct fb_estimate e;
    double drift = 0;

    for (size_t i = 0; i < n; i++) {
        drift = 0.95 * drift + 0.08 * test_noise_draw(rng, TEST_NORMAL);
        a[i] = draw_time(rng, 1000 * ratio, drift);
        b[i] = draw_time(rng, 1000, drift);
    }
    CHECK(!fb_stats_ratio(a, b, n, &e));
    return e;
}

/* Of 4,000 comparisons of a thing with itself at most 5.5 % have an interval
 * without a ratio of 1 in it, for few and for many blocks: 5 % and one and a
 * half standard deviations for chance. */
static void
test_coverage(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const unsigned int n_experiments = 4000;
    static const size_t n_blocks[] = { 6, 10, 20, 40, N_BLOCKS };

    for (size_t i = 0; i < ARRAY_SIZE(n_blocks); i++) {
        unsigned int n_false = 0;
        struct fb_rng rng;

        fb_rng_init(&rng, n_blocks[i]);
        for (unsigned int j = 0; j < n_experiments; j++) {
            struct fb_estimate e = simulate(&rng, 1, n_blocks[i]);

            n_false += e.lo > 1 || e.hi < 1;
        }
        if (n_false > n_experiments * 55 / 1000) {
            ovs_fatal(0, "%"PRIuSIZE" blocks: %u of %u comparisons of equals "
                      "saw a difference", n_blocks[i], n_false, n_experiments);
        }
    }
}

/* A cost of 3 % is called slower, and a gain of 3 % faster, in at least 95 %
 * of 400 experiments. */
static void
test_power(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    unsigned int n_slower = 0;
    unsigned int n_faster = 0;
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    for (int i = 0; i < N_EXPERIMENTS; i++) {
        struct fb_estimate cost = simulate(&rng, 1.03, N_BLOCKS);
        struct fb_estimate gain = simulate(&rng, 0.97, N_BLOCKS);

        n_slower += fb_verdict_from_ratio(&cost) == FB_SLOWER;
        n_faster += fb_verdict_from_ratio(&gain) == FB_FASTER;
    }
    CHECK(n_slower >= N_EXPERIMENTS * 95 / 100);
    CHECK(n_faster >= N_EXPERIMENTS * 95 / 100);
}

const struct ovs_cmdl_command test_stats_commands[] = {
    { "stats-known-answers", NULL, 0, 0, test_known_answers, OVS_RO },
    { "stats-interval-ranks", NULL, 0, 0, test_interval_ranks, OVS_RO },
    { "stats-pairs", NULL, 0, 0, test_pairs, OVS_RO },
    { "stats-bad-samples", NULL, 0, 0, test_bad_samples, OVS_RO },
    { "stats-few-samples", NULL, 0, 0, test_few_samples, OVS_RO },
    { "stats-verdicts", NULL, 0, 0, test_verdicts, OVS_RO },
    { "stats-coverage", NULL, 0, 0, test_coverage, OVS_RO },
    { "stats-power", NULL, 0, 0, test_power, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
