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

#include "fb-cpu-analysis.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "fb-finding.h"
#include "fb-result.h"
#include "util.h"

/* A kernel that samples books a tick as one kind or the other.  Of n samples
 * the share that is in use is off by a standard deviation of at most
 * 1 / (2 sqrt(n)) (binomial); four of them are a chance of 1 in 15,000. */
#define SAMPLE_DEVIATIONS 4

/* Beyond what sampling explains, clocks may differ by these many percent of
 * one CPU: what is done between the readings of one and of the other. */
#define CLOCK_MARGIN 3.0

/* What other programs use, in percent of one CPU, that is worth a word. */
#define OTHERS_LIMIT 10.0

/* Stolen time, in percent of one CPU, that is worth a word. */
#define STEAL_LIMIT 1.0

/* Returns the name of 'crew', one of enum fb_crew or FB_CREW_GENERATOR, in
 * results. */
const char *
fb_cpu_crew_name(int crew)
{
    return crew == FB_CREW_GENERATOR ? "generator" : fb_crew_name(crew);
}

/* Returns 'crew''s CPU time in 'usage', in ns. */
static uint64_t
crew_ns(const struct fb_cpu_usage *usage, int crew)
{
    return (crew == FB_CREW_GENERATOR
            ? usage->generator_ns : usage->tasks.crews[crew].ns);
}

/* Returns the share of 'crew' in 'usage', in percent of one CPU. */
static double
crew_pct(const struct fb_cpu_usage *usage, int crew)
{
    uint64_t window = (crew == FB_CREW_GENERATOR
                       ? usage->window_ns : usage->tasks_window_ns);
    return window ? 100.0 * crew_ns(usage, crew) / window : NAN;
}

/* Returns what was in use in 'usage', in percent of one CPU, as the spinner
 * saw it, or all threads that are ours or the kernel's. */
static double
used_pct(const struct fb_cpu_usage *usage, bool spinner)
{
    if (spinner) {
        return 100.0 * usage->used_ns / usage->window_ns;
    }
    double sum = 0;
    for (int i = 0; i < FB_N_CPU_CREWS; i++) {
        sum += crew_pct(usage, i);
    }
    return sum;
}

/* Stores in 'figures' what comes in whole ticks. */
static void
analyze_stat(const struct fb_dut_result *dut, struct fb_cpu_figures *figures)
{
    double kinds[FB_N_CPU_KINDS] = { 0 };
    double window = 0, spare = 0, all = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_cpu_usage *usage = &dut->trials[i].cpu;
        window += usage->stat_window_ns;
        spare += usage->waited_ns + usage->spinner_ns;
        for (int j = 0; j < FB_N_CPU_KINDS; j++) {
            kinds[j] += usage->kinds_ns[j];
            all += usage->kinds_ns[j];
        }
    }
    for (int i = 0; i < FB_N_CPU_KINDS; i++) {
        figures->kinds[i] = 100 * kinds[i] / window;
    }
    spare += kinds[FB_CPU_IDLE] + kinds[FB_CPU_IOWAIT];
    figures->stat_used = 100 * MAX(all - spare, 0) / window;
    double tick = 1e9 / sysconf(_SC_CLK_TCK);
    figures->resolution = (all > 0
                           ? (SAMPLE_DEVIATIONS * 100 * all / window
                              / (2 * sqrt(MAX(all / tick, 1))))
                           : NAN);
}

/* Returns what 'trial' took, in percent of one CPU, as the spinner saw it or,
 * unless 'spinner', the threads. */
double
fb_cpu_used_pct(const struct fb_trial *trial, bool spinner)
{
    return used_pct(&trial->cpu, spinner);
}

/* Returns the CPU time that 'trial' took for each packet delivered, in ns.
 * 'spinner' as above. */
double
fb_cpu_used_ns(const struct fb_trial *trial, bool spinner)
{
    double ns = used_pct(&trial->cpu, spinner) / 100 * trial->cpu.window_ns;
    return ns / MAX(trial->in_time, 1);
}

/* Functions that say what 'trial' took, for median_of(). */
static double
get_used(const struct fb_trial *trial, int spinner)
{
    return fb_cpu_used_pct(trial, spinner);
}

static double
get_ns(const struct fb_trial *trial, int spinner)
{
    return fb_cpu_used_ns(trial, spinner);
}

static double
get_crew(const struct fb_trial *trial, int crew)
{
    return crew_pct(&trial->cpu, crew);
}

static double
get_switches(const struct fb_trial *trial, int aux OVS_UNUSED)
{
    return 1e9 * trial->cpu.switches / trial->cpu.stat_window_ns;
}

static double
get_voluntary(const struct fb_trial *trial, int aux OVS_UNUSED)
{
    return 1e9 * trial->cpu.tasks.voluntary / trial->cpu.tasks_window_ns;
}

static double
get_involuntary(const struct fb_trial *trial, int aux OVS_UNUSED)
{
    return 1e9 * trial->cpu.tasks.involuntary / trial->cpu.tasks_window_ns;
}

/* Returns the median of what 'get' says, with 'aux', of the trials of 'dut';
 * without a value if that cannot be told. */
static struct fb_estimate
median_of(const struct fb_dut_result *dut,
          double (*get)(const struct fb_trial *, int aux), int aux)
{
    struct fb_estimate estimate;
    double *x = xcalloc(dut->n_trials, sizeof *x);

    for (size_t i = 0; i < dut->n_trials; i++) {
        x[i] = get(&dut->trials[i], aux);
    }
    if (fb_stats_median(x, dut->n_trials, &estimate)) {
        estimate = (struct fb_estimate) FB_NO_ESTIMATE;
    }
    free(x);
    return estimate;
}

/* Computes the figures of 'dut' from its trials, whose losses have been added
 * up. */
void
fb_cpu_analyze(struct fb_dut_result *dut)
{
    struct fb_cpu_figures *figures = &dut->cpu;

    memset(figures, 0, sizeof *figures);
    figures->spinner = true;
    for (size_t i = 0; i < dut->n_trials; i++) {
        figures->spinner &= dut->trials[i].cpu.has_spinner;
    }
    analyze_stat(dut, figures);
    figures->used = median_of(dut, get_used, figures->spinner);
    figures->ns = median_of(dut, get_ns, figures->spinner);
    if (!dut->sum.delivered) {
        figures->ns = (struct fb_estimate) FB_NO_ESTIMATE;
    }
    figures->others = figures->spinner ? figures->used.median : NAN;
    for (int i = 0; i < FB_N_CPU_CREWS; i++) {
        figures->crews[i] = median_of(dut, get_crew, i);
        figures->others -= figures->crews[i].median;
    }
    figures->switches = median_of(dut, get_switches, 0);
    figures->voluntary = median_of(dut, get_voluntary, 0);
    figures->involuntary = median_of(dut, get_involuntary, 0);
    if (dut->n_trials) {
        const struct fb_cpu_usage *last = &dut->trials[dut->n_trials - 1].cpu;
        for (int i = 0; i < FB_N_CREWS; i++) {
            figures->n_threads[i] = last->tasks.crews[i].n;
        }
        figures->n_threads[FB_CREW_GENERATOR] = 1;
    }
}

/* Adds findings about the CPU time of 'dut'. */
void
fb_cpu_judge(struct fb_result *result, const struct fb_dut_result *dut)
{
    const struct fb_cpu_figures *figures = &dut->cpu;
    double sum = 0;

    for (size_t i = 0; figures->spinner && i < dut->n_trials; i++) {
        sum += used_pct(&dut->trials[i].cpu, true);
    }
    double mean = sum / dut->n_trials;
    double off = fabs(mean - figures->stat_used);
    bool disagree = (figures->spinner
                     && off > figures->resolution + CLOCK_MARGIN);
    if (disagree) {
        fb_result_add_finding(
            result, FB_WARNING, "clocks-disagree",
            "trust the spinner; see CPU time in ovs-fanbench(8)",
            "%s: the spinner saw %.1f %% of a CPU in use, /proc/stat %.1f %%: "
            "more than the %.1f %% apart that sampling explains", dut->name,
            mean, figures->stat_used, figures->resolution);
    }
    /* What the spinner alone has seen was no program: the kernel would have
     * booked it. */
    if (figures->others > OTHERS_LIMIT
        && !(disagree && mean > figures->stat_used)) {
        fb_result_add_finding(
            result, FB_WARNING, "busy-host",
            "run it when the machine has nothing else to do",
            "%s: something else on this machine used %.1f %% of a CPU, which "
            "is in the CPU time", dut->name, figures->others);
    }
    if (figures->kinds[FB_CPU_STEAL] > STEAL_LIMIT) {
        fb_result_add_finding(
            result, FB_WARNING, "steal",
            "run it on a machine that is not shared, or when it is not busy",
            "%s: the hypervisor withheld %.1f %% of a CPU", dut->name,
            figures->kinds[FB_CPU_STEAL]);
    }
}
