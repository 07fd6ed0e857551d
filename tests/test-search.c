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

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fb-rng.h"
#include "fb-search-load.h"
#include "fb-search-preset.h"
#include "fb-search.h"
#include "test-noise.h"
#include "util.h"

/* Limits of all searches here. */
#define MIN_LOAD 1000
#define MAX_LOAD 1e6

/* No search may take more trials than this. */
#define MAX_TRIALS 2000

/* A simulated device. */
struct device {
    double capacity;            /* What gets through, in packets per second. */
    double spread;              /* Standard deviation of that, from trial to
                                 * trial, relatively. */
    double base_loss;           /* Share that is lost at any load. */
    double disturbed;           /* Share of trials that lose one packet in
                                 * 10,000 for no reason. */
    bool erratic;               /* Does a load's last digit decide? */
    struct fb_rng rng;
};

/* What came of a search. */
struct outcome {
    struct fb_search_result results[FB_SEARCH_MAX_GOALS];
    unsigned int n_trials;
    double seconds;             /* Load in all. */
};

/* Returns the loss ratio of a trial of 'device' at 'load'. */
static double
run_trial(struct device *device, double load)
{
    double capacity = device->capacity;
    double loss = device->base_loss;

    if (device->spread) {
        capacity *= 1 + device->spread * test_noise_draw(&device->rng,
                                                         TEST_NORMAL);
    }
    if (load > capacity) {
        loss = MAX(loss, 1 - capacity / load);
    }
    if (fb_rng_unit(&device->rng) < device->disturbed) {
        loss = MAX(loss, 0.0001);
    }
    return device->erratic ? fmod(load, 2) * 0.3 : loss;
}

/* Searches 'device' by the preset called 'name'. */
static struct outcome
search_device(struct device *device, const char *name)
{
    const struct fb_search_preset *preset = fb_search_preset_find(name);
    struct fb_search *search = fb_search_create(preset->goals, preset->n_goals,
                                                MIN_LOAD, MAX_LOAD);
    struct outcome outcome = { .n_trials = 0 };
    double load, duration;

    fb_rng_init(&device->rng, 1);
    while (fb_search_next(search, &load, &duration)) {
        CHECK(load >= MIN_LOAD && load <= MAX_LOAD && load == floor(load));
        CHECK(++outcome.n_trials <= MAX_TRIALS);
        outcome.seconds += duration;
        fb_search_tell(search, load, duration, run_trial(device, load));
    }
    for (size_t i = 0; i < preset->n_goals; i++) {
        struct fb_search_result *r = &outcome.results[i];

        fb_search_get_result(search, i, r);
        CHECK(r->complete);
        if (!isnan(r->lower) && !isnan(r->upper)) {
            CHECK(r->lower < r->upper);
            CHECK((r->upper - r->lower) / r->upper
                  <= preset->goals[i].width + 1e-9 || r->upper - r->lower < 2);
        }
    }
    fb_search_destroy(search);
    return outcome;
}

/* A device with a sharp knee: both bounds enclose it, wherever it lies, and
 * the number of trials is that of a bisection. */
static void
test_knee(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const double knees[] = { 1001, 5432, 123456.7, 800000, 999990 };

    for (size_t i = 0; i < ARRAY_SIZE(knees); i++) {
        struct device device = { .capacity = knees[i] };
        struct outcome ndr = search_device(&device, "ndr");
        struct outcome pdr = search_device(&device, "pdr");
        struct outcome mlr = search_device(&device, "mlr");
        double with_loss = knees[i] / (1 - 0.005);

        CHECK(ndr.results[0].lower <= knees[i]);
        CHECK(ndr.results[0].upper > knees[i]);
        CHECK(ndr.results[0].throughput == ndr.results[0].lower);
        CHECK(ndr.n_trials <= 12);
        CHECK(pdr.results[0].lower <= with_loss * 1.000000001);
        CHECK(pdr.results[0].throughput <= knees[i] + 1);
        CHECK(isnan(pdr.results[0].upper)
              || pdr.results[0].upper > with_loss);
        CHECK(mlr.results[0].lower <= knees[i]);
        CHECK(mlr.results[0].upper > knees[i]);
        CHECK(mlr.results[1].lower >= mlr.results[0].lower);
        CHECK(mlr.results[1].lower <= with_loss * 1.000000001);
        CHECK(mlr.seconds <= 200);
    }
}

/* Without loss at any load, the maximum is a lower bound and there is no upper
 * one.  With loss at every load it is the other way round, unless the goal
 * allows it. */
static void
test_no_knee(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct device fast = { .capacity = 2 * MAX_LOAD };
    struct device lossy = { .capacity = 2 * MAX_LOAD, .base_loss = 0.003 };
    struct device slow = { .capacity = MIN_LOAD / 2 };
    struct outcome o;

    o = search_device(&fast, "ndr");
    CHECK(o.results[0].lower == MAX_LOAD && isnan(o.results[0].upper));
    CHECK(o.results[0].throughput == MAX_LOAD && o.n_trials == 1);
    o = search_device(&fast, "mlr");
    CHECK(o.results[1].lower == MAX_LOAD && isnan(o.results[1].upper));
    CHECK(o.n_trials == 11);

    o = search_device(&lossy, "ndr");
    CHECK(isnan(o.results[0].lower) && o.results[0].upper == MIN_LOAD);
    CHECK(isnan(o.results[0].throughput));
    o = search_device(&lossy, "mlr");
    CHECK(isnan(o.results[0].lower) && o.results[0].upper == MIN_LOAD);
    CHECK(o.results[1].lower == MAX_LOAD && isnan(o.results[1].upper));
    CHECK(fabs(o.results[1].throughput - MAX_LOAD * 0.997) < 1);

    o = search_device(&slow, "ndr");
    CHECK(isnan(o.results[0].lower) && o.results[0].upper == MIN_LOAD);
    o = search_device(&slow, "mlr");
    CHECK(isnan(o.results[0].lower) && isnan(o.results[1].lower));
}

/* Trials that are disturbed, one in five of them, mislead a search in which
 * one trial decides, but not one in which half of them may be bad. */
static void
test_disturbed(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct device device = { .capacity = 500000, .disturbed = 0.2 };
    struct outcome mlr = search_device(&device, "mlr");
    struct outcome ndr = search_device(&device, "ndr");

    CHECK(mlr.results[0].lower <= 500000 && mlr.results[0].upper > 500000);
    CHECK(mlr.results[0].throughput == mlr.results[0].lower);
    CHECK(ndr.results[0].lower <= 500000);
}

/* A capacity that changes from trial to trial: half of the trials at the bound
 * are good, so that it is the median. */
static void
test_noise(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct device device = { .capacity = 300000, .spread = 0.02 };
    struct outcome mlr = search_device(&device, "mlr");

    CHECK(fabs(mlr.results[0].lower / 300000 - 1) < 0.025);
    CHECK(fabs(mlr.results[1].lower / 300000 - 1) < 0.03);
    CHECK(mlr.results[0].lower <= mlr.results[1].lower);
}

/* Results that contradict each other at every turn: it ends, and the bounds
 * are those of its rules. */
static void
test_inconsistent(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct device device = { .erratic = true };
    struct outcome o = search_device(&device, "mlr");

    CHECK(o.results[0].lower == MAX_LOAD && isnan(o.results[0].upper));

    device = (struct device) { .capacity = 50000, .spread = 0.5 };
    search_device(&device, "mlr");
    search_device(&device, "ndr");
}

/* Adds 'n' trials of 'duration' s with 'loss' at load 100. */
static void
add(struct fb_search_loads *loads, int n, double duration, double loss)
{
    while (n-- > 0) {
        fb_search_loads_add(loads, 100, duration, loss);
    }
}

/* Classes of loads that can be worked out by hand. */
static void
test_classes(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct fb_search_goal goal = {
        .loss_ratio = 0.01, .exceed_ratio = 0.5, .duration = 1,
        .duration_sum = 10,
    };
    static const struct fb_search_goal strict = {
        .loss_ratio = 0, .exceed_ratio = 0, .duration = 1, .duration_sum = 2,
    };
    static const struct {
        int good, bad;          /* Full-length trials. */
        int short_good;         /* Trials of 0.5 s. */
        int short_bad;
        enum fb_search_class class; /* For the first goal... */
        double throughput;
        enum fb_search_class strict; /* ...and for the second. */
    } expected[] = {
        { 0, 0, 0, 0, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UNDECIDED },
        { 1, 0, 0, 0, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UPPER },
        { 2, 0, 0, 0, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UPPER },
        { 4, 0, 0, 0, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UPPER },
        { 5, 0, 0, 0, FB_SEARCH_LOWER, 99, FB_SEARCH_UPPER },
        { 5, 5, 0, 0, FB_SEARCH_LOWER, 99, FB_SEARCH_UPPER },
        { 5, 6, 0, 0, FB_SEARCH_UPPER, 80, FB_SEARCH_UPPER },
        { 0, 5, 0, 0, FB_SEARCH_UNDECIDED, 80, FB_SEARCH_UPPER },
        { 0, 6, 0, 0, FB_SEARCH_UPPER, 80, FB_SEARCH_UPPER },
        /* Short trials never make a lower bound; bad ones count as far as
         * they outweigh the good ones. */
        { 0, 0, 40, 0, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UNDECIDED },
        { 0, 0, 0, 10, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UPPER },
        { 0, 0, 0, 11, FB_SEARCH_UPPER, 0, FB_SEARCH_UPPER },
        { 0, 0, 11, 11, FB_SEARCH_UNDECIDED, 0, FB_SEARCH_UPPER },
        { 0, 0, 11, 22, FB_SEARCH_UPPER, 0, FB_SEARCH_UPPER },
        { 5, 0, 0, 11, FB_SEARCH_UPPER, 99, FB_SEARCH_UPPER },
    };

    for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
        struct fb_search_loads loads = { .n = 0 };

        add(&loads, expected[i].good, 1, 0.01);
        add(&loads, expected[i].bad, 1, 0.2);
        add(&loads, expected[i].short_good, 0.5, 0);
        add(&loads, expected[i].short_bad, 0.5, 0.3);
        CHECK(fb_search_loads_classify(&loads, 100, &goal)
              == expected[i].class);
        if (expected[i].class == FB_SEARCH_LOWER) {
            CHECK(fb_search_loads_throughput(&loads, 100, &goal)
                  == expected[i].throughput);
        }
        CHECK(fb_search_loads_classify(&loads, 100, &strict)
              == expected[i].strict);
        fb_search_loads_destroy(&loads);
    }
}

/* The relevant bounds: the lowest upper bound, and the highest lower bound
 * that is below it. */
static void
test_bounds(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct fb_search_goal goal = {
        .duration = 1, .duration_sum = 1,
    };
    static const double good[] = { 300, 10, 20, 500 };
    static const double bad[] = { 600, 30, 400 };
    struct fb_search_loads loads = { .n = 0 };
    double lower, upper;

    fb_search_loads_bounds(&loads, &goal, &lower, &upper);
    CHECK(isnan(lower) && isnan(upper));
    for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
        fb_search_loads_add(&loads, good[i], 1, 0);
    }
    fb_search_loads_bounds(&loads, &goal, &lower, &upper);
    CHECK(lower == 500 && isnan(upper));
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        fb_search_loads_add(&loads, bad[i], 1, 0.1);
    }
    fb_search_loads_bounds(&loads, &goal, &lower, &upper);
    CHECK(lower == 20 && upper == 30);
    CHECK(isnan(fb_search_loads_throughput(&loads, 21, &goal)));
    fb_search_loads_destroy(&loads);
}

/* A search that is given up has no more to say than it knows. */
static void
test_given_up(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const struct fb_search_preset *mlr = fb_search_preset_find("mlr");
    struct fb_search *search = fb_search_create(mlr->goals, mlr->n_goals,
                                                MIN_LOAD, MAX_LOAD);
    struct fb_search_result r;
    double load, duration;

    for (int i = 0; i < 12; i++) {
        CHECK(fb_search_next(search, &load, &duration));
        fb_search_tell(search, load, duration, load > 7e5 ? 0.5 : 0);
    }
    fb_search_get_result(search, 0, &r);
    CHECK(!r.complete);
    CHECK(isnan(r.lower) || r.lower <= 7e5);
    CHECK(isnan(r.upper) || r.upper > 7e5);
    fb_search_destroy(search);
}

const struct ovs_cmdl_command test_search_commands[] = {
    { "search-knee", NULL, 0, 0, test_knee, OVS_RO },
    { "search-no-knee", NULL, 0, 0, test_no_knee, OVS_RO },
    { "search-disturbed", NULL, 0, 0, test_disturbed, OVS_RO },
    { "search-noise", NULL, 0, 0, test_noise, OVS_RO },
    { "search-inconsistent", NULL, 0, 0, test_inconsistent, OVS_RO },
    { "search-classes", NULL, 0, 0, test_classes, OVS_RO },
    { "search-bounds", NULL, 0, 0, test_bounds, OVS_RO },
    { "search-given-up", NULL, 0, 0, test_given_up, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
