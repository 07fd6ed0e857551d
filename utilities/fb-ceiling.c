/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fb-ceiling.h"

#include <stdlib.h>
#include <string.h>

#include "fatal-signal.h"
#include "fb-backend.h"
#include "fb-dut-build.h"
#include "fb-dut.h"
#include "fb-engine.h"
#include "fb-module-loan.h"
#include "fb-stats.h"
#include "fb-trial.h"
#include "util.h"

/* Trials of each backend, in turn, and how long each is. */
#define N_TRIALS 7
#define TRIAL_NS (15 * 1000 * 1000)

/* What came of the trials of one backend. */
struct samples {
    double offered[N_TRIALS];   /* Packets per second. */
    double delivered[N_TRIALS];
};

/* Makes one trial through 'wire' and stores what came of it in element 'i' of
 * 'samples'. */
static char *
measure(struct fb_dut *wire, const volatile sig_atomic_t *stop, size_t i,
        struct samples *samples)
{
    const struct fb_trial_config config = {
        .duration_ns = TRIAL_NS,
        .stop = stop,
    };
    struct fb_trial trial;

    memset(&trial, 0, sizeof trial);
    char *error = fb_trial_run(wire, &config, &trial);
    if (!error) {
        samples->offered[i] = 1e9 * trial.losses.offered / trial.duration_ns;
        samples->delivered[i] = (1e9 * trial.losses.delivered
                                 / trial.duration_ns);
    }
    return error;
}

/* Returns NULL if 'backend' can send the frames of 'config' here, as far as
 * can be told before it is tried, otherwise a malloc()'d text that says why
 * not.  A module of the kernel's that it needs is loaded if 'may_load'. */
static char *
check_backend(const struct fb_backend *backend,
              const struct fb_dut_config *config, bool may_load)
{
    if (!backend->engine) {
        return NULL;
    }
    char *cannot = backend->engine->check(config->traffic);
    if (!cannot && config->n_threads > 1) {
        cannot = xstrdup("several threads");
    }
    if (cannot) {
        char *why = xasprintf("does not do %s", cannot);
        free(cannot);
        return why;
    }
    return fb_module_loan_begin(config->rundir, backend->engine->module,
                                may_load);
}

/* Builds a wire for each backend in 'c', with 'config' but for that.  Where
 * none can be built the reason is stored, or returned if 'needed'. */
static char *
build_wires(struct fb_dut_config *config, bool needed, struct fb_ceilings *c,
            struct fb_dut *wires[])
{
    for (size_t i = 0; i < c->n; i++) {
        const struct fb_backend *backend = c->all[i].backend;

        c->all[i].why_not = check_backend(backend, config, needed);
        if (!c->all[i].why_not) {
            char *label = xasprintf("ceiling-%s", backend->name);
            config->backend = backend;
            c->all[i].why_not = fb_dut_create(&fb_dut_wire, label, config,
                                              &wires[i]);
            free(label);
        }
        fatal_signal_run();
        if (c->all[i].why_not && needed) {
            char *error = c->all[i].why_not;
            c->all[i].why_not = NULL;
            return error;
        }
    }
    return NULL;
}

/* Makes the trials through 'wires', in turn, and fills in 'c'.  With
 * 'single', engines are not chosen. */
static char *
measure_all(struct fb_dut *const wires[], bool single,
            const volatile sig_atomic_t *stop, struct fb_ceilings *c)
{
    struct samples samples[FB_CEILINGS_MAX];
    char *error = NULL;

    for (size_t i = 0; !error && i < N_TRIALS; i++) {
        for (size_t j = 0; !error && j < c->n; j++) {
            if (wires[j]) {
                error = measure(wires[j], stop, i, &samples[j]);
            }
        }
    }
    for (size_t j = 0; !error && j < c->n; j++) {
        struct fb_ceiling *ceiling = &c->all[j];
        if (wires[j]) {
            struct fb_estimate e;
            fb_stats_median(samples[j].offered, N_TRIALS, &e);
            ceiling->offered_pps = e.median;
            fb_stats_median(samples[j].delivered, N_TRIALS, &e);
            ceiling->delivered_pps = e.median;
            if (!(single && ceiling->backend->engine)
                && (!c->chosen
                    || ceiling->delivered_pps > c->chosen->delivered_pps)) {
                c->chosen = ceiling;
            }
        }
    }
    return error;
}

/* Measures what the backend called 'name' can do, or, if that is null, what
 * each can that can be used here, and stores that in '*c', which the caller
 * must destroy with fb_ceilings_destroy(), whatever this function returns.
 * 'config->backend' becomes the best one; with 'single', the best of those
 * that send single frames, some of which are marked, or due at some time.  The
 * module of a backend that is named is loaded if need be.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_ceilings_measure(struct fb_dut_config *config, const char *name,
                    bool single, const volatile sig_atomic_t *stop,
                    struct fb_ceilings *c)
{
    struct fb_dut *wires[FB_CEILINGS_MAX] = { NULL };
    const struct fb_backend *const *backends;
    size_t n;

    memset(c, 0, sizeof *c);
    backends = fb_backends(&n);
    for (size_t i = 0; i < n; i++) {
        if (!name || !strcmp(name, backends[i]->name)) {
            c->all[c->n++].backend = backends[i];
        }
    }
    char *error = build_wires(config, name != NULL, c, wires);
    if (!error) {
        error = measure_all(wires, single, stop, c);
    }
    if (!error && !c->chosen) {
        error = nullable_xstrdup(c->all[0].why_not);
    }
    if (!error) {
        fb_sink_ceiling_measure(wires[c->chosen - c->all], config->traffic,
                                config->n_destinations, &c->sink);
    }
    for (size_t i = 0; i < c->n; i++) {
        fb_dut_destroy(wires[i]);
    }
    if (!error) {
        config->backend = c->chosen->backend;
    }
    return error;
}

/* Frees what 'c' holds. */
void
fb_ceilings_destroy(struct fb_ceilings *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->all[i].why_not);
    }
    fb_sink_ceiling_destroy(&c->sink);
}
