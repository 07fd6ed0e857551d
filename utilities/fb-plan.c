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

#include "fb-plan.h"

#include <math.h>
#include <string.h>

#include "fb-groups.h"
#include "util.h"

/* Most blocks of a run, for all of them are kept. */
#define MAX_BLOCKS 1000000

/* Makes 'plan' one of 'n_trials' blocks in 'builds' builds; 0 for a number of
 * builds that suits the number of blocks. */
void
fb_plan_init(struct fb_plan *plan, unsigned int n_trials, unsigned int builds)
{
    memset(plan, 0, sizeof *plan);
    plan->n_trials = n_trials;
    plan->reached = INFINITY;
    if (!builds) {
        builds = MIN(FB_PLAN_BUILDS, n_trials / FB_PLAN_MIN_BLOCKS);
        if (builds < FB_PLAN_MIN_BUILDS) {
            builds = 1;
        }
    }
    plan->builds = MIN(builds, n_trials);
}

/* Makes 'plan' one that goes on until what it is told is at most 'precision',
 * or 'max_time' seconds have passed, with 'blocks' blocks a build and at least
 * 'builds' builds; 1 for a single build. */
void
fb_plan_until_precise(struct fb_plan *plan, double precision, double max_time,
                      unsigned int builds, unsigned int blocks)
{
    memset(plan, 0, sizeof *plan);
    plan->builds = builds;
    plan->blocks = blocks;
    plan->precision = precision;
    plan->max_time = max_time;
    plan->reached = INFINITY;
    plan->next_check = (builds == 1 ? FB_PLAN_FIRST_CHECK_BLOCKS
                        : MAX(FB_PLAN_FIRST_CHECK, builds));
}

/* Returns true if what 'plan' does was fixed beforehand. */
bool
fb_plan_is_fixed(const struct fb_plan *plan)
{
    return plan->n_trials > 0;
}

/* Returns the probability with which an interval over builds may miss so that
 * it is one of 95 % after 'plan' has come to its end. */
double
fb_plan_miss(const struct fb_plan *plan)
{
    return fb_plan_is_fixed(plan) ? FB_PLAN_MISS_FIXED : FB_PLAN_MISS;
}

/* Returns the name of 'end' in results. */
const char *
fb_plan_end_to_string(enum fb_plan_end end)
{
    return (end == FB_PLAN_FIXED ? "trials"
            : end == FB_PLAN_PRECISE ? "precision"
            : end == FB_PLAN_TIME ? "max-time"
            : end == FB_PLAN_VOID ? "void"
            : "limit");
}

/* Tells 'plan', at FB_PLAN_CHECK, that the widest interval is as narrow as
 * 'half_width', relatively; NaN if there is none. */
void
fb_plan_tell(struct fb_plan *plan, double half_width)
{
    plan->reached = half_width;
    plan->checked = true;
}

/* Begins another build, at 'elapsed'. */
static enum fb_plan_step
begin_build(struct fb_plan *plan, double elapsed)
{
    plan->n_builds++;
    plan->n_here = 0;
    plan->start = elapsed;
    plan->blocks_start = NAN;
    return FB_PLAN_BUILD;
}

/* Begins another block. */
static enum fb_plan_step
begin_block(struct fb_plan *plan)
{
    plan->n_here++;
    plan->n_blocks++;
    plan->checked = false;
    return FB_PLAN_BLOCK;
}

/* Ends 'plan', and says why. */
static enum fb_plan_step
finish(struct fb_plan *plan, enum fb_plan_end end)
{
    plan->end = end;
    return FB_PLAN_DONE;
}

/* fb_plan_next() for a fixed plan: build number b ends with block number
 * b * n_trials / builds, so that their sizes differ by one at most. */
static enum fb_plan_step
next_fixed(struct fb_plan *plan, double elapsed)
{
    uint64_t end = (uint64_t) plan->n_builds * plan->n_trials / plan->builds;

    if (plan->n_blocks < end) {
        return begin_block(plan);
    }
    return (plan->n_builds < plan->builds ? begin_build(plan, elapsed)
            : finish(plan, FB_PLAN_FIXED));
}

/* Notes how long builds and blocks take. */
static void
learn(struct fb_plan *plan, double elapsed)
{
    if (isnan(plan->blocks_start)) {
        plan->blocks_start = elapsed;
        plan->build_time = MAX(plan->build_time, elapsed - plan->start);
    } else if (plan->n_here) {
        plan->block_time = (elapsed - plan->blocks_start) / plan->n_here;
    }
}

/* With a single build: looks whether it is precise, or runs a block. */
static enum fb_plan_step
next_in_single(struct fb_plan *plan)
{
    if (plan->n_blocks >= plan->next_check) {
        if (!plan->checked) {
            return FB_PLAN_CHECK;
        } else if (plan->reached <= plan->precision) {
            return finish(plan, FB_PLAN_PRECISE);
        }
        plan->next_check = ceil(plan->n_blocks * FB_PLAN_GROWTH);
    }
    return (plan->n_blocks < MAX_BLOCKS ? begin_block(plan)
            : finish(plan, FB_PLAN_FULL));
}

/* After a build: looks whether it is precise, or begins the next one, if there
 * is the time for half of its blocks. */
static enum fb_plan_step
next_build(struct fb_plan *plan, double elapsed)
{
    double least = plan->build_time + plan->block_time * plan->blocks / 2;

    if (plan->n_builds >= plan->next_check) {
        if (!plan->checked) {
            return FB_PLAN_CHECK;
        } else if (plan->reached <= plan->precision) {
            return finish(plan, FB_PLAN_PRECISE);
        }
        plan->next_check = ceil(plan->n_builds * FB_PLAN_GROWTH);
    }
    if (plan->n_builds >= FB_GROUPS_MAX) {
        return finish(plan, FB_PLAN_FULL);
    }
    return (elapsed + least > plan->max_time
            ? finish(plan, FB_PLAN_TIME) : begin_build(plan, elapsed));
}

/* Returns what to do next, 'elapsed' seconds after the start of the run, and
 * takes it as done: it must be done, or 'plan' be given up. */
enum fb_plan_step
fb_plan_next(struct fb_plan *plan, double elapsed)
{
    if (!plan->n_builds) {
        return begin_build(plan, elapsed);
    } else if (fb_plan_is_fixed(plan)) {
        return next_fixed(plan, elapsed);
    }

    learn(plan, elapsed);
    if (plan->n_blocks && elapsed + plan->block_time > plan->max_time) {
        return finish(plan, FB_PLAN_TIME);
    }
    if (plan->builds > 1 && plan->n_builds == 1
        && plan->n_here == plan->blocks) {
        /* Is there the time for the fewest builds that make an interval?  One
         * more than needed in theory, for 97 %. */
        double each = plan->build_time + plan->block_time * plan->blocks;

        if (each * (FB_PLAN_MIN_BUILDS + 1) > plan->max_time) {
            plan->builds = 1;
            plan->next_check = FB_PLAN_FIRST_CHECK_BLOCKS;
        }
    }
    return (plan->builds == 1 ? next_in_single(plan)
            : plan->n_here < plan->blocks ? begin_block(plan)
            : next_build(plan, elapsed));
}
