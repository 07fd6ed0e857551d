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

#include "fb-run-private.h"

#include "fatal-signal.h"
#include "fb-backend.h"
#include "fb-ceiling.h"
#include "fb-cpu-result.h"
#include "fb-cpu.h"
#include "fb-dut-build.h"
#include "fb-dut.h"
#include "fb-grid.h"
#include "fb-guest-init.h"
#include "fb-host-bridge.h"
#include "fb-iperf3.h"
#include "fb-latency-at.h"
#include "fb-marks.h"
#include "fb-parity.h"
#include "fb-pmd.h"
#include "fb-process.h"
#include "fb-run-probe.h"
#include "fb-sandbox.h"
#include "fb-trial.h"

/* Takes down what is up in 'run'. */
void
fb_build_take_down(struct fb_run *run)
{
    for (size_t i = 0; i < run->config->n_kinds; i++) {
        struct fb_dut *dut = run->duts[i];
        run->duts[i] = NULL;
        fb_dut_destroy(dut);
    }
}

/* Finds the Open vSwitch programs, if a DUT of 'run' needs them, and checks
 * whether there is memory for its ports. */
char *
fb_build_find_programs(struct fb_run *run)
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
char *
fb_build_measure_ceilings(struct fb_run *run)
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
    fb_run_show_progress(run, "measuring the generator");
    config.fault = FB_PACKET_FAULT_NONE;
    config.br_netfilter = false;
    config.latency_rate = 0;
    config.n_mark_slots = 0;
    bool single = p.latency_rate || fb_result_is_paced(&p);
    char *error = fb_ceilings_measure(&config, run->config->backend, single,
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

        fb_run_show_progress(run, "building %s", label);
        error = fb_dut_create(run->config->kinds[i], label, &config,
                              &run->duts[i]);
        fatal_signal_run();
    }
    return error;
}

/* Prepares for measuring CPU time. */
static char *
start_meter(struct fb_run *run)
{
    struct fb_cpu_setup *setup = &run->result->environment.cpus;

    fb_run_show_progress(run, "watching the CPUs");
    char *error = fb_cpu_meter_create(run->config->spinner, &run->meter);
    if (!error) {
        setup->n_cpus = fb_cpu_meter_n_cpus(run->meter);
        setup->spinner = fb_cpu_meter_spins(run->meter);
        setup->floor_pct = 100 * fb_cpu_meter_floor(run->meter);
    }
    return error;
}

/* Ends measuring CPU time, if it has begun. */
void
fb_build_stop_meter(struct fb_run *run)
{
    fb_cpu_meter_destroy(run->meter);
    run->meter = NULL;
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
char *
fb_build_end(struct fb_run *run)
{
    if (!run->duts[0]) {
        return NULL;
    }
    fb_build_stop_meter(run);
    char *error = call_hook(run, "after");
    if (!error) {
        error = conclude(run);
    }
    fb_run_show_progress(run, "taking down");
    fb_build_take_down(run);
    return error;
}

/* Builds everything anew and gets it ready for the first block. */
char *
fb_build_begin(struct fb_run *run)
{
    char *error = fb_build_end(run);
    if (!error) {
        error = build_duts(run);
    }
    if (!error) {
        error = fb_run_prepare(run);
    }
    if (!error) {
        error = call_hook(run, "before");
    }
    if (!error) {
        error = start_meter(run);
    }
    return error;
}
