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

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-analysis.h"
#include "fb-backend.h"
#include "fb-cpu.h"
#include "fb-dut.h"
#include "fb-environment.h"
#include "fb-grid.h"
#include "fb-guest-init.h"
#include "fb-host-bridge.h"
#include "fb-iperf3.h"
#include "fb-isolation.h"
#include "fb-latency-at.h"
#include "fb-marks.h"
#include "fb-more.h"
#include "fb-ovs-programs.h"
#include "fb-parity.h"
#include "fb-plan.h"
#include "fb-pmd.h"
#include "fb-process.h"
#include "fb-proof.h"
#include "fb-rng.h"
#include "fb-run-probe.h"
#include "fb-sandbox.h"
#include "fb-tcp-trial.h"
#include "fb-threads.h"
#include "fb-throttle.h"
#include "timeval.h"
#include "util.h"

/* A run that is going on. */
struct fb_run {
    const struct fb_run_config *config;
    struct fb_ovs_programs programs; /* Of all DUTs... */
    struct fb_ovs_programs dpdk_programs; /* ...but those with DPDK ports. */
    const struct fb_backend *backend; /* How packets are sent. */
    struct fb_dut **duts;       /* config->n_kinds of them; NULL if not up. */
    bool *broken;               /* For each: do frames arrive broken? */
    uint64_t *tcp_bytes;        /* For each, with TCP: bytes of a trial. */
    struct fb_cpu_meter *meter; /* Measures CPU time; NULL before the end of
                                 * preparations. */
    struct fb_result *result;
    struct fb_throttle throttle; /* How fast CPUs were. */
    struct fb_plan plan;        /* How many builds and blocks. */
    struct fb_rng rng;          /* Of the order in the blocks. */
    long long int start;        /* When it began, of time_msec(). */
};

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
static void OVS_PRINTF_FORMAT(2, 3)
show_progress(const struct fb_run *run, const char *format, ...)
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

/* Takes down what is up in 'run'. */
static void
take_down(struct fb_run *run)
{
    for (size_t i = 0; i < run->config->n_kinds; i++) {
        struct fb_dut *dut = run->duts[i];
        run->duts[i] = NULL;
        fb_dut_destroy(dut);
    }
}

/* Finds the Open vSwitch programs, if a DUT of 'run' needs them, and checks
 * whether there is memory for its ports. */
static char *
find_programs(struct fb_run *run)
{
    char *error = NULL;

    for (size_t i = 0; !error && i < run->config->n_kinds; i++) {
        const struct fb_dut_kind *kind = run->config->kinds[i];

        if (fb_dut_has_ports(kind, "dpdk")) {
            fb_ovs_programs_destroy(&run->dpdk_programs);
            error = fb_ovs_programs_find_dpdk(run->config->vswitchd,
                                              &run->dpdk_programs);
        } else if (kind->datapath_type && !run->programs.vswitchd) {
            error = (run->config->db
                     ? fb_host_bridge_programs(run->config->db, &run->programs)
                     : fb_ovs_programs_find(run->config->vswitchd,
                                            &run->programs));
        }
        if (!error) {
            error = fb_pmd_check_size(
                kind, run->config->parameters.n_destinations);
        }
    }
    return error;
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

/* Returns the parameters of the present build of 'run', which a sweep may
 * change, or before the first build those of the first. */
static struct fb_parameters
present_parameters(const struct fb_run *run)
{
    struct fb_parameters p = run->config->parameters;

    if (p.sweep.what) {
        unsigned int build = run->plan.n_builds ? run->plan.n_builds - 1 : 0;
        fb_grid_set(&p, fb_grid_point(&p, build));
    }
    return p;
}

/* Returns what all DUTs of 'run' are built for, with parameters 'p'.
 * 'traffic', theirs, must stay. */
static struct fb_dut_config
make_dut_config(const struct fb_run *run, const struct fb_parameters *p,
                const struct fb_traffic *traffic)
{
    return (struct fb_dut_config) {
        .n_destinations = p->n_destinations,
        .traffic = traffic,
        .backend = run->backend,
        .n_threads = p->n_threads,
        .fault = run->config->fault,
        .br_netfilter = run->config->br_netfilter,
        .latency_rate = p->latency_rate,
        .n_mark_slots = fb_marks_slots(p->latency_rate,
                                       fb_latency_at_duration(p)),
        .like = p->like,
        .tcp = p->tcp.wanted ? &run->config->parameters.tcp : NULL,
        .db = run->config->db,
        .uplink = run->config->uplink,
        .programs = &run->programs,
        .dpdk_programs = &run->dpdk_programs,
        .rundir = run->config->rundir,
        .build = run->plan.n_builds ? run->plan.n_builds - 1 : 0,
    };
}

/* Finds out what generator and sink can do by themselves, and by which backend
 * to send. */
static char *
measure_ceilings(struct fb_run *run)
{
    struct fb_environment *e = &run->result->environment;
    struct fb_parameters p = present_parameters(run);
    struct fb_traffic traffic = fb_result_traffic(&p);
    struct fb_dut_config config = make_dut_config(run, &p, &traffic);

    if (p.tcp.wanted) {
        /* Frames of our own only prove that it works.  What the two ends can
         * do without it, the wire shows. */
        run->backend = &fb_backend_sendmmsg;
        e->generator = "iperf3, one TCP connection";
        return fb_iperf3_find(&e->iperf3);
    }
    show_progress(run, "measuring the generator");
    config.fault = FB_PACKET_FAULT_NONE;
    config.br_netfilter = false;
    config.latency_rate = 0;
    config.n_mark_slots = 0;
    char *error = fb_ceilings_measure(&config, run->config->backend,
                                      run->config->stop, &e->ceilings);
    if (!error) {
        run->backend = config.backend;
        e->generator = config.backend->description;
    }
    return error;
}

/* Builds all DUTs. */
static char *
build_duts(struct fb_run *run)
{
    struct fb_parameters p = present_parameters(run);
    struct fb_traffic traffic = fb_result_traffic(&p);
    struct fb_dut_config config = make_dut_config(run, &p, &traffic);
    char *error = NULL;

    if (run->config->br_netfilter) {
        fb_guest_load_module("br_netfilter");
    }
    for (size_t i = 0; !error && i < run->config->n_kinds; i++) {
        const char *label = run->result->duts[i].name;

        show_progress(run, "building %s", label);
        error = fb_dut_create(run->config->kinds[i], label, &config,
                              &run->duts[i]);
        fatal_signal_run();
    }
    return error;
}

/* Proves that DUT number 'i' works, and adds findings if it does not. */
static char *
prove(struct fb_run *run, size_t i)
{
    const struct fb_dut *dut = run->duts[i];
    struct fb_proof proof;

    char *error = fb_proof_run(run->duts[i], run->plan.n_builds > 1, &proof);
    if (error) {
        return error;
    }
    if (proof.n_missing) {
        fb_result_add_finding(
            run->result, FB_VOID, "not-delivered", NULL,
            "%s: frames to %"PRIuSIZE" of %"PRIuSIZE" destinations do not "
            "arrive", dut->label, proof.n_missing, dut->n_destinations);
    }
    if (proof.n_astray) {
        fb_result_add_finding(
            run->result, FB_VOID, "astray", NULL,
            "%s: %"PRIuSIZE" frames arrived at the wrong destination",
            dut->label, proof.n_astray);
    }
    run->broken[i] = fb_proof_is_broken(&proof);
    if (proof.n_bad_ip_csum) {
        fb_result_add_finding(
            run->result, FB_VOID, "bad-checksum", NULL,
            "%s: frames arrive with a bad IPv4 checksum, which every receiver "
            "drops: none of them counts as delivered", dut->label);
    } else if (proof.n_harmed) {
        fb_result_add_finding(
            run->result, FB_VOID, "harmed", NULL,
            "%s: frames arrive changed: none of them counts as delivered",
            dut->label);
    }
    return NULL;
}

/* Finds out whether DUT number 'i' forwards marked frames, which makes it
 * learn their way, and lets none be marked if it does not. */
static char *
prove_marks(struct fb_run *run, size_t i)
{
    struct fb_dut_result *result = &run->result->duts[i];
    struct fb_dut *dut = run->duts[i];
    size_t n_missing = 0;

    if (!dut->marks || run->broken[i]) {
        return NULL;
    }
    char *error = fb_marks_prove(dut, &n_missing);
    if (!error && n_missing) {
        fb_result_add_finding(
            run->result, FB_WARNING, "marks-lost",
            "let it forward EtherType 0x88b5, or use --no-latency",
            "%s: marked frames do not get to %"PRIuSIZE" of %"PRIuSIZE" "
            "sinks: its latency is not measured", dut->label, n_missing,
            dut->n_sinks);
    } else if (!error && !result->latency.samples) {
        result->latency.samples = fb_latency_create();
    }
    result->latency.load_pct = NAN;
    result->latency.rate = run->config->parameters.rate;
    return error;
}

/* Returns how trials of TCP are made. */
static struct fb_tcp_trial_config
make_tcp_config(const struct fb_run *run)
{
    return (struct fb_tcp_trial_config) {
        .duration = run->config->parameters.duration,
        .warmup = run->config->parameters.warmup,
        .meter = run->meter,
    };
}

/* Warms up DUT number 'i'. */
static char *
warm_up(struct fb_run *run, size_t i)
{
    const struct fb_parameters *p = &run->config->parameters;
    const struct fb_tcp_trial_config tcp = make_tcp_config(run);
    struct fb_trial_config config = {
        .pace = fb_result_pace_spec(p),
        .duration_ns = p->warmup * 1e9,
        .stop = run->config->stop,
    };
    struct fb_trial ignored;

    if (p->tcp.wanted) {
        return fb_tcp_trial_prepare(run->duts[i], &tcp, &run->tcp_bytes[i]);
    }
    return (p->warmup > 0
            ? fb_trial_run(run->duts[i], &config, &ignored) : NULL);
}

/* Compares, proves and warms up all DUTs. */
static char *
prepare(struct fb_run *run)
{
    char *error = fb_parity_check(run->duts, run->config->n_kinds,
                                  run->result);
    for (size_t i = 0; !error && i < run->config->n_kinds; i++) {
        show_progress(run, "warming up %s", run->duts[i]->label);
        fb_pmd_tell(run->duts[i], run->result);
        /* The probe sees the first upcalls, too. */
        fb_run_probe_start(run->duts[i], run->result, &run->result->duts[i]);
        error = prove(run, i);
        if (!error) {
            error = prove_marks(run, i);
        }
        if (!error) {
            error = warm_up(run, i);
        }
    }
    return error;
}

/* Prepares for measuring CPU time. */
static char *
start_meter(struct fb_run *run)
{
    struct fb_cpu_setup *setup = &run->result->environment.cpus;

    show_progress(run, "watching the CPUs");
    char *error = fb_cpu_meter_create(run->config->spinner, &run->meter);
    if (!error) {
        setup->n_cpus = fb_cpu_meter_n_cpus(run->meter);
        setup->spinner = fb_cpu_meter_spins(run->meter);
        setup->floor_pct = 100 * fb_cpu_meter_floor(run->meter);
    }
    return error;
}

/* Ends measuring CPU time, if it has begun. */
static void
stop_meter(struct fb_run *run)
{
    fb_cpu_meter_destroy(run->meter);
    run->meter = NULL;
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
    const struct fb_tcp_trial_config tcp = make_tcp_config(run);
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
        show_progress(run, "build %u of %u, block %u of %u",
                      run->plan.n_builds, run->plan.builds,
                      run->plan.n_blocks, run->plan.n_trials);
    } else {
        show_progress(run, "build %u, block %u (%.0f s)", run->plan.n_builds,
                      run->plan.n_blocks, elapsed(run));
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
    show_progress(run, "%s", text);
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
    stop_meter(run);
    return error ? error : fb_more_run(&more, run->result);
}

/* Does what has to be done after the last trial of a build: stores the
 * snapshots of all probes in the result, and finds out whether the DUTs, alike
 * at first, were changed on the way. */
static char *
conclude(struct fb_run *run)
{
    char *error = NULL;
    if (fb_result_is_valid(run->result)) {
        error = fb_parity_check(run->duts, run->config->n_kinds, run->result);
    }
    for (size_t i = 0; !error && i < run->config->n_kinds; i++) {
        error = fb_run_probe_take(run->duts[i], &run->result->duts[i]);
    }
    return error;
}

/* Test hook: runs the program that the configuration names, if any, in the
 * namespace of each DUT while it stands.  Its arguments are 'when' and the
 * DUT's label. */
static char *
call_hook(struct fb_run *run, const char *when)
{
    const char *hook = run->config->hook;
    char *error = NULL;

    for (size_t i = 0; hook && !error && i < run->config->n_kinds; i++) {
        const struct fb_dut *dut = run->duts[i];
        const char *const argv[] = { hook, when, dut->label, NULL };
        error = (dut->sandbox
                 ? fb_sandbox_run(dut->sandbox, argv, NULL, NULL)
                 : fb_process_run(&(struct fb_process_spec) {
                       .argv = argv, .netns_fd = dut->near_fd }, NULL));
    }
    return error;
}

/* Ends a build, if one stands. */
static char *
end_build(struct fb_run *run)
{
    if (!run->duts[0]) {
        return NULL;
    }
    stop_meter(run);
    char *error = call_hook(run, "after");
    if (!error) {
        error = conclude(run);
    }
    show_progress(run, "taking down");
    take_down(run);
    return error;
}

/* Builds everything anew and gets it ready for the first block. */
static char *
begin_build(struct fb_run *run)
{
    char *error = end_build(run);
    if (!error) {
        error = build_duts(run);
    }
    if (!error) {
        error = prepare(run);
    }
    if (!error) {
        error = call_hook(run, "before");
    }
    if (!error) {
        error = start_meter(run);
    }
    return error;
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
                return end_build(run);
            }
            error = begin_build(run);
            break;

        case FB_PLAN_BLOCK:
            error = run_block(run);
            break;

        case FB_PLAN_CHECK:
            fb_plan_tell(plan, fb_result_precision(run->result));
            break;

        case FB_PLAN_DONE:
            error = measure_more(run);
            return error ? error : end_build(run);
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
    char *error = find_programs(run);
    if (!error) {
        fb_environment_read(&result->environment,
                            run->programs.vswitchd ? &run->programs
                            : run->dpdk_programs.vswitchd ? &run->dpdk_programs
                            : NULL);
        fb_threads_take_cpus(&config->parameters, config->kinds,
                             config->n_kinds, result);
        error = fb_isolation_begin(config->tune ? config->rundir : NULL,
                                   config->pinned, result);
    }
    if (!error) {
        error = measure_ceilings(run);
    }
    if (!error) {
        add_results(run);
        if (run->programs.vswitchd) {
            /* Not part of what a build takes. */
            fb_guest_wait_handlers_bug();
        }
        error = carry_out(run);
    }
    stop_meter(run);
    take_down(run);
    show_progress(run, "%s", "");
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
    take_down(&present);
}
