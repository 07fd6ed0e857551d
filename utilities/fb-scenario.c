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

#include "fb-scenario.h"

#include <math.h>
#include <string.h>

#include "fb-search-preset.h"
#include "util.h"

static const struct fb_scenario scenarios[] = {
    {
        .name = "fanout",
        .description = "one source sends to each destination in turn",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "fanout",
            .n_destinations = 8,
            .frame_size = 64,
            .warmup = 0.1,
            .latency_rate = 1000,
        },
    },
    {
        .name = "burst",
        .description = "like fanout, in bursts with pauses between them",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "burst",
            .n_destinations = 8,
            .frame_size = 64,
            .traffic.pattern = FB_PATTERN_BURST,
            .rate = 2000000,
            .burst = 0.01,
            .pause = 0.09,
            .n_trials = 8,
            .duration = 1,
            .warmup = 0.2,
            .latency_rate = 1000,
        },
    },
    {
        .name = "flood",
        .description = "one source sends broadcasts to all destinations",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "flood",
            .n_destinations = 8,
            .frame_size = 64,
            .traffic.pattern = FB_PATTERN_FLOOD,
            .warmup = 0.1,
            .latency_rate = 1000,
        },
    },
};

/* How much to sample where the user leaves it open.
 *
 * Many short trials see more than few long ones: a machine's own speed drifts
 * more slowly than a block lasts, so that what is compared within a block
 * shares it; and an interruption spoils only one of them.  On a virtual
 * machine with two CPUs the ratios of two Linux bridges in one block spread by
 * 1.8 % with trials of 0.1 s, and by 3.8 % with trials of 0.01 s, of which ten
 * take little longer: their median is the better one.
 *
 * Builds take about as long as their blocks do, which is near the best use of
 * the time if what differs from build to build is about as much as what the
 * blocks of one leave undecided. */
struct sampling {
    double precision;           /* As in struct fb_parameters... */
    double max_time;
    double duration;            /* ...all of them. */
    double load;                /* Seconds of load on each DUT in a build. */
    unsigned int builds;        /* Builds if nothing is said of them, or 0 for
                                 * as many as the time allows. */
};
static const struct sampling sampling_here = {
    .precision = 0.01, .max_time = 55, .duration = 0.02, .load = 0.4,
};

/* The guest's clocks and system calls are slow, so that the end of a trial
 * takes longer than its beginning.  And it has one CPU, on which what follows
 * from taking a build down goes on while the next is measured: with 12 builds
 * a wire's trials spread by 110 % and ratios were precise to 12 %, with one, a
 * minute later, by 11 % and to 2.7 %. */
static const struct sampling sampling_guest = {
    .precision = 0.02, .max_time = 80, .duration = 0.1, .load = 0.5,
    .builds = 1,
};

/* At a fixed rate there are no ratios, which could become precise. */
#define FIXED_RATE_TRIALS 80
#define FIXED_RATE_DURATION 0.1

/* A search takes about so many seconds for each of its goals and trials of the
 * duration sum.  Before it, so many trials tell how much can be offered. */
#define SEARCH_TIME_PER_SUM 15
#define SEARCH_TRIALS 30

/* Builds for each value of a sweep, and blocks of each. */
#define SWEEP_ROUNDS 8
#define SWEEP_BLOCKS 10

/* Most blocks of a build that are chosen here. */
#define MAX_BLOCKS 100

/* Fills in what the user left open for a search in 'p': 'max_time', which is
 * that of each DUT's search, grows with what the goals ask for. */
static void
settle_search(struct fb_parameters *p)
{
    if (!p->n_trials) {
        p->n_trials = SEARCH_TRIALS;
    }
    p->builds = 1;
    for (size_t i = 0; !p->max_time && i < p->search->n_goals; i++) {
        const struct fb_search_goal *goal = &p->search->goals[i];
        double factor = (p->search_duration
                         ? p->search_duration / goal->duration : 1);

        p->max_time = MAX(30, SEARCH_TIME_PER_SUM * factor
                          * goal->duration_sum);
    }
}

/* Fills in what the user left open of how much to sample in 'p', which depends
 * on other parameters, and on whether it is in the guest. */
void
fb_scenario_settle(struct fb_parameters *p, bool guest)
{
    const struct sampling *s = guest ? &sampling_guest : &sampling_here;

    if (!p->n_trials && p->rate) {
        p->n_trials = FIXED_RATE_TRIALS;
    } else if (p->search) {
        settle_search(p);
    } else if (p->sweep.what) {
        p->builds = p->sweep.n * (p->builds ? p->builds : SWEEP_ROUNDS);
        p->n_trials = p->builds * SWEEP_BLOCKS;
    }
    if (!p->builds && !p->n_trials && !p->search) {
        p->builds = s->builds;
    }
    if (!p->duration) {
        p->duration = p->rate ? FIXED_RATE_DURATION : s->duration;
    }
    if (!p->precision) {
        p->precision = s->precision;
    }
    if (!p->max_time) {
        p->max_time = s->max_time;
    }
    p->blocks = MIN(MAX_BLOCKS, MAX(FB_PLAN_MIN_BLOCKS,
                                    lround(s->load / p->duration)));
}

/* Returns all scenarios and stores their number in '*n'. */
const struct fb_scenario *
fb_scenarios(size_t *n)
{
    *n = ARRAY_SIZE(scenarios);
    return scenarios;
}

/* Returns the scenario called 'name', or NULL. */
const struct fb_scenario *
fb_scenario_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++) {
        if (!strcmp(scenarios[i].name, name)) {
            return &scenarios[i];
        }
    }
    return NULL;
}
