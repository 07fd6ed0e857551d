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
#include "fb-latency.h"
#include "fb-rng.h"

#include <math.h>

#include "util.h"

/* Adds 'n' samples to a new trial of 'latency': 'base' and what follows it, in
 * steps of 1 % of it. */
static void
add_trial(struct fb_latency *latency, size_t n, uint64_t base)
{
    fb_latency_begin_trial(latency);
    for (size_t i = 0; i < n; i++) {
        fb_latency_add(latency, base + base * i / 100);
    }
}

/* Returns true if 'x' is 'expected' to within the histograms' error. */
static bool
is_near(double x, double expected)
{
    return fabs(x - expected) <= expected * FB_HIST_MAX_ERROR;
}

/* Nothing can be told of no samples. */
static void
test_empty(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_latency *latency = fb_latency_create();

    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < FB_N_LATENCY_FIGURES; j++) {
            struct fb_estimate e;

            fb_latency_estimate(latency, j, &e);
            CHECK(isnan(e.median) && isnan(e.lo) && isnan(e.hi) && !e.n);
            fb_latency_estimate_added(latency, latency, j, &e);
            CHECK(isnan(e.median) && isnan(e.lo) && isnan(e.hi));
        }
        CHECK(!fb_latency_count(latency));
        fb_latency_begin_trial(latency);
    }
    fb_latency_destroy(latency);
    fb_latency_destroy(NULL);
}

/* Figures of many trials that are alike but for a few outliers: with an
 * interval where there are enough samples, otherwise of all of them. */
static void
test_figures(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_latency *latency = fb_latency_create();
    struct fb_estimate e;

    for (int i = 0; i < 80; i++) {
        add_trial(latency, 100, 1000);
    }
    fb_latency_begin_trial(latency);
    fb_latency_add(latency, 1000000);
    CHECK(fb_latency_count(latency) == 8001);

    fb_latency_estimate(latency, FB_LATENCY_MEAN, &e);
    CHECK(fabs(e.median - 1495) < 0.000001 && e.lo <= 1495 && e.hi >= 1495);
    fb_latency_estimate(latency, FB_LATENCY_P50, &e);
    CHECK(is_near(e.median, 1490) && is_near(e.lo, 1490) && e.n >= 40);
    fb_latency_estimate(latency, FB_LATENCY_P90, &e);
    CHECK(is_near(e.median, 1890) && is_near(e.hi, 1890) && e.n >= 40);

    /* 1,000 samples a group. */
    fb_latency_estimate(latency, FB_LATENCY_P99, &e);
    CHECK(is_near(e.median, 1980) && is_near(e.lo, 1980));
    CHECK(e.n >= FB_STATS_MIN_SAMPLES && e.n <= 8);

    /* Not enough for groups of 10,000. */
    fb_latency_estimate(latency, FB_LATENCY_P999, &e);
    CHECK(is_near(e.median, 1990) && isnan(e.lo) && isnan(e.hi));
    fb_latency_estimate(latency, FB_LATENCY_MAX, &e);
    CHECK(e.median == 1000000 && isnan(e.lo));
    fb_latency_destroy(latency);
}

/* However many trials there are, no sample is lost and memory is bounded. */
static void
test_many_trials(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_latency *latency = fb_latency_create();
    struct fb_estimate e;
    uint64_t n = 0;

    for (int i = 1; i <= 1000; i++) {
        add_trial(latency, i % 7, 1000 * i);
        n += i % 7;
        CHECK(fb_latency_count(latency) == n);
        CHECK(latency->n_parts <= FB_LATENCY_MAX_PARTS);
        CHECK(latency->n_parts
              == DIV_ROUND_UP(latency->n_trials, latency->trials_per_part));
    }
    fb_latency_estimate(latency, FB_LATENCY_MAX, &e);
    CHECK(e.median >= 1000000);
    fb_latency_destroy(latency);
}

/* What one adds to another is told block by block: what both share is none
 * of it. */
static void
test_added(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_latency *latency = fb_latency_create();
    struct fb_latency *base = fb_latency_create();
    struct fb_estimate e;
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    for (int i = 0; i < 60; i++) {
        uint64_t drift = fb_rng_below(&rng, 100000);

        fb_latency_begin_trial(latency);
        fb_latency_begin_trial(base);
        for (int j = 0; j < 100; j++) {
            fb_latency_add(base, 10000 + drift + j);
            fb_latency_add(latency, 10300 + drift + j);
        }
    }
    fb_latency_estimate_added(latency, base, FB_LATENCY_MEAN, &e);
    CHECK(fabs(e.median - 300) < 0.000001);
    CHECK(e.hi - e.lo < 0.000001);

    /* Errors of the histogram remain, of two values of up to 110,000. */
    fb_latency_estimate_added(latency, base, FB_LATENCY_P50, &e);
    CHECK(e.lo <= e.median && e.median <= e.hi);
    CHECK(fabs(e.median - 300) <= 2 * 110000 * FB_HIST_MAX_ERROR);

    fb_latency_estimate_added(latency, base, FB_LATENCY_MAX, &e);
    CHECK(e.median == 300 && isnan(e.lo));
    fb_latency_destroy(latency);
    fb_latency_destroy(base);
}

const struct ovs_cmdl_command test_latency_commands[] = {
    { "latency-empty", NULL, 0, 0, test_empty, OVS_RO },
    { "latency-figures", NULL, 0, 0, test_figures, OVS_RO },
    { "latency-many-trials", NULL, 0, 0, test_many_trials, OVS_RO },
    { "latency-added", NULL, 0, 0, test_added, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
