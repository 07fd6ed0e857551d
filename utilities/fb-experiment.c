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

#include "fb-experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-backend.h"
#include "fb-dut-build.h"
#include "fb-dut.h"
#include "fb-environment.h"
#include "fb-traffic.h"
#include "timeval.h"
#include "util.h"

/* Memory in a guest for each datapath flow, in KiB: in ovs-vswitchd and in the
 * datapath. */
#define FLOW_MEM_KB 6

/* Shows on a terminal how far 'e' is, in place of what it showed before: the
 * DUT and what 'format' and what follows make.  An empty text wipes it out. */
void
fb_experiment_progress(const struct fb_experiment *e, const char *format, ...)
{
    if (e->config->progress) {
        va_list args;
        va_start(args, format);
        char *text = xvasprintf(format, args);
        va_end(args);
        fprintf(stderr, "\r%s%s%s\033[K", text[0] ? e->label : "",
                text[0] ? ": " : "", text);
        fflush(stderr);
        free(text);
    }
}

/* Sleeps for 'ms' milliseconds, unless a signal that ends this process
 * comes. */
void
fb_experiment_sleep(unsigned int ms)
{
    fatal_signal_run();
    xnanosleep(ms * 1000LL * 1000);
    fatal_signal_run();
}

/* Returns the median of the 'n' samples 'x' with its interval, where they are
 * enough for one; an estimate that says nothing if there are none. */
struct fb_estimate
fb_experiment_median(const double *x, size_t n)
{
    struct fb_estimate estimate = FB_NO_ESTIMATE;

    if (fb_stats_median(x, n, &estimate)) {
        estimate = (struct fb_estimate) FB_NO_ESTIMATE;
    }
    return estimate;
}

/* Builds the DUT that 'e' is at, with 'n_destinations' and a generator of
 * 'traffic', as 'e->dut'.  One that stands is taken down before. */
char *
fb_experiment_build(struct fb_experiment *e, size_t n_destinations,
                    const struct fb_traffic *traffic)
{
    const struct fb_backend *backend = e->config->class->backend;
    struct fb_dut_config config = {
        .n_destinations = n_destinations,
        .traffic = traffic,
        .backend = backend ? backend : &fb_backend_sendmmsg,
        .n_threads = 1,
        .programs = &e->programs,
        .rundir = e->config->rundir,
        .build = e->n_builds++,
    };

    fb_experiment_take_down(e);
    fb_experiment_progress(e, "building");
    return fb_dut_create(e->kind, e->label, &config, &e->dut);
}

/* Takes down what 'e' has built, if anything. */
void
fb_experiment_take_down(struct fb_experiment *e)
{
    struct fb_dut *dut = e->dut;

    fb_background_stop(&e->load);
    e->dut = NULL;
    fb_dut_destroy(dut);
}

/* Finds the Open vSwitch programs, if a DUT of 'e' needs them. */
static char *
find_programs(struct fb_experiment *e)
{
    for (size_t i = 0; i < e->config->n_kinds; i++) {
        if (e->config->kinds[i]->datapath_type) {
            return fb_ovs_programs_find(e->config->vswitchd, &e->programs);
        }
    }
    return NULL;
}

/* Measures on DUT number 'i'. */
static char *
run_on(struct fb_experiment *e, size_t i)
{
    e->kind = e->config->kinds[i];
    e->label = fb_dut_make_label(e->config->kinds, i);
    char *error = e->config->class->run(e);
    fb_experiment_take_down(e);
    if (error) {
        char *whole = xasprintf("%s: %s", e->label, error);
        free(error);
        error = whole;
    }
    free(e->label);
    e->label = NULL;
    return error;
}

/* Returns the memory that a guest needs for 'p', whose DUTs stand one after
 * another, in MiB, beside what any needs. */
unsigned int
fb_experiment_mem_mb(const struct fb_experiment_class *class,
                     const struct fb_experiment_parameters *p)
{
    unsigned int max = 0;

    for (size_t i = 0; i < p->n_values; i++) {
        max = MAX(max, p->values[i]);
    }
    return ((uint64_t) max * class->mem_kb
            + (uint64_t) p->flows * FLOW_MEM_KB) / 1024;
}

/* Returns how many seconds what 'config' says would take with --full, in a
 * guest or not, on a machine such as that where its class was tried. */
double
fb_experiment_expect(const struct fb_experiment_config *config, bool guest)
{
    const struct fb_experiment_class *class = config->class;
    const struct fb_experiment_parameters *p = &config->parameters;

    return (config->n_kinds * p->n_values * p->trials
            * (guest ? class->full_guest_s : class->full_here_s));
}

/* The experiment that is going on, or one of nothing. */
static struct fb_experiment present;

/* Runs the experiment that 'config' says and stores what came of it in
 * '*result', which the caller must destroy with fb_experiment_result_destroy()
 * whatever this function returns.  Everything that was built is taken down
 * again. */
char *
fb_experiment_run(const struct fb_experiment_config *config,
                  struct fb_experiment_result *result)
{
    struct fb_experiment *e = &present;
    long long int start = time_msec();

    *e = (struct fb_experiment) {
        .config = config,
        .parameters = &config->parameters,
        .result = result,
    };
    fb_experiment_result_init(result, &config->parameters,
                              config->class->columns,
                              config->class->n_columns);
    char *error = find_programs(e);
    if (!error) {
        fb_environment_read(&result->environment,
                            e->programs.vswitchd ? &e->programs : NULL);
    }
    for (size_t i = 0; !error && i < config->n_kinds; i++) {
        error = run_on(e, i);
    }
    fb_experiment_progress(e, "%s", "");
    result->seconds = (time_msec() - start) / 1000.0;
    fb_ovs_programs_destroy(&e->programs);
    return error;
}

/* Takes down what is up of the experiment that is going on, if one is, because
 * the process ends. */
void
fb_experiment_abort(void)
{
    fb_experiment_take_down(&present);
}
