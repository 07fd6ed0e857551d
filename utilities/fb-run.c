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

#include "fb-run.h"

#include <stdio.h>
#include <stdlib.h>

#include "fb-analysis.h"
#include "fb-dut.h"
#include "fb-environment.h"
#include "fb-guest-init.h"
#include "fb-isolation.h"
#include "fb-marks.h"
#include "fb-more.h"
#include "fb-run-private.h"
#include "fb-threads.h"
#include "fb-trial.h"
#include "timeval.h"
#include "util.h"

/* That which is going on, or one of nothing. */
static const struct fb_run_config nothing = { .n_kinds = 0 };
static struct fb_run present = { .config = &nothing };

/* Returns the time since 'run' began, in seconds. */
static double
elapsed(const struct fb_run *run)
{
    return (time_msec() - run->start) / 1000.0;
}

/* Shows on a terminal how far the run is, in place of what it showed
 * before. */
void
fb_run_show_progress(const struct fb_run *run, const char *format, ...)
{
    if (run->config->progress) {
        va_list args;
        va_start(args, format);
        char *text = xvasprintf(format, args);
        va_end(args);
        fprintf(stderr, "\r%s\033[K", text);
        fflush(stderr);
        free(text);
    }
}

/* Adds the DUTs to the result. */
static void
add_results(struct fb_run *run)
{
    for (size_t i = 0; i < run->config->n_kinds; i++) {
        const struct fb_dut_kind *kind = run->config->kinds[i];
        char *label = fb_dut_make_label(run->config->kinds, i);

        fb_result_add_dut(run->result, label, kind->name,
                          kind->datapath_type);
        if (run->config->db && kind->datapath_type) {
            fb_result_add_finding(
                run->result, FB_INFO, "shared-datapath", NULL,
                "%s: a bridge in the Open vSwitch of this host: counters of "
                "its datapath, and CPU time of its threads, are those of the "
                "host's own packets, too, and what is lost in it is not "
                "divided by places", label);
        }
        if (run->config->uplink && kind != &fb_dut_wire) {
            fb_result_add_finding(
                run->result, FB_INFO, "uplink", NULL,
                "%s: packets to one of its %"PRIuSIZE" destinations leave by "
                "%s, and are delivered when they have left; no latency is "
                "measured", label, run->config->parameters.n_destinations,
                run->config->uplink);
        }
        free(label);
    }
}

/* Returns how trials of TCP are made. */
struct fb_tcp_trial_config
fb_run_tcp_config(const struct fb_run *run)
{
    return (struct fb_tcp_trial_config) {
        .duration = run->config->parameters.duration,
        .warmup = run->config->parameters.warmup,
        .meter = run->meter,
    };
}

/* Loads DUT number 'd' for a trial, which is added to its result. */
static char *
run_trial(struct fb_run *run, size_t d)
{
    const struct fb_parameters *p = &run->config->parameters;
    struct fb_trial_config config = {
        .pace = fb_result_pace_spec(p),
        .duration_ns = p->duration * 1e9,
        .latency = (run->config->alternate_marks && run->plan.n_blocks % 2 == 0
                    ? NULL : run->result->duts[d].latency.samples),
        .broken = run->broken[d],
        .meter = run->meter,
        .stop = run->config->stop,
    };
    const struct fb_tcp_trial_config tcp = fb_run_tcp_config(run);
    struct fb_trial trial = {
        .block = run->plan.n_blocks - 1,
        .build = run->plan.n_builds - 1,
    };

    char *error = (p->tcp.wanted
                   ? fb_tcp_trial_run(run->duts[d], &tcp, run->tcp_bytes[d],
                                      &trial)
                   : fb_trial_run(run->duts[d], &config, &trial));
    if (!error) {
        fb_result_add_trial(&run->result->duts[d], &trial);
        fb_marks_tally_add(&run->result->duts[d].latency.marks, &trial.marks);
    }
    return error;
}

/* Loads all DUTs once, in random order. */
static char *
run_block(struct fb_run *run)
{
    size_t n = run->config->n_kinds;
    size_t *order = xcalloc(n, sizeof *order);
    char *error = NULL;

    if (fb_plan_is_fixed(&run->plan)) {
        fb_run_show_progress(run, "build %u of %u, block %u of %u",
                             run->plan.n_builds, run->plan.builds,
                             run->plan.n_blocks, run->plan.n_trials);
    } else {
        fb_run_show_progress(run, "build %u, block %u (%.0f s)",
                             run->plan.n_builds, run->plan.n_blocks,
                             elapsed(run));
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    fb_rng_shuffle(&run->rng, order, n);
    for (size_t i = 0; !error && i < n; i++) {
        error = run_trial(run, order[i]);
    }
    fb_throttle_look(&run->throttle, &run->result->environment);
    free(order);
    return error;
}

/* Shows 'text', for fb_more_run(). */
static void
show_more(void *run, const char *text)
{
    fb_run_show_progress(run, "%s", text);
}

/* Measures, on the last build, what is not throughput. */
static char *
measure_more(struct fb_run *run)
{
    struct fb_more more = {
        .duts = run->duts,
        .broken = run->broken,
        .meter = run->meter,
        .stop = run->config->stop,
        .progress = show_more,
        .aux = run,
    };

    if (!run->duts[0]) {
        return NULL;
    }
    char *error = fb_more_run_metered(&more, run->result);
    fb_build_stop_meter(run);
    return error ? error : fb_more_run(&more, run->result);
}

/* Makes the plan of 'run' and does what it says.  A run that is void is not
 * made more precise. */
static char *
carry_out(struct fb_run *run)
{
    const struct fb_parameters *p = &run->config->parameters;
    struct fb_plan *plan = &run->plan;
    char *error = NULL;

    if (p->n_trials) {
        fb_plan_init(plan, p->n_trials, p->builds);
    } else {
        fb_plan_until_precise(plan, p->precision, p->max_time,
                              p->builds ? p->builds : FB_PLAN_FIRST_CHECK,
                              p->blocks);
    }
    run->result->sampling.miss = fb_plan_miss(plan);
    fb_rng_init(&run->rng, p->seed);
    run->start = time_msec();
    while (!error) {
        switch (fb_plan_next(plan, elapsed(run))) {
        case FB_PLAN_BUILD:
            if (plan->n_builds > 1 && !p->n_trials
                && !fb_result_is_valid(run->result)) {
                plan->end = FB_PLAN_VOID;
                return fb_build_end(run);
            }
            error = fb_build_begin(run);
            break;

        case FB_PLAN_BLOCK:
            error = run_block(run);
            break;

        case FB_PLAN_CHECK:
            fb_plan_tell(plan, fb_result_precision(run->result));
            break;

        case FB_PLAN_DONE:
            error = measure_more(run);
            return error ? error : fb_build_end(run);
        }
    }
    return error;
}

/* Stores in the result what its samples are. */
static void
note_sampling(struct fb_run *run)
{
    struct fb_sampling *sampling = &run->result->sampling;

    sampling->n_blocks = run->result->duts[0].n_trials;
    sampling->n_builds = (sampling->n_blocks
                          ? run->result->duts[0].trials[
                              sampling->n_blocks - 1].build + 1 : 0);
    sampling->seconds = elapsed(run);
    sampling->end = run->plan.end;
}

/* Makes a run as 'config' says and stores what came of it in '*result', which
 * the caller must destroy with fb_result_destroy(), whatever this function
 * returns.  Everything that was built is taken down again.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message that names
 * what failed. */
char *
fb_run(const struct fb_run_config *config, struct fb_result *result)
{
    struct fb_run *run = &present;

    *run = (struct fb_run) {
        .config = config,
        .duts = xcalloc(config->n_kinds, sizeof *run->duts),
        .broken = xcalloc(config->n_kinds, sizeof *run->broken),
        .tcp_bytes = xcalloc(config->n_kinds, sizeof *run->tcp_bytes),
        .result = result,
    };

    fb_result_init(result, &config->parameters);
    char *error = fb_build_find_programs(run);
    if (!error) {
        fb_environment_read(&result->environment,
                            run->programs.vswitchd ? &run->programs
                            : run->dpdk_programs.vswitchd ? &run->dpdk_programs
                            : NULL);
        fb_threads_take_cpus(&config->parameters, config->kinds,
                             config->n_kinds, result);
        error = fb_isolation_begin(config->tune ? config->rundir : NULL,
                                   config->pinned,
                                   &result->environment.isolation,
                                   &result->findings);
    }
    if (!error) {
        error = fb_build_measure_ceilings(run);
    }
    if (!error) {
        add_results(run);
        if (run->programs.vswitchd) {
            /* Not part of what a build takes. */
            fb_guest_wait_handlers_bug();
        }
        error = carry_out(run);
    }
    fb_build_stop_meter(run);
    fb_build_take_down(run);
    fb_run_show_progress(run, "%s", "");
    if (!error) {
        note_sampling(run);
        fb_result_analyze(result);
        fb_throttle_judge(&run->throttle, result);
    }
    fb_ovs_programs_destroy(&run->programs);
    fb_ovs_programs_destroy(&run->dpdk_programs);
    free(run->duts);
    free(run->broken);
    free(run->tcp_bytes);
    run->config = &nothing;
    return error;
}

/* Takes down what is up of the run that is going on, if one is, because the
 * process ends. */
void
fb_run_abort(void)
{
    fb_build_take_down(&present);
}
