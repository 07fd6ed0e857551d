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
#include "fb-hist.h"
#include "fb-rng.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "ovs-thread.h"
#include "util.h"

/* Returns a new, empty histogram, which the caller must free. */
static struct fb_hist *
hist_create(void)
{
    struct fb_hist *hist = xmalloc(sizeof *hist);

    fb_hist_init(hist);
    return hist;
}

/* An empty histogram has no values and says so. */
static void
test_empty(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_hist *hist = hist_create();

    for (int i = 0; i < 2; i++) {
        CHECK(fb_hist_count(hist) == 0);
        CHECK(fb_hist_min(hist) == 0);
        CHECK(fb_hist_max(hist) == 0);
        CHECK(isnan(fb_hist_mean(hist)));
        CHECK(fb_hist_quantile(hist, 0.5) == 0);

        fb_hist_record(hist, 12345);
        CHECK(fb_hist_count(hist) == 1);
        fb_hist_clear(hist);
    }
    free(hist);
}

/* Checks that the median of 0, 'value' and UINT64_MAX is 'value', within the
 * bound of the error. */
static void
check_error_bound(struct fb_hist *hist, uint64_t value)
{
    fb_hist_clear(hist);
    fb_hist_record(hist, 0);
    fb_hist_record(hist, value);
    fb_hist_record(hist, UINT64_MAX);

    uint64_t found = fb_hist_quantile(hist, 0.5);
    uint64_t error = found > value ? found - value : value - found;

    if (error > value * FB_HIST_MAX_ERROR) {
        ovs_fatal(0, "%"PRIu64" came back as %"PRIu64, value, found);
    }
    if (value < 2 * FB_HIST_SUB_BUCKETS) {
        CHECK(!error);
    }
}

/* The error is within its bound over the whole range: around every power of
 * two and at random values of every magnitude. */
static void
test_error_bound(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_hist *hist = hist_create();
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    for (int bit = 0; bit < 64; bit++) {
        uint64_t power = UINT64_C(1) << bit;

        check_error_bound(hist, power - 1);
        check_error_bound(hist, power);
        check_error_bound(hist, power + 1);
        for (int i = 0; i < 20; i++) {
            check_error_bound(hist, power | fb_rng_next(&rng) % power);
        }
    }
    check_error_bound(hist, UINT64_MAX);
    CHECK(fb_hist_bucket__(UINT64_MAX) == FB_HIST_N_BUCKETS - 1);
    free(hist);
}

/* A greater value never has a lesser bucket, and no bucket is passed over. */
static void
test_buckets(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint32_t last = fb_hist_bucket__(0);

    CHECK(last == 0);
    for (uint64_t value = 1; value < 1000000; value++) {
        uint32_t bucket = fb_hist_bucket__(value);

        CHECK(bucket == last || bucket == last + 1);
        last = bucket;
    }
}

/* Quantiles of the numbers from 1 to 100,000, and what is exact. */
static void
test_quantiles(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double qs[] = { 0.001, 0.1, 0.5, 0.9, 0.99, 0.999 };
    struct fb_hist *hist = hist_create();

    for (int i = 100000; i > 0; i--) {
        fb_hist_record(hist, i);
    }
    CHECK(fb_hist_count(hist) == 100000);
    CHECK(fb_hist_min(hist) == 1 && fb_hist_quantile(hist, 0) == 1);
    CHECK(fb_hist_max(hist) == 100000 && fb_hist_quantile(hist, 1) == 100000);
    CHECK(fb_hist_mean(hist) == 50000.5);
    for (size_t i = 0; i < ARRAY_SIZE(qs); i++) {
        double expected = qs[i] * 100000;
        double found = fb_hist_quantile(hist, qs[i]);

        CHECK(fabs(found - expected) <= expected * FB_HIST_MAX_ERROR);
    }
    free(hist);
}

/* Two merged histograms are the one that recorded the values of both. */
static void
test_merge(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_hist *parts[] = { hist_create(), hist_create() };
    struct fb_hist *whole = hist_create();
    struct fb_hist *merged = hist_create();
    struct fb_rng rng;

    fb_rng_init(&rng, 1);
    for (int i = 0; i < 10000; i++) {
        uint64_t value = fb_rng_below(&rng, 1000000);

        fb_hist_record(parts[i % 2], value);
        fb_hist_record(whole, value);
    }
    fb_hist_merge(merged, parts[0]);
    fb_hist_merge(merged, parts[1]);

    CHECK(fb_hist_count(merged) == fb_hist_count(whole));
    CHECK(fb_hist_min(merged) == fb_hist_min(whole));
    CHECK(fb_hist_max(merged) == fb_hist_max(whole));
    CHECK(fb_hist_mean(merged) == fb_hist_mean(whole));
    for (double q = 0; q <= 1; q += 0.01) {
        CHECK(fb_hist_quantile(merged, q) == fb_hist_quantile(whole, q));
    }

    free(parts[0]);
    free(parts[1]);
    free(whole);
    free(merged);
}

/* Number of values that recorder_main() records. */
#define N_RECORDS 2000000

/* Records the numbers from 1 to N_RECORDS in 'hist_'. */
static void *
recorder_main(void *hist_)
{
    struct fb_hist *hist = hist_;

    for (uint64_t i = 1; i <= N_RECORDS; i++) {
        fb_hist_record(hist, i);
    }
    return NULL;
}

/* A reader that merges while another thread records sees a count that only
 * grows and values that were recorded; in the end it sees all. */
static void
test_concurrent(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_hist *hist = hist_create();
    struct fb_hist *copy = hist_create();
    pthread_t thread = ovs_thread_create("recorder", recorder_main, hist);
    uint64_t last = 0;

    for (int i = 0; i < 100; i++) {
        fb_hist_clear(copy);
        fb_hist_merge(copy, hist);

        uint64_t n = fb_hist_count(copy);

        CHECK(n >= last && n <= N_RECORDS);
        CHECK(fb_hist_quantile(copy, 0.5) <= N_RECORDS);
        last = n;
    }
    xpthread_join(thread, NULL);

    fb_hist_clear(copy);
    fb_hist_merge(copy, hist);
    CHECK(fb_hist_count(copy) == N_RECORDS);
    CHECK(fb_hist_min(copy) == 1);
    CHECK(fb_hist_max(copy) == N_RECORDS);
    CHECK(fb_hist_mean(copy) == (N_RECORDS + 1) / 2.0);
    free(hist);
    free(copy);
}

const struct ovs_cmdl_command test_hist_commands[] = {
    { "hist-empty", NULL, 0, 0, test_empty, OVS_RO },
    { "hist-error-bound", NULL, 0, 0, test_error_bound, OVS_RO },
    { "hist-buckets", NULL, 0, 0, test_buckets, OVS_RO },
    { "hist-quantiles", NULL, 0, 0, test_quantiles, OVS_RO },
    { "hist-merge", NULL, 0, 0, test_merge, OVS_RO },
    { "hist-concurrent", NULL, 0, 0, test_concurrent, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
