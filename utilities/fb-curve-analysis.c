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

#include "fb-curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fb-cpu-analysis.h"
#include "fb-dut.h"
#include "fb-result.h"
#include "fb-search-run.h"
#include "util.h"

/* Packets are lost, at a rate, if more than so many percent of them are: a
 * single interruption of the generator or the sink is no limit of a switch's.
 */
#define KNEE_LOSS_PCT 0.5

/* Returns the first DUT of 'kind' in 'result', or NULL. */
static const struct fb_dut_result *
find_kind(const struct fb_result *result, const struct fb_dut_kind *kind)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        if (!strcmp(result->duts[i].kind, kind->name)) {
            return &result->duts[i];
        }
    }
    return NULL;
}

/* Returns true if all trials of all curves in 'result' had the spinner. */
static bool
all_have_spinner(const struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_curve *curve = result->duts[i].curve;

        for (size_t j = 0; j < curve->n; j++) {
            for (size_t k = 0; k < curve->steps[j].n_trials; k++) {
                if (!curve->steps[j].trials[k].cpu.has_spinner) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Returns the CPU time of each trial of 'step', in percent of one CPU.  The
 * caller must free it. */
static double *
get_cpu(const struct fb_curve_step *step, bool spinner)
{
    double *cpu = xcalloc(MAX(step->n_trials, 1), sizeof *cpu);

    for (size_t i = 0; i < step->n_trials; i++) {
        cpu[i] = fb_cpu_used_pct(&step->trials[i], spinner);
    }
    return cpu;
}

/* Returns how many packets of 'trial', not counting copies, were to be
 * sent. */
static double
get_asked(const struct fb_trial *trial)
{
    return (double) trial->losses.offered / trial->copies + trial->not_sent;
}

/* Computes what 'step' says by itself. */
static void
analyze_step(struct fb_curve_step *step, bool is_ovs, bool spinner)
{
    size_t n = step->n_trials;
    double *offered = xcalloc(MAX(n, 1), sizeof *offered);
    double *pps = xcalloc(MAX(n, 1), sizeof *pps);
    double *lost = xcalloc(MAX(n, 1), sizeof *lost);
    double *cpu = get_cpu(step, spinner);
    double missed = 0, upcalls_lost = 0, seconds = 0;

    for (size_t i = 0; i < n; i++) {
        const struct fb_trial *trial = &step->trials[i];
        double asked = get_asked(trial);
        double delivered = (double) trial->losses.delivered / trial->copies;

        offered[i] = (1e9 * trial->losses.offered / trial->copies
                      / trial->sending_ns);
        pps[i] = 1e9 * trial->in_time / trial->duration_ns;
        lost[i] = asked ? 100 * (asked - delivered) / asked : NAN;
        missed += trial->datapath.missed;
        upcalls_lost += (double) trial->losses.lost[FB_LOST_UPCALL]
            / trial->copies;
        seconds += trial->duration_ns / 1e9;
    }
    step->misses_per_s = is_ovs ? missed / seconds : NAN;
    step->upcalls_lost_per_s = is_ovs ? upcalls_lost / seconds : NAN;
    fb_stats_median(offered, n, &step->offered_pps);
    fb_stats_median(pps, n, &step->pps);
    fb_stats_median(lost, n, &step->lost_pct);
    fb_stats_median(cpu, n, &step->cpu);
    free(offered);
    free(pps);
    free(lost);
    free(cpu);
}

/* Returns true if hardly anything is lost at 'step'. */
static bool
is_through(const struct fb_curve_step *step)
{
    return step->lost_pct.median <= KNEE_LOSS_PCT;
}

/* Compares 'step' with the same one of the wire and of the Linux bridge, each
 * of which may be null. */
static void
compare_step(struct fb_curve_step *step, const struct fb_curve_step *wire,
             const struct fb_curve_step *base, bool spinner)
{
    static const struct fb_estimate none = FB_NO_ESTIMATE;
    double *cpu = get_cpu(step, spinner);

    step->over_wire = step->over_base = step->ratio = none;
    if (wire && wire != step) {
        double *other = get_cpu(wire, spinner);

        fb_stats_difference(cpu, other, step->n_trials, &step->over_wire);
        free(other);
    }
    /* Who loses packets has saved work; and where a wire does, too, it is not
     * the switch's doing. */
    if (base && base != step && is_through(step) && is_through(base)
        && (!wire || is_through(wire))) {
        double *other = get_cpu(base, spinner);

        fb_stats_difference(cpu, other, step->n_trials, &step->over_base);
        fb_stats_ratio(cpu, other, step->n_trials, &step->ratio);
        free(other);
    }
    free(cpu);
}

/* Finds the knee of 'dut': by its search for no loss, if that has come to an
 * end, else the rates between which its curve has it. */
static void
find_knee(struct fb_dut_result *dut)
{
    const struct fb_search_outcome *search = dut->search;
    struct fb_curve *curve = dut->curve;
    struct fb_knee *knee = &curve->knee;
    size_t n = curve->n;

    *knee = (struct fb_knee) {
        .through = NAN, .lost_from = NAN, .earlier_lo = NAN, .earlier_hi = NAN,
    };
    if (search && search->n_goals && search->results[0].complete) {
        knee->through = search->results[0].lower;
        knee->lost_from = search->results[0].upper;
        knee->searched = true;
        return;
    }
    while (n && !is_through(&curve->steps[n - 1])) {
        n--;
    }
    if (n) {
        knee->through = curve->steps[n - 1].rate;
    }
    if (n < curve->n) {
        knee->lost_from = curve->steps[n].rate;
    }
}

/* Says how much earlier than on 'base' packets are lost according to 'knee'.
 * Ends that are not known make no ends. */
static void
compare_knee(struct fb_knee *knee, const struct fb_knee *base)
{
    if (knee->lost_from > 0 && base->through > 0) {
        knee->earlier_lo = 100 * (1 - knee->lost_from / base->through);
    }
    if (base->lost_from > 0 && knee->through > 0) {
        knee->earlier_hi = 100 * (1 - knee->through / base->lost_from);
    }
}

/* Adds a finding to 'result' if not even 'wire' could have packets at the
 * least rate. */
static void
judge_wire(struct fb_result *result, const struct fb_dut_result *wire)
{
    if (wire->curve->n && !is_through(&wire->curve->steps[0])) {
        fb_result_add_finding(
            result, FB_WARNING, "wire-loses",
            "run it when the machine has nothing else to do",
            "%s: %.1f %% of packets were not delivered at %.1f kpps, the "
            "least rate of the curve: this machine cannot keep a schedule, so "
            "that nothing can be said of where switches begin to lose packets",
            wire->name, wire->curve->steps[0].lost_pct.median,
            wire->curve->steps[0].rate / 1000.0);
    }
}

/* Computes everything that follows from the trials of the curves in 'result',
 * if there are any. */
void
fb_curve_analyze(struct fb_result *result)
{
    const struct fb_dut_result *wire = find_kind(result, &fb_dut_wire);
    const struct fb_dut_result *base = find_kind(result,
                                                 &fb_dut_linux_bridge);

    if (!result->n_duts || !result->duts[0].curve) {
        return;
    }

    bool spinner = all_have_spinner(result);

    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        for (size_t j = 0; j < dut->curve->n; j++) {
            analyze_step(&dut->curve->steps[j], dut->datapath_type, spinner);
        }
        find_knee(dut);
    }
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];
        const struct fb_dut_result *other = dut == wire ? NULL : base;

        for (size_t j = 0; j < dut->curve->n; j++) {
            compare_step(&dut->curve->steps[j],
                         wire ? &wire->curve->steps[j] : NULL,
                         other ? &other->curve->steps[j] : NULL, spinner);
        }
        if (other && other != dut) {
            compare_knee(&dut->curve->knee, &other->curve->knee);
        }
    }
    if (wire) {
        judge_wire(result, wire);
    }
}
