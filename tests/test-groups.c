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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-groups.h"
#include "fb-plan.h"
#include "fb-rng.h"
#include "test-noise.h"
#include "util.h"

/* Most builds, and blocks of a build, of a simulated run. */
#define MAX_BUILDS 60
#define N_BLOCKS 5

/* The interval of 1, 2, ..., 2**(n-1) lies between the Walsh averages that
 * tables of the signed-rank test give. */
static void
test_signed_rank(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    /* Ranks of Walsh averages at which two-sided intervals begin. */
    static const struct {
        size_t n;               /* Number of samples. */
        size_t k95;             /* Rank for 95 %; 0 if there is none. */
        size_t k97;             /* Rank for 97 %. */
    } expected[] = {
        { 1, 0, 0 }, { 5, 0, 0 }, { 6, 1, 0 }, { 7, 3, 1 }, { 8, 4, 3 },
        { 10, 9, 7 }, { 15, 26, 22 }, { 20, 53, 48 }, { 25, 90, 83 },
        { 30, 138, 128 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
        size_t n = expected[i].n;
        double x[30];
        struct fb_estimate e;

        /* With these, no two Walsh averages are equal. */
        for (size_t j = 0; j < n; j++) {
            x[j] = ldexp(1, n - 1 - j);
        }
        for (int strict = 0; strict < 2; strict++) {
            size_t k = strict ? expected[i].k97 : expected[i].k95;
            size_t below = 0;
            size_t above = 0;

            CHECK(!fb_signed_rank(x, n, strict ? 0.03 : 0.05, &e));
            CHECK(e.n == n && e.n_builds == n);
            CHECK(fb_estimate_has_interval(&e) == (k > 0));
            for (size_t a = 0; k && a < n; a++) {
                for (size_t b = 0; b <= a; b++) {
                    below += (x[a] + x[b]) / 2 <= e.lo;
                    above += (x[a] + x[b]) / 2 >= e.hi;
                }
            }
            CHECK(below == k && above == k);
        }
    }
}

/* Estimates from groups that can be worked out by hand. */
static void
test_known_answers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double x[] = { 1, 9, 2, 4, 4, 3, 7, 100, 6 };
    static const double y[] = { 2, 2, 2, 2, 2, 2, 2, 2, 2 };
    static const unsigned int one[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5 };
    static const unsigned int three[] = { 0, 0, 0, 1, 1, 2, 2, 2, 2 };
    struct fb_groups groups = { .group = one, .n = 9, .miss = 0.05 };
    struct fb_estimate e;

    /* One group: as fb_stats_median(). */
    CHECK(!fb_groups_median(&groups, x, &e));
    CHECK(e.median == 4 && e.lo == 2 && e.hi == 9);
    CHECK(e.n == 9 && !e.n_builds);
    CHECK(fb_verdict_margin(&e) == FB_VERDICT_MARGIN_ONE_BUILD);

    /* Three: medians 2, 4 and 6.5; Walsh averages 2, 3, 4, 4.25, 5.25,
     * 6.5. */
    groups.group = three;
    CHECK(!fb_groups_median(&groups, x, &e));
    CHECK(e.median == 4.125 && e.n == 9 && e.n_builds == 3);
    CHECK(!fb_estimate_has_interval(&e));
    CHECK(fb_verdict_from_ratio(&e) == FB_NO_VERDICT);
    CHECK(fb_verdict_margin(&e) == FB_VERDICT_MARGIN);

    groups.miss = 0.6;
    CHECK(!fb_groups_median(&groups, x, &e));
    CHECK(e.lo == 3 && e.hi == 5.25);
    CHECK(!fb_groups_difference(&groups, x, y, &e));
    CHECK(e.median == 2.125 && e.lo == 1 && e.hi == 3.25);
    CHECK(!fb_groups_ratio(&groups, y, y, &e));
    CHECK(e.median == 1 && e.lo == 1 && e.hi == 1);
}

/* What is no sample gives an error and no number. */
static void
test_bad_samples(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double bad[] = { NAN, INFINITY, 0, -1 };
    static const unsigned int two[] = { 0, 1 };
    struct fb_groups groups = { .group = two, .n = 2, .miss = 0.9 };
    double x[] = { 1, 2 };
    static const double y[] = { 1, 1 };
    struct fb_estimate e;

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        x[1] = bad[i];
        CHECK(fb_groups_ratio(&groups, x, y, &e) == EDOM);
        CHECK(isnan(e.median) && !e.n);
        CHECK(fb_groups_ratio(&groups, y, x, &e) == EDOM);
        CHECK(isnan(e.lo) && isnan(e.hi));
    }
    groups.n = 0;
    CHECK(fb_groups_median(&groups, x, &e) == EINVAL);
    CHECK(fb_signed_rank(x, 0, 0.05, &e) == EINVAL);
    CHECK(fb_signed_rank(x, FB_GROUPS_MAX + 1, 0.05, &e) == EINVAL);
}

/* Puts the ratios of another simulated build, whose true value is 'ratio' and
 * whose own bias has the standard deviation 'bias', after the '*n' samples in
 * 'a' and 'b'. */
static void
add_build(struct fb_rng *rng, enum test_noise noise, double ratio,
          double bias, double *a, double *b, unsigned int *group, size_t *n)
{
    size_t build = *n / N_BLOCKS;
    double own = bias * test_noise_draw(rng, noise);

    for (size_t i = *n; i < *n + N_BLOCKS; i++) {
        b[i] = 1000 * exp(0.01 * test_noise_draw(rng, noise));
        a[i] = 1000 * ratio * exp(own + 0.01 * test_noise_draw(rng, noise));
        group[i] = build;
    }
    *n += N_BLOCKS;
}

/* Simulates a run that goes on until the interval of the ratio is as narrow as
 * 'precision' and returns that interval. */
static struct fb_estimate
simulate(struct fb_rng *rng, enum test_noise noise, double ratio, double bias,
         double precision)
{
    static double a[MAX_BUILDS * N_BLOCKS], b[MAX_BUILDS * N_BLOCKS];
    static unsigned int group[MAX_BUILDS * N_BLOCKS];
    struct fb_plan plan;
    struct fb_estimate e = { .n = 0 };
    size_t n = 0;

    fb_plan_until_precise(&plan, precision, MAX_BUILDS, FB_PLAN_FIRST_CHECK,
                          N_BLOCKS);
    for (;;) {
        enum fb_plan_step step = fb_plan_next(&plan, plan.n_builds * 0.999);

        if (step == FB_PLAN_BUILD) {
            add_build(rng, noise, ratio, bias, a, b, group, &n);
        } else if (step != FB_PLAN_BLOCK) {
            struct fb_groups groups = { group, n, fb_plan_miss(&plan) };

            CHECK(!fb_groups_ratio(&groups, a, b, &e));
            if (step == FB_PLAN_DONE) {
                return e;
            }
            fb_plan_tell(&plan, (e.hi - e.lo) / 2 / e.median);
        }
    }
}

/* Stopping as soon as the interval is narrow enough leaves it one of 95 %: of
 * 1,500 runs for each width and kind of noise, whose builds have a bias of
 * their own, at most 6 % miss the truth, that is 5 % and 1.8 standard
 * deviations for chance.  What it comes to is printed for who asks. */
static void
test_coverage(struct ovs_cmdl_context *ctx)
{
    static const double widths[] = { 0.004, 0.006, 0.009, 0.013 };
    const unsigned int n_runs = 1500;

    for (int noise = 0; noise < TEST_N_NOISES; noise++) {
        for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
            unsigned int n_missed = 0;
            unsigned int n_builds = 0;
            struct fb_rng rng;

            fb_rng_init(&rng, noise * 100 + i);
            for (unsigned int j = 0; j < n_runs; j++) {
                struct fb_estimate e = simulate(&rng, noise, 1.03, 0.008,
                                                widths[i]);

                n_missed += e.lo > 1.03 || e.hi < 1.03;
                n_builds += e.n_builds;
            }
            if (ctx->argc > 1) {
                printf("noise %d, +-%.1f %%: %.1f %% miss, %.1f builds\n",
                       noise, widths[i] * 100, 100.0 * n_missed / n_runs,
                       (double) n_builds / n_runs);
            }
            CHECK(n_missed <= n_runs * 6 / 100);
        }
    }
}

/* Intervals over blocks, of builds that have a bias of their own, miss far
 * more often than they say.  That is why there are intervals over builds. */
static void
test_one_build(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    unsigned int n_missed[2] = { 0, 0 };
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    for (int i = 0; i < 500; i++) {
        double a[8 * N_BLOCKS], b[8 * N_BLOCKS];
        unsigned int group[8 * N_BLOCKS];
        struct fb_groups groups = { group, 8 * N_BLOCKS, 0.05 };
        struct fb_estimate e;
        size_t n = 0;

        while (n < groups.n) {
            add_build(&rng, TEST_NORMAL, 1, 0.01, a, b, group, &n);
        }
        CHECK(!fb_groups_ratio(&groups, a, b, &e));
        n_missed[1] += e.lo > 1 || e.hi < 1;
        CHECK(!fb_stats_ratio(a, b, n, &e));
        n_missed[0] += e.lo > 1 || e.hi < 1;
    }
    CHECK(n_missed[0] > 50);
    CHECK(n_missed[1] <= 35);
}

const struct ovs_cmdl_command test_groups_commands[] = {
    { "groups-signed-rank", NULL, 0, 0, test_signed_rank, OVS_RO },
    { "groups-known-answers", NULL, 0, 0, test_known_answers, OVS_RO },
    { "groups-bad-samples", NULL, 0, 0, test_bad_samples, OVS_RO },
    { "groups-coverage", "[print]", 0, 1, test_coverage, OVS_RO },
    { "groups-one-build", NULL, 0, 0, test_one_build, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
