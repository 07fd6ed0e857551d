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

#ifndef FB_RESULT_H
#define FB_RESULT_H 1

/* The result of a run: plain data, filled in by those who measure and only
 * read by those who report. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-cpu-result.h"
#include "fb-curve-result.h"
#include "fb-environment.h"
#include "fb-finding.h"
#include "fb-generator.h"
#include "fb-latency-result.h"
#include "fb-order-check.h"
#include "fb-plan.h"
#include "fb-stats.h"
#include "fb-sweep.h"
#include "fb-tap-result.h"
#include "fb-tax-result.h"
#include "fb-tcp.h"
#include "fb-traffic.h"
#include "fb-trial.h"

struct fb_cell;
struct fb_like;
struct fb_model;
struct fb_search_outcome;
struct fb_search_preset;
struct json;

/* Most loads of --latency-at. */
#define FB_MAX_LATENCY_AT 16

/* How much time a run may take. */
enum fb_scale {
    FB_SCALE_NORMAL,            /* As much as a good result takes. */
    FB_SCALE_QUICK,             /* A minute, in a guest two. */
    FB_SCALE_FULL               /* As much as what was published took. */
};

/* What was run, with all parameters. */
struct fb_parameters {
    const char *scenario;       /* Its name. */
    enum fb_scale scale;        /* What was asked for: --quick, --full. */
    size_t n_destinations;
    size_t frame_size;          /* In bytes, without FCS; unless... */
    struct fb_traffic traffic;  /* ...'sizes' in this is not empty. */
    size_t n_threads;           /* Threads that send; at least 1. */
    uint64_t rate;              /* Packets per second; 0 for the maximum. */
    uint64_t end_rate;          /* That at the end of a trial; 0: the same. */
    double burst;               /* Length of bursts, in seconds, and of the
                                 * pauses after... */
    double pause;               /* ...them; both 0 if there are none. */
    unsigned int n_trials;      /* Trials of each DUT, that is, blocks; 0 for
                                 * as many as 'precision' takes. */
    unsigned int builds;        /* Builds of each DUT; 0 for as many as is good
                                 * for the number of trials, or as precision
                                 * takes, of which see fb-plan.h. */
    unsigned int blocks;        /* Without 'n_trials': blocks of each build. */
    double precision;           /* Without 'n_trials': relative half width of
                                 * the intervals of ratios to reach... */
    double max_time;            /* ...unless this many seconds pass before. */
    double duration;            /* Of each trial, in seconds. */
    double warmup;              /* Load on each DUT beforehand, in seconds. */
    uint64_t seed;              /* Of the order in the blocks. */
    struct fb_sweep sweep;      /* What differs from build to build... */
    struct fb_sweep across;     /* ...and what, too, in the scenarios that have
                                 * two sweeps (see fb-grid.h). */
    const struct fb_search_preset *search; /* What to search for, or NULL. */
    double search_loss_ratio;   /* As in struct fb_search_config... */
    double search_duration;     /* ...both. */
    uint64_t latency_rate;      /* Frames marked per second, 0 for none. */
    double latency_at[FB_MAX_LATENCY_AT]; /* Loads at which latency is
                                           * measured, too, in percent of a
                                           * DUT's own throughput. */
    size_t n_latency_at;
    const struct fb_like *like; /* Bridge to make twins of, or NULL. */
    bool check_order;           /* Check in which order packets arrive? */
    struct fb_tcp_parameters tcp; /* Is the load TCP in bulk?  Then figures
                                   * per packet are those per byte of its
                                   * payload, and losses those of frames. */
    struct fb_curve_parameters curve; /* Which curves are measured, too... */
    struct fb_tax_parameters tax; /* ...which mirrors' taxes... */
    struct fb_tap_parameters tap; /* ...and which taps. */
};

/* How exactly the generator kept its schedule. */
struct fb_pace_result {
    double asked_pps;           /* Packets per second that were to be sent. */
    double offered_pps;         /* Those that the kernel was given. */

    /* By how much the time between two packets was off; see fb-gap.h.  NaN
     * where there were no two. */
    double p50_ns, p99_ns;      /* Medians of the trials' quantiles. */
    double max_ns;              /* Greatest of all. */
};

/* What came of one DUT. */
struct fb_dut_result {
    char *name;                 /* The DUT's label. */
    const char *kind;           /* Its kind's name. */
    const char *datapath_type;  /* Open vSwitch only, otherwise NULL. */
    struct fb_trial *trials;    /* One for each block. */
    size_t n_trials, allocated_trials;
    struct json *probe;         /* The probe's snapshot, or NULL... */
    char *probe_missing;        /* ...and why there is none, or NULL. */
    struct fb_latency_result latency; /* In the trials... */
    struct fb_latency_result *latency_at; /* ...and at loads of their own. */
    size_t n_latency_at;
    struct fb_order_result order; /* In which order packets arrived. */

    struct fb_search_outcome *search; /* What was found, or NULL. */
    struct fb_curve *curve;     /* At rates of its own, or NULL. */
    struct fb_tax *taxes;       /* Of mirrors: FB_N_MIRRORS of them, or
                                 * NULL. */
    struct fb_tap_result *taps; /* FB_N_TAP_INPUTS of them, or NULL. */
    struct fb_model *model;     /* Of a single sweep, else NULL. */
    struct fb_cell *cells;      /* Of a sweep: each point's... */
    size_t n_cells;             /* ...so many, else 0. */

    /* Computed by fb_result_analyze(). */
    struct fb_estimate pps;     /* Packets delivered per second. */
    struct fb_estimate ns;      /* ns per packet delivered. */
    struct fb_estimate added_ns; /* ns per packet more than the wire. */
    struct fb_pace_result pace; /* At a fixed rate only. */
    struct fb_losses sum;       /* Of all trials. */
    struct fb_estimate loss_pct; /* Percent of packets lost; of TCP, of
                                  * frames. */
    uint64_t retransmits;       /* TCP: segments sent again in all trials. */
    struct fb_datapath_counters datapath; /* Open vSwitch: in all trials. */
    bool is_bridge;             /* Is it a Linux bridge? */
    struct fb_fdb fdb;          /* If so: its state after the last trial... */
    uint64_t n_left;            /* ...and frames that left it in all. */
    struct fb_cpu_figures cpu;  /* What they took of the CPUs. */
};

/* What was sampled. */
struct fb_sampling {
    unsigned int n_blocks;
    unsigned int n_builds;
    double seconds;             /* From the first build to the last block. */
    enum fb_plan_end end;       /* Why it ended. */
    double miss;                /* Probability that an interval over builds may
                                 * miss, see fb-plan.h. */

    /* Computed by fb_result_analyze(). */
    double reached;             /* Relative half width of the widest interval
                                 * of a ratio, or NaN. */
    double noise;               /* Relative spread of the wire's trials, see
                                 * fb-noise.h; NaN without a wire. */
};

/* A DUT compared with another. */
struct fb_comparison {
    const char *dut;            /* Name of the one... */
    const char *base;           /* ...and of the other. */
    struct fb_estimate ratio;   /* Of their times per packet. */
    enum fb_verdict verdict;
};

/* The result of a run. */
struct fb_result {
    struct fb_parameters parameters;
    struct fb_sampling sampling;
    struct fb_environment environment;
    struct fb_dut_result *duts;
    size_t n_duts;
    struct fb_comparison *comparisons;
    size_t n_comparisons;
    struct fb_findings findings;
};

void fb_result_init(struct fb_result *, const struct fb_parameters *);
struct fb_traffic fb_result_traffic(const struct fb_parameters *);
struct fb_pace_spec fb_result_pace_spec(const struct fb_parameters *);
bool fb_result_is_paced(const struct fb_parameters *);
void fb_result_destroy(struct fb_result *);
struct fb_dut_result *fb_result_add_dut(struct fb_result *, const char *name,
                                        const char *kind,
                                        const char *datapath_type);
void fb_result_add_trial(struct fb_dut_result *, const struct fb_trial *);
void fb_result_add_finding(struct fb_result *, enum fb_severity,
                           const char *code, const char *fix,
                           const char *text, ...)
    OVS_PRINTF_FORMAT(5, 6);
bool fb_result_is_valid(const struct fb_result *);

#endif /* fb-result.h */
