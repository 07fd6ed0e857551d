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

#include "fb-analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "fb-analysis-copies.h"
#include "fb-analysis-load.h"
#include "fb-cells.h"
#include "fb-cpu-analysis.h"
#include "fb-curve.h"
#include "fb-dut.h"
#include "fb-grid.h"
#include "fb-groups.h"
#include "fb-latency-judge.h"
#include "fb-model.h"
#include "fb-noise.h"
#include "fb-result.h"
#include "fb-search-report.h"
#include "fb-tap-run.h"
#include "fb-tax.h"
#include "fb-tcp-report.h"
#include "util.h"

/* Kinds that others are compared with. */
#define WIRE "wire"
#define BASE "linux-bridge"

/* With more upcalls than this share of packets, a trial was not one of a warm
 * datapath. */
#define COLD_SHARE 0.001

/* Returns the time per packet delivered in time, in ns, of each trial of
 * 'dut', whose losses have been added up.  Where no packet was, a packet
 * takes longer than the trial did, whose duration stands for that: greater
 * than what any other trial says, as medians and intervals need it.  All are
 * infinite if packets do not get through at all.  The caller must free it. */
static double *
all_ns(const struct fb_dut_result *dut)
{
    double *ns = xcalloc(dut->n_trials, sizeof *ns);
    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];
        ns[i] = (dut->sum.delivered
                 ? (double) trial->duration_ns / MAX(trial->in_time, 1)
                 : INFINITY);
    }
    return ns;
}

/* Returns the builds that the trials of 'dut' in 'result' went through.  Other
 * DUTs' are the same.  The caller must free 'group'. */
static struct fb_groups
get_builds(const struct fb_result *result, const struct fb_dut_result *dut)
{
    unsigned int *group = xcalloc(dut->n_trials, sizeof *group);
    for (size_t i = 0; i < dut->n_trials; i++) {
        group[i] = dut->trials[i].build;
    }
    return (struct fb_groups) {
        .group = group,
        .n = dut->n_trials,
        .miss = result->sampling.miss,
    };
}

/* Adds up the losses of 'dut'. */
static void
sum_losses(struct fb_dut_result *dut)
{
    dut->sum = (struct fb_losses) { .consistent = true };
    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_losses *losses = &dut->trials[i].losses;
        dut->sum.offered += losses->offered;
        dut->sum.delivered += losses->delivered;
        dut->sum.unaccounted += llabs(losses->unaccounted);
        dut->sum.consistent &= losses->consistent;
        dut->sum.softnet += losses->softnet;
        for (int j = 0; j < FB_N_LOST; j++) {
            dut->sum.lost[j] += losses->lost[j];
        }
    }
}

/* Computes the losses of 'dut', and what its datapath or bridge counted. */
static void
analyze_losses(struct fb_dut_result *dut)
{
    double *pct = xcalloc(dut->n_trials, sizeof *pct);

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];
        const struct fb_losses *losses = &trial->losses;
        pct[i] = (losses->offered
                  ? (100.0 * (losses->offered - losses->delivered)
                     / losses->offered)
                  : NAN);
        fb_datapath_add(&dut->datapath, &trial->datapath);
        dut->fdb = trial->fdb;
        dut->n_left += trial->n_left;
    }
    dut->is_bridge = !dut->datapath_type && strcmp(dut->kind, WIRE);
    fb_stats_median(pct, dut->n_trials, &dut->loss_pct);
    free(pct);
}

/* Returns the first DUT of 'kind' in 'result', or NULL. */
static struct fb_dut_result *
find_kind(struct fb_result *result, const char *kind)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        if (!strcmp(result->duts[i].kind, kind)) {
            return &result->duts[i];
        }
    }
    return NULL;
}

/* Says how exactly the generator kept the schedule of 'p' in the trials of
 * 'dut'. */
static void
analyze_pace(struct fb_dut_result *dut, const struct fb_parameters *p)
{
    double *p50 = xcalloc(dut->n_trials, sizeof *p50);
    double *p99 = xcalloc(dut->n_trials, sizeof *p99);
    struct fb_pace_result *pace = &dut->pace;
    uint64_t asked = 0, offered = 0;
    size_t n = 0;

    pace->max_ns = NAN;
    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];
        const struct fb_gap_error *e = &trial->gap_error;

        offered += trial->losses.offered / trial->copies;
        asked += trial->losses.offered / trial->copies + trial->not_sent;
        if (e->n) {
            p50[n] = e->p50_ns;
            p99[n++] = e->p99_ns;
            pace->max_ns = fmax(pace->max_ns, e->max_ns);
        }
    }
    pace->asked_pps = asked / (p->duration * dut->n_trials);
    pace->offered_pps = offered / (p->duration * dut->n_trials);

    struct fb_estimate e;
    fb_stats_median(p50, n, &e);
    pace->p50_ns = e.median;
    fb_stats_median(p99, n, &e);
    pace->p99_ns = e.median;
    free(p50);
    free(p99);
}

/* Computes the figures of 'dut' in 'result'.  'wire' may be null. */
static void
analyze_dut(const struct fb_result *result, struct fb_dut_result *dut,
            const struct fb_dut_result *wire)
{
    static const struct fb_estimate no_estimate = FB_NO_ESTIMATE;
    struct fb_groups builds = get_builds(result, dut);
    double *ns = all_ns(dut);
    double *pps = xcalloc(dut->n_trials, sizeof *pps);

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];
        pps[i] = 1e9 * trial->in_time / trial->duration_ns;
    }
    fb_groups_median(&builds, pps, &dut->pps);
    dut->ns = dut->added_ns = no_estimate;
    if (result->parameters.rate || result->parameters.sweep.what) {
        /* What a packet took is told only by a DUT that was kept busy; and
         * builds of a sweep are not alike. */
        goto out;
    }
    fb_groups_median(&builds, ns, &dut->ns);
    if (wire && wire != dut) {
        double *wire_ns = all_ns(wire);
        fb_groups_difference(&builds, ns, wire_ns, &dut->added_ns);
        free(wire_ns);
    }
out:
    free(pps);
    free(ns);
    free(CONST_CAST(unsigned int *, builds.group));
}

/* Returns the ratio of the times of 'dut' to those of 'base'. */
static struct fb_estimate
get_ratio(const struct fb_result *result, const struct fb_dut_result *dut,
          const struct fb_dut_result *base)
{
    struct fb_groups builds = get_builds(result, dut);
    double *ns = all_ns(dut);
    double *base_ns = all_ns(base);
    struct fb_estimate ratio;

    fb_groups_ratio(&builds, ns, base_ns, &ratio);
    free(base_ns);
    free(ns);
    free(CONST_CAST(unsigned int *, builds.group));
    return ratio;
}

/* Returns true if 'dut' is compared with 'base'. */
static bool
is_compared(const struct fb_dut_result *dut, const struct fb_dut_result *base)
{
    return dut != base && strcmp(dut->kind, WIRE);
}

/* Computes the latencies of 'dut'.  'wire' may be null. */
static void
analyze_latency(struct fb_dut_result *dut, const struct fb_dut_result *wire)
{
    fb_latency_result_analyze(&dut->latency, wire ? &wire->latency : NULL);
    for (size_t i = 0; i < dut->n_latency_at; i++) {
        /* Loads are each DUT's own: they are not the wire's. */
        fb_latency_result_analyze(&dut->latency_at[i], NULL);
    }
}

/* Compares each DUT in 'result' but wires with the first Linux bridge. */
static void
compare(struct fb_result *result)
{
    const struct fb_dut_result *base = find_kind(result, BASE);
    if (!base) {
        return;
    }

    result->comparisons = xcalloc(result->n_duts, sizeof *result->comparisons);
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        if (is_compared(dut, base)) {
            struct fb_comparison *c
                = &result->comparisons[result->n_comparisons++];
            c->dut = dut->name;
            c->base = base->name;
            c->ratio = get_ratio(result, dut, base);
            c->verdict = fb_verdict_from_ratio(&c->ratio);
        }
    }
}

/* Returns the relative half width of the widest interval of the ratios that
 * 'result' is for; NaN if one has none.  These are the ratios that will be
 * compared, or, if none will, those of all DUTs to the first one; or the time
 * per packet of the only one.  May be called while the run goes on. */
double
fb_result_precision(struct fb_result *result)
{
    const struct fb_dut_result *base = find_kind(result, BASE);
    bool any = false;
    double worst = 0;

    for (size_t i = 0; i < result->n_duts; i++) {
        sum_losses(&result->duts[i]);
        any |= base && is_compared(&result->duts[i], base);
    }
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];
        struct fb_estimate e;

        if (any && is_compared(dut, base)) {
            e = get_ratio(result, dut, base);
        } else if (!any && i) {
            e = get_ratio(result, dut, &result->duts[0]);
        } else if (!any && result->n_duts == 1) {
            analyze_dut(result, dut, NULL);
            e = dut->ns;
        } else {
            continue;
        }
        double width = (e.hi - e.lo) / 2 / e.median;
        worst = isnan(width) || isnan(worst) ? NAN : MAX(worst, width);
    }
    return worst;
}

/* Adds findings about the losses of 'dut'. */
static void
judge_losses(struct fb_result *result, const struct fb_dut_result *dut)
{
    if (dut->sum.unaccounted || !dut->sum.consistent) {
        fb_result_add_finding(
            result, FB_VOID, "ledger",
            "run it again with nothing else using the interfaces; if it "
            "persists, please report it with the JSON result",
            "%s: the packet counters along the path do not add up: %"PRId64" "
            "of %"PRIu64" packets have no place%s", dut->name,
            dut->sum.unaccounted, dut->sum.offered,
            dut->sum.consistent ? "" : ", and a counter saw more packets than "
            "the one before it");
    }
    if (!dut->sum.delivered) {
        fb_result_add_finding(result, FB_VOID, "nothing-delivered", NULL,
                              "%s: not one of %"PRIu64" packets was delivered",
                              dut->name, dut->sum.offered);
    }
}

/* Adds findings about trials of 'dut' that are not what they should be. */
static void
judge_trials(struct fb_result *result, const struct fb_dut_result *dut)
{
    uint64_t missed = 0;
    uint64_t not_sent = 0;
    size_t n_empty = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        missed += dut->trials[i].datapath.missed;
        not_sent += dut->trials[i].not_sent;
        n_empty += !dut->trials[i].in_time;
    }
    if (n_empty && dut->sum.delivered && !result->parameters.rate) {
        fb_result_add_finding(
            result, FB_WARNING, "empty-trials", "use a longer --duration",
            "%s: in %"PRIuSIZE" of %"PRIuSIZE" trials no packet arrived in "
            "time: there, a packet takes longer than the trial", dut->name,
            n_empty, dut->n_trials);
    }
    if (result->parameters.traffic.pattern != FB_PATTERN_CHURN
        && missed > COLD_SHARE * dut->sum.offered) {
        fb_result_add_finding(
            result, FB_WARNING, "cold",
            "use a longer --warmup, or fewer destinations",
            "%s: %"PRIu64" of %"PRIu64" packets were upcalls: this is not the "
            "cost of a warm datapath", dut->name, missed, dut->sum.offered);
    }
    if (not_sent) {
        fb_result_add_finding(
            result, FB_WARNING, "rate-not-reached", "use a lower --rate",
            "%s: the generator was too slow: %"PRIu64" packets were never "
            "offered", dut->name, not_sent);
    }
}

/* Adds findings about how many samples 'result' has, and what they could
 * tell. */
static void
judge_sampling(struct fb_result *result)
{
    const struct fb_parameters *p = &result->parameters;
    const struct fb_sampling *s = &result->sampling;
    size_t n_points = fb_grid_size(p);
    unsigned int n_builds = s->n_builds / MAX(1, n_points);

    if (s->n_blocks < FB_STATS_MIN_SAMPLES) {
        fb_result_add_finding(
            result, FB_WARNING, "few-trials", "use more --trials",
            "%u trials are too few for an interval", s->n_blocks);
    } else if (n_builds > 1 && n_builds < FB_PLAN_MIN_BUILDS) {
        fb_result_add_finding(
            result, FB_WARNING, "few-builds",
            p->n_trials ? "use more --builds" : "use a greater --max-time",
            "%u builds%s are too few for an interval", n_builds,
            n_points ? " of each point" : "");
    } else if (!p->n_trials && !(s->reached <= p->precision)
               && isfinite(s->reached)) {
        fb_result_add_finding(
            result, FB_WARNING, "precision",
            "use a greater --max-time, or a machine that does less else",
            "the widest interval of a ratio is +-%.1f %%, not +-%g %% as "
            "asked, after %.0f s", s->reached * 100, p->precision * 100,
            s->seconds);
    }
}

/* Computes everything in 'result' that follows from its trials: figures,
 * comparisons and findings. */
void
fb_result_analyze(struct fb_result *result)
{
    const struct fb_dut_result *wire = find_kind(result, WIRE);

    result->sampling.reached = NAN;
    result->sampling.noise = (wire && !result->parameters.sweep.what
                              ? fb_noise_spread(wire) : NAN);
    for (size_t i = 0; i < result->n_duts; i++) {
        sum_losses(&result->duts[i]);
        analyze_losses(&result->duts[i]);
    }
    for (size_t i = 0; i < result->n_duts; i++) {
        analyze_dut(result, &result->duts[i], wire);
        fb_cpu_analyze(&result->duts[i]);
        fb_cpu_judge(result, &result->duts[i]);
        judge_losses(result, &result->duts[i]);
        if (result->parameters.rate) {
            analyze_pace(&result->duts[i], &result->parameters);
        }
        judge_trials(result, &result->duts[i]);
        analyze_latency(&result->duts[i], wire);
        fb_latency_judge(result, &result->duts[i]);
    }
    fb_tcp_analyze(result);
    fb_copies_judge(result);
    if (!result->parameters.sweep.what) {
        fb_load_judge(result);
    }
    if (result->parameters.sweep.what) {
        for (size_t i = 0; i < result->n_duts; i++) {
            fb_cells_compute(result, &result->duts[i]);
        }
        fb_cells_judge(result);
        if (!result->parameters.across.what) {
            fb_model_fit(result);
        }
    } else if (!result->parameters.rate) {
        compare(result);
        result->sampling.reached = fb_result_precision(result);
    } else {
        fb_result_add_finding(
            result, FB_INFO, "fixed-rate", "leave out --rate",
            "at a fixed rate the time per packet is the generator's: there "
            "are no costs and no comparisons, only losses");
    }
    fb_curve_analyze(result);
    fb_tax_analyze(result);
    fb_tap_analyze(result);
    judge_sampling(result);
    fb_search_report_add_findings(result);
}
