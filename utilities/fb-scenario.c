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

#include "fb-experiment.h"
#include "fb-grid.h"
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
        .full = { .warmup = 10, .load = 60, .duration = 0.1 },
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
        .full = { .warmup = 10, .load = 60, .duration = 1 },
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
        .full = { .warmup = 10, .load = 60, .duration = 0.1 },
    },
    {
        .name = "flow-stats",
        .description = "how much memory flows' statistics by CPU take",
        .duts = "ovs-kernel",
        .experiment = &fb_experiment_flow_stats,
    },
    {
        .name = "interface-stats",
        .description = "how long sweeps over interfaces' statistics take",
        .duts = "ovs-userspace,ovs-kernel",
        .experiment = &fb_experiment_interface_stats,
    },
    {
        .name = "path-length",
        .description = "how many instructions a packet takes",
        .duts = "wire,linux-bridge,ovs-kernel",
        .experiment = &fb_experiment_path_length,
    },
    {
        .name = "port-churn",
        .description = "how long adding and deleting ports takes",
        .duts = "linux-bridge,ovs-userspace,ovs-kernel",
        .experiment = &fb_experiment_port_churn,
    },
    {
        .name = "revalidators",
        .description = "how long revalidation rounds take, by revalidators",
        .duts = "ovs-userspace,ovs-kernel",
        .experiment = &fb_experiment_revalidators,
    },
    {
        .name = "sizes",
        .description = "port to port, frame sizes by numbers of flows",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "sizes",
            .n_destinations = 1,
            .frame_size = 64,
            .traffic.fields = FB_FIELD_SPORT | FB_FIELD_DPORT,
            .sweep = {
                .what = FB_SWEEP_FRAME_SIZE,
                .values = { 64, 78, 128, 256, 512, 1024, 1514 },
                .n = 7,
            },
            .across = {
                .what = FB_SWEEP_FLOWS,
                .values = { 1, 128 },
                .n = 2,
            },
            .warmup = 0.05,
        },
        .full = { .warmup = 1, .duration = 0.1 },
    },
    {
        .name = "masks",
        .description = "what each mask costs that packets are looked up with",
        .duts = "wire,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "masks",
            .n_destinations = 1,
            .frame_size = 64,
            .sweep = {
                .what = FB_SWEEP_MASKS,
                .values = { 1, 2, 4, 8, 16, 32, 64, 128, 256 },
                .n = 9,
            },
            .warmup = 0.1,
        },
        .full = { .warmup = 1, .duration = 0.1 },
    },
    {
        .name = "cold",
        .description = "every packet the first of its flow: what a miss costs",
        .duts = "wire,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "cold",
            .n_destinations = 8,
            .frame_size = 64,
            .traffic = {
                .pattern = FB_PATTERN_CHURN,
                .flow_packets = 1,
            },
            .warmup = 0.02,
        },
        .full = { .warmup = 0.1, .load = 60, .duration = 0.1 },
    },
    {
        .name = "ceiling",
        .description = "CPU time by rate, and where packets begin to be lost",
        .duts = "wire,linux-bridge,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "ceiling",
            .n_destinations = 8,
            .frame_size = 64,
            .curve.wanted = true,
            .warmup = 0.1,
        },
        .search = "ndr",
        .full = { .warmup = 10 },
    },
    {
        .name = "churn",
        .description = "new flows per second until upcalls are lost",
        .duts = "wire,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "churn",
            .n_destinations = 8,
            .frame_size = 64,
            .traffic = {
                .pattern = FB_PATTERN_CHURN,
                .flow_packets = 10,
            },
            .warmup = 0.1,
        },
        .search = "ndr",
        .full = { .warmup = 10 },
    },
    {
        .name = "upcall",
        .description = "every packet a new flow: CPU time by upcalls per "
                       "second, and where they are lost",
        .duts = "wire,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "upcall",
            .n_destinations = 8,
            .frame_size = 64,
            .traffic = {
                .pattern = FB_PATTERN_CHURN,
                .flow_packets = 1,
            },
            .curve.wanted = true,
            .warmup = 0.1,
        },
        .full = { .warmup = 10 },
    },
    {
        .name = "mirror",
        .description = "throughput that mirrors and ovs-tcpdump take",
        .duts = "wire,ovs-userspace,ovs-kernel",
        .defaults = {
            .scenario = "mirror",
            .n_destinations = 1,
            .frame_size = 64,
            .tax.wanted = true,
            .warmup = 0.1,
        },
        .full = { .warmup = 3, .duration = 0.5 },
    },
    {
        .name = "tap",
        .description = "the host's IP stack sends UDP through the userspace "
                       "datapath to a tap",
        .duts = "wire,ovs-userspace",
        .defaults = {
            .scenario = "tap",
            .n_destinations = 1,
            .frame_size = 60,
            .tap.wanted = true,
            .warmup = 0.1,
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
    unsigned int fixed_trials;  /* At a fixed rate, where there are no ratios
                                 * which could become precise: trials. */
    double search_time;         /* Seconds for each DUT's search; 0 for what
                                 * its goals ask for... */
    double search_duration;     /* ...and of its trials; 0 for the goals'. */
    struct fb_curve_parameters curve; /* Of scenarios that have curves... */
    struct fb_tax_parameters tax; /* ...or mirrors... */
    struct fb_tap_parameters tap; /* ...or taps. */
    unsigned int sweep_builds;  /* Builds of each value of a sweep... */
    unsigned int sweep_all;     /* ...but no more than this of all values, if
                                 * not 0, and one at least. */
};
static const struct sampling sampling_here = {
    .precision = 0.01, .max_time = 55, .duration = 0.02, .load = 0.4,
    .fixed_trials = 80, .sweep_builds = 8,
    .curve = { .steps = 6, .blocks = 12, .duration = 0.05 },
    .tax = { .blocks = 8, .trials = 5, .settle = 1 },
    .tap = { .blocks = 12, .duration = 1 },
};

/* The guest's clocks and system calls are slow, so that the end of a trial
 * takes longer than its beginning.  And it has one CPU, on which what follows
 * from taking a build down goes on while the next is measured: with 12 builds
 * a wire's trials spread by 110 % and ratios were precise to 12 %, with one, a
 * minute later, by 11 % and to 2.7 %. */
static const struct sampling sampling_guest = {
    .precision = 0.02, .max_time = 80, .duration = 0.1, .load = 0.5,
    .builds = 1, .fixed_trials = 80, .sweep_builds = 8,
    .curve = { .steps = 6, .blocks = 12, .duration = 0.1 },
    .tax = { .blocks = 8, .trials = 5, .settle = 1 },
    .tap = { .blocks = 12, .duration = 1 },
};

/* For those who cannot wait: all is done, but the intervals are wide.  The
 * whole, with what is built and measured before and after, takes less than a
 * minute, in a guest less than two. */
static const struct sampling sampling_quick = {
    .precision = 0.03, .max_time = 20, .duration = 0.02, .load = 0.2,
    .fixed_trials = 20, .search_time = 8, .search_duration = 0.05,
    .sweep_builds = 6, .sweep_all = 24,
    .curve = { .steps = 4, .blocks = 6, .duration = 0.03 },
    .tax = { .blocks = 6, .trials = 3, .settle = 0.2 },
    .tap = { .blocks = 6, .duration = 0.5 },
};
static const struct sampling sampling_quick_guest = {
    .precision = 0.05, .max_time = 30, .duration = 0.05, .load = 0.25,
    .builds = 1, .fixed_trials = 20, .search_time = 12,
    .search_duration = 0.1, .sweep_builds = 6, .sweep_all = 12,
    .curve = { .steps = 3, .blocks = 6, .duration = 0.05 },
    .tax = { .blocks = 6, .trials = 3, .settle = 0.2 },
    .tap = { .blocks = 6, .duration = 0.5 },
};

/* With --full, curves have so many times as many blocks. */
#define FULL_CURVE 5

/* With --full, mirrors are loaded for so many seconds before they count. */
#define FULL_SETTLE 3

/* Trials of each DUT before there are mirrors. */
#define TAX_TRIALS 10

/* Trials of a scenario that fixes their number, when it is to be quick: just
 * enough for an interval. */
#define QUICK_TRIALS FB_STATS_MIN_SAMPLES

/* Length of trials at a fixed rate, in s. */
#define FIXED_RATE_DURATION 0.1

/* Length of trials of TCP, in s: many times what it takes iperf3 to begin and
 * to end one, and connections to become fast. */
#define TCP_DURATION 0.25

/* A search takes about so many seconds for each of its goals and trials of the
 * duration sum.  Before it, so many trials tell how much can be offered. */
#define SEARCH_TIME_PER_SUM 15
#define SEARCH_TRIALS 30

/* Blocks of each build of a sweep. */
#define SWEEP_BLOCKS 10

/* Most blocks of a build that are chosen here. */
#define MAX_BLOCKS 100

/* Returns how to sample at 'scale', in a guest or not. */
static const struct sampling *
get_sampling(enum fb_scale scale, bool guest)
{
    return (scale == FB_SCALE_QUICK
            ? (guest ? &sampling_quick_guest : &sampling_quick)
            : (guest ? &sampling_guest : &sampling_here));
}

/* Returns the parameters that 'scenario' has at 'scale' unless options change
 * them. */
struct fb_parameters
fb_scenario_get_parameters(const struct fb_scenario *scenario,
                           enum fb_scale scale)
{
    const struct fb_full_scale *full = &scenario->full;
    struct fb_parameters p = scenario->defaults;

    p.scale = scale;
    p.search = scenario->search ? fb_search_preset_find(scenario->search)
        : NULL;
    if (scale == FB_SCALE_QUICK && p.n_trials) {
        p.n_trials = MIN(p.n_trials, QUICK_TRIALS);
    } else if (scale == FB_SCALE_FULL) {
        p.warmup = full->warmup ? full->warmup : p.warmup;
        p.duration = full->duration ? full->duration : p.duration;
        if (full->load) {
            /* As they did it: of one build, without a break. */
            p.n_trials = lround(full->load / full->duration);
            p.builds = 1;
        }
    }
    return p;
}

/* Fills in what the user left open for a search in 'p': 'max_time', which is
 * that of each DUT's search, grows with what the goals ask for. */
static void
settle_search(struct fb_parameters *p, const struct sampling *s)
{
    if (!p->n_trials) {
        p->n_trials = SEARCH_TRIALS;
    }
    p->builds = 1;
    if (!p->search_duration) {
        p->search_duration = s->search_duration;
    }
    if (!p->max_time) {
        p->max_time = s->search_time;
    }
    for (size_t i = 0; !p->max_time && i < p->search->n_goals; i++) {
        const struct fb_search_goal *goal = &p->search->goals[i];
        double factor = (p->search_duration
                         ? p->search_duration / goal->duration : 1);

        p->max_time = MAX(30, SEARCH_TIME_PER_SUM * factor
                          * goal->duration_sum);
    }
}

/* Fills in what the user left open for a sweep in 'p'. */
static void
settle_sweep(struct fb_parameters *p, const struct sampling *s)
{
    unsigned int n = p->builds ? p->builds : s->sweep_builds;

    if (!p->builds && s->sweep_all) {
        n = MAX(1, MIN(n, s->sweep_all / fb_grid_size(p)));
    }
    p->builds = fb_grid_size(p) * n;
    p->n_trials = p->builds * SWEEP_BLOCKS;
}

/* Fills in what is left open of the curves of 'p', if it has any. */
static void
settle_curve(struct fb_parameters *p, const struct sampling *s)
{
    struct fb_curve_parameters *curve = &p->curve;

    if (curve->wanted) {
        unsigned int factor = p->scale == FB_SCALE_FULL ? FULL_CURVE : 1;

        curve->steps = s->curve.steps;
        curve->blocks = s->curve.blocks * factor;
        curve->duration = p->duration ? p->duration : s->curve.duration;
        p->builds = 1;
        if (!p->n_trials) {
            p->n_trials = SEARCH_TRIALS;
        }
    }
}

/* Fills in what is left open of the mirrors of 'p', if it has any. */
static void
settle_tax(struct fb_parameters *p, const struct sampling *s)
{
    if (p->tax.wanted) {
        p->tax = s->tax;
        p->tax.wanted = true;
        p->builds = 1;
        if (p->scale == FB_SCALE_FULL) {
            p->tax.settle = FULL_SETTLE;
            p->tax.blocks *= FULL_CURVE;
        }
        if (!p->n_trials) {
            p->n_trials = TAX_TRIALS;
        }
    }
}

/* Fills in what is left open of the taps of 'p', if it has any. */
static void
settle_tap(struct fb_parameters *p, const struct sampling *s)
{
    if (p->tap.wanted) {
        p->tap = s->tap;
        p->tap.wanted = true;
        p->builds = 1;
        if (p->scale == FB_SCALE_FULL) {
            p->tap.blocks *= FULL_CURVE;
        }
        if (!p->n_trials) {
            p->n_trials = TAX_TRIALS;
        }
    }
}

/* Fills in what the user left open of how much to sample in 'p', which depends
 * on other parameters, and on whether it is in the guest. */
void
fb_scenario_settle(struct fb_parameters *p, bool guest)
{
    const struct sampling *s = get_sampling(p->scale, guest);

    settle_curve(p, s);
    settle_tax(p, s);
    settle_tap(p, s);
    if (!p->n_trials && p->rate) {
        p->n_trials = s->fixed_trials;
    } else if (p->search) {
        settle_search(p, s);
    } else if (p->sweep.what) {
        settle_sweep(p, s);
    }
    if (!p->builds && !p->n_trials && !p->search) {
        p->builds = s->builds;
    }
    if (!p->duration) {
        p->duration = (p->rate ? FIXED_RATE_DURATION
                       : p->tcp.wanted ? TCP_DURATION : s->duration);
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
