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

#include "fb-more.h"

#include <stdarg.h>
#include <stdlib.h>

#include "fb-curve.h"
#include "fb-dut.h"
#include "fb-latency-at.h"
#include "fb-result.h"
#include "fb-search-run.h"
#include "fb-tap-run.h"
#include "fb-tax.h"
#include "util.h"

/* Shows how far it is. */
static void OVS_PRINTF_FORMAT(2, 3)
show(const struct fb_more *more, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = xvasprintf(format, args);
    va_end(args);
    more->progress(more->aux, text);
    free(text);
}

/* Shows how far a search is. */
static void
show_search(void *more, const struct fb_dut *dut, double load,
            unsigned int n_trials)
{
    show(more, "searching %s: trial %u, %.1f kpps", dut->label, n_trials + 1,
         load / 1000);
}

/* Returns the highest rate at which packets were offered to 'dut'. */
static double
get_max_load(const struct fb_dut_result *dut)
{
    double max = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];
        max = MAX(max, 1e9 * trial->losses.offered / MAX(1, trial->copies)
                  / trial->duration_ns);
    }
    return max;
}

/* Searches through all DUTs, one after another.  Those that deliver nothing
 * are searched through, too: they have no bound. */
static char *
search(struct fb_more *more, struct fb_result *result)
{
    const struct fb_parameters *p = &result->parameters;
    char *error = NULL;

    for (size_t i = 0; p->search && !error && i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];
        struct fb_search_config config = {
            .preset = p->search,
            .loss_ratio = p->search_loss_ratio,
            .duration = p->search_duration,
            .max_time = p->max_time,
            .max_load = get_max_load(dut),
            .stop = more->stop,
            .progress = show_search,
            .aux = more,
        };

        dut->search = xzalloc(sizeof *dut->search);
        error = fb_search_run(more->duts[i], &config, dut->search);
    }
    return error;
}

/* Shows how far curves are. */
static void
show_curves(void *more, unsigned int block, unsigned int n_blocks)
{
    show(more, "curves: block %u of %u", block, n_blocks);
}

/* Measures what needs the CPU meter of 'more' and stores it in 'result', whose
 * trials at the maximum rate must be there. */
char *
fb_more_run_metered(struct fb_more *more, struct fb_result *result)
{
    char *error = search(more, result);

    return (error ? error : fb_curve_run(&(struct fb_curve_config) {
        .duts = more->duts,
        .broken = more->broken,
        .meter = more->meter,
        .seed = result->parameters.seed,
        .stop = more->stop,
        .progress = show_curves,
        .aux = more,
    }, result));
}

/* Checks, if that was asked for, in which order packets arrive: at the rate of
 * the run, or at half of what each DUT delivers as fast as it goes. */
static char *
check_order(struct fb_more *more, struct fb_result *result)
{
    const struct fb_parameters *p = &result->parameters;
    char *error = NULL;

    for (size_t i = 0; p->check_order && !error && i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];
        uint64_t rate = (p->rate ? p->rate
                         : fb_latency_at_throughput(dut) / 2);

        if (more->duts[i]->marks && rate) {
            show(more, "order of packets");
            error = fb_order_check_run(more->duts[i], rate,
                                       fb_latency_at_duration(p),
                                       more->stop, &dut->order);
        }
    }
    return error;
}

/* Shows how far taxes are. */
static void
show_taxes(void *more, unsigned int block, unsigned int n_blocks,
           const char *mirror)
{
    show(more, "mirrors: block %u of %u, %s", block, n_blocks, mirror);
}

/* Measures what mirrors take, if that was asked for. */
static char *
measure_taxes(struct fb_more *more, struct fb_result *result)
{
    return fb_tax_run(&(struct fb_tax_config) {
        .duts = more->duts,
        .broken = more->broken,
        .seed = result->parameters.seed,
        .stop = more->stop,
        .progress = show_taxes,
        .aux = more,
    }, result);
}

/* Shows how far taps are. */
static void
show_taps(void *more, unsigned int block, unsigned int n_blocks)
{
    show(more, "taps: block %u of %u", block, n_blocks);
}

/* Measures what comes out of taps, if that was asked for. */
static char *
measure_taps(struct fb_more *more, struct fb_result *result)
{
    return fb_tap_run(&(struct fb_tap_config) {
        .duts = more->duts,
        .seed = result->parameters.seed,
        .stop = more->stop,
        .progress = show_taps,
        .aux = more,
    }, result);
}

/* Measures the rest, without a CPU meter and its spinner. */
char *
fb_more_run(struct fb_more *more, struct fb_result *result)
{
    show(more, "latency at chosen loads");
    char *error = fb_latency_at_run(more->duts, more->broken, more->stop,
                                    result);
    if (!error) {
        error = check_order(more, result);
    }
    if (!error) {
        error = measure_taxes(more, result);
    }
    /* Adds ports to the DUTs, and so comes last. */
    return error ? error : measure_taps(more, result);
}
