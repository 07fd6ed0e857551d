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

#include "fb-plan.h"
#include "util.h"

/* A simulated run: what its builds and blocks take, and what came of it. */
struct run {
    double build_s;             /* Time to build everything. */
    double block_s;             /* Time of a block. */
    double precise_at;          /* Build or block after which it is precise. */
    double now;                 /* Time since the start, in seconds. */
    unsigned int sizes[600];    /* Blocks of each build. */
    unsigned int checks[40];    /* Builds, or blocks, at each check. */
    unsigned int n_checks;
};

/* Does what 'plan' says until it is done. */
static void
carry_out(struct fb_plan *plan, struct run *run)
{
    for (;;) {
        switch (fb_plan_next(plan, run->now)) {
        case FB_PLAN_BUILD:
            CHECK(plan->n_builds <= ARRAY_SIZE(run->sizes));
            run->now += run->build_s;
            break;

        case FB_PLAN_BLOCK:
            run->sizes[plan->n_builds - 1]++;
            run->now += run->block_s;
            break;

        case FB_PLAN_CHECK: {
            unsigned int n = (plan->builds == 1 ? plan->n_blocks
                              : plan->n_builds);

            CHECK(run->n_checks < ARRAY_SIZE(run->checks));
            run->checks[run->n_checks++] = n;
            fb_plan_tell(plan, n >= run->precise_at ? 0.01 : 0.011);
            break;
        }

        case FB_PLAN_DONE:
            return;
        }
    }
}

/* Checks that 'run' had 'n' builds, with blocks as in 'sizes'. */
static void
check_sizes(const struct run *run, const unsigned int *sizes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        CHECK(run->sizes[i] == sizes[i]);
    }
    CHECK(!run->sizes[n]);
}

/* A fixed plan has just the blocks that are asked for, evenly over builds. */
static void
test_fixed(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct {
        unsigned int n_trials;  /* What is asked for... */
        unsigned int builds;
        unsigned int sizes[9];  /* ...and blocks of each build, until 0. */
    } expected[] = {
        { 1, 0, { 1 } },
        { 17, 0, { 17 } },
        { 18, 0, { 3, 3, 3, 3, 3, 3 } },
        { 20, 0, { 3, 3, 4, 3, 3, 4 } },
        { 80, 0, { 10, 10, 10, 10, 10, 10, 10, 10 } },
        { 80, 1, { 80 } },
        { 7, 7, { 1, 1, 1, 1, 1, 1, 1 } },
        { 5, 8, { 1, 1, 1, 1, 1 } },
    };

    for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
        struct run run = { .build_s = 1e9 };
        struct fb_plan plan;
        size_t n = 0;

        while (expected[i].sizes[n]) {
            n++;
        }
        fb_plan_init(&plan, expected[i].n_trials, expected[i].builds);
        CHECK(fb_plan_is_fixed(&plan));
        carry_out(&plan, &run);
        check_sizes(&run, expected[i].sizes, n);
        CHECK(plan.end == FB_PLAN_FIXED && !run.n_checks);
        CHECK(plan.n_blocks == expected[i].n_trials);
    }
}

/* It looks at numbers of builds that grow by a factor, whole builds only, and
 * stops at the first of them at which it is precise. */
static void
test_precise(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const unsigned int checks[] = { 8, 11, 15, 21, 29, 40 };
    struct run run = { .build_s = 2, .block_s = 0.5, .precise_at = 30 };
    struct fb_plan plan;

    fb_plan_until_precise(&plan, 0.01, 1e6, 8, 6);
    carry_out(&plan, &run);
    CHECK(plan.end == FB_PLAN_PRECISE && plan.reached == 0.01);
    CHECK(run.n_checks == ARRAY_SIZE(checks));
    for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
        CHECK(run.checks[i] == checks[i]);
    }
    CHECK(plan.n_builds == 40 && plan.n_blocks == 240);
    CHECK(run.sizes[0] == 6 && run.sizes[39] == 6);

    /* More builds that are asked for put off the first look. */
    memset(&run, 0, sizeof run);
    fb_plan_until_precise(&plan, 0.01, 1e6, 20, 6);
    carry_out(&plan, &run);
    CHECK(plan.n_builds == 20 && run.n_checks == 1);
}

/* Time is never exceeded by more than a block, and not begun in vain. */
static void
test_time(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct run run = { .build_s = 2, .block_s = 0.5, .precise_at = 1e9 };
    struct fb_plan plan;

    /* Builds of 5 s: 12 whole ones in 60 s. */
    fb_plan_until_precise(&plan, 0.01, 60, 8, 6);
    carry_out(&plan, &run);
    CHECK(plan.end == FB_PLAN_TIME);
    CHECK(plan.n_builds == 12 && plan.n_blocks == 72);
    CHECK(run.now <= 60);

    /* 3.4 s more do not suffice for half of a build, 3.9 s do. */
    memset(&run.sizes, 0, sizeof run.sizes);
    run.now = run.n_checks = 0;
    fb_plan_until_precise(&plan, 0.01, 63.4, 8, 6);
    carry_out(&plan, &run);
    CHECK(plan.n_builds == 12);
    memset(&run.sizes, 0, sizeof run.sizes);
    run.now = run.n_checks = 0;
    fb_plan_until_precise(&plan, 0.01, 63.9, 8, 6);
    carry_out(&plan, &run);
    CHECK(plan.n_builds == 13 && run.sizes[12] == 3 && run.now <= 63.9);
}

/* Without the time for enough builds, the first one takes it all; and so does
 * a single one that is asked for. */
static void
test_single(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    for (int asked = 0; asked < 2; asked++) {
        struct run run = { .build_s = 5, .block_s = 0.5, .precise_at = 50 };
        struct fb_plan plan;

        fb_plan_until_precise(&plan, 0.01, 55, asked ? 1 : 8, 6);
        carry_out(&plan, &run);
        CHECK(plan.end == FB_PLAN_PRECISE);
        CHECK(plan.n_builds == 1 && plan.n_blocks == 56);
        CHECK(run.checks[0] == 30 && run.checks[1] == 41);
        CHECK(run.checks[2] == 56 && run.n_checks == 3);

        memset(&run.sizes, 0, sizeof run.sizes);
        run.now = run.n_checks = 0;
        fb_plan_until_precise(&plan, 0.01, 20, asked ? 1 : 8, 6);
        carry_out(&plan, &run);
        CHECK(plan.end == FB_PLAN_TIME && plan.n_builds == 1);
        CHECK(plan.n_blocks == 30 && run.now == 20);
    }
}

/* A precision that never comes, or is not known, ends with the time, and, with
 * unlimited time, with the number of builds. */
static void
test_never(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct run run = { .build_s = 0, .block_s = 0, .precise_at = INFINITY };
    struct fb_plan plan;

    fb_plan_until_precise(&plan, 0.01, 1e6, 8, 1);
    carry_out(&plan, &run);
    CHECK(plan.end == FB_PLAN_FULL && plan.n_builds == 500);

    fb_plan_until_precise(&plan, 0.01, 1e6, 8, 1);
    for (;;) {
        enum fb_plan_step step = fb_plan_next(&plan, 0);

        if (step == FB_PLAN_CHECK) {
            fb_plan_tell(&plan, NAN);
        } else if (step == FB_PLAN_DONE) {
            break;
        }
    }
    CHECK(plan.end == FB_PLAN_FULL);
}

const struct ovs_cmdl_command test_plan_commands[] = {
    { "plan-fixed", NULL, 0, 0, test_fixed, OVS_RO },
    { "plan-precise", NULL, 0, 0, test_precise, OVS_RO },
    { "plan-time", NULL, 0, 0, test_time, OVS_RO },
    { "plan-single", NULL, 0, 0, test_single, OVS_RO },
    { "plan-never", NULL, 0, 0, test_never, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
