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

#include "fb-tax.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-mirror.h"
#include "fb-result.h"
#include "fb-rng.h"
#include "timeval.h"
#include "util.h"

/* So long, in ms, is a DUT loaded until its mirror gets packets. */
#define PATIENCE_MS 10000

/* Loads 'dut' for a while, with new flows, and again until its mirror, of
 * 'kind', gets what passes through the port: the database has a mirror before
 * the datapath's flows do.  Stores in '*why_not' why there is none, or
 * NULL. */
static char *
settle(struct fb_dut *dut, const struct fb_parameters *p,
       enum fb_mirror_kind kind, const volatile sig_atomic_t *stop,
       char **why_not)
{
    struct fb_trial_config config = {
        .duration_ns = p->tax.settle * 1e9,
        .stop = stop,
    };

    long long int deadline = time_msec() + PATIENCE_MS;

    *why_not = NULL;
    do {
        uint64_t before, after;
        struct fb_trial trial;

        char *error = fb_mirror_renew_flows(dut);
        if (!error) {
            error = fb_mirror_count(dut, &before);
        }
        if (!error) {
            error = fb_trial_run(dut, &config, &trial);
        }
        if (!error) {
            error = fb_mirror_count(dut, &after);
        }
        if (error || kind == FB_MIRROR_NONE
            || after - before >= trial.losses.delivered / 2) {
            return error;
        }
    } while (time_msec() < deadline);
    *why_not = xstrdup("it does not get the port's packets");
    return NULL;
}

/* Makes the trials of 'dut' with one mirror and stores their median, in
 * packets delivered per second, in '*pps'. */
static char *
make_trials(struct fb_dut *dut, const struct fb_parameters *p, bool broken,
            const volatile sig_atomic_t *stop, double *pps)
{
    struct fb_trial_config config = {
        .duration_ns = p->duration * 1e9,
        .broken = broken,
        .stop = stop,
    };
    double *all = xcalloc(p->tax.trials, sizeof *all);
    struct fb_trial trial;
    struct fb_estimate e;
    char *error = NULL;

    for (unsigned int i = 0; i < p->tax.trials && !error; i++) {
        error = fb_trial_run(dut, &config, &trial);
        all[i] = 1e9 * trial.in_time / trial.duration_ns;
    }
    if (!error) {
        fb_stats_median(all, p->tax.trials, &e);
        *pps = e.median;
    }
    free(all);
    return error;
}

/* Measures DUT number 'i' of 'config' with a mirror of 'kind'.  If there
 * cannot be one, notes why. */
static char *
measure(const struct fb_tax_config *config, struct fb_result *result,
        size_t i, enum fb_mirror_kind kind)
{
    struct fb_tax *tax = &result->duts[i].taxes[kind];
    struct fb_dut *dut = config->duts[i];

    if (tax->why_not) {
        return NULL;
    }
    char *error = NULL;
    tax->why_not = fb_mirror_start(dut, kind);
    if (!tax->why_not) {
        error = settle(dut, &result->parameters, kind, config->stop,
                       &tax->why_not);
    }
    if (!error && !tax->why_not) {
        error = make_trials(dut, &result->parameters, config->broken[i],
                            config->stop, &tax->pps[tax->n]);
        tax->n += !error;
    }
    char *stop_error = fb_mirror_stop(dut);
    if (error) {
        free(stop_error);
        return error;
    }
    return stop_error;
}

/* Measures all DUTs in 'result' once with each kind of mirror. */
static char *
run_block(const struct fb_tax_config *config, struct fb_rng *rng,
          unsigned int block, struct fb_result *result)
{
    size_t kinds[FB_N_MIRRORS];
    char *error = NULL;

    for (size_t i = 0; i < FB_N_MIRRORS; i++) {
        kinds[i] = i;
    }
    fb_rng_shuffle(rng, kinds, FB_N_MIRRORS);
    for (size_t i = 0; i < FB_N_MIRRORS; i++) {
        config->progress(config->aux, block + 1, result->parameters.tax.blocks,
                         fb_mirror_name(kinds[i]));
        for (size_t j = 0; j < result->n_duts && !error; j++) {
            if (result->duts[j].taxes) {
                error = measure(config, result, j, kinds[i]);
            }
        }
    }
    return error;
}

/* Measures the taxes of all Open vSwitches in 'result', if its parameters ask
 * for any.
 *
 * Returns NULL if successful, also if there cannot be mirrors of some kind,
 * otherwise a malloc()'d error message. */
char *
fb_tax_run(const struct fb_tax_config *config, struct fb_result *result)
{
    const struct fb_tax_parameters *p = &result->parameters.tax;
    struct fb_rng rng;
    char *error = NULL;

    if (!p->wanted) {
        return NULL;
    }
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        if (config->duts[i]->sandbox) {
            dut->taxes = xcalloc(FB_N_MIRRORS, sizeof *dut->taxes);
            for (size_t j = 0; j < FB_N_MIRRORS; j++) {
                dut->taxes[j].pps = xcalloc(p->blocks, sizeof(double));
            }
        }
    }
    fb_rng_init(&rng, config->seed);
    for (unsigned int i = 0; i < p->blocks && !error; i++) {
        error = run_block(config, &rng, i, result);
    }
    return error;
}

/* Adds a finding for each kind of mirror that 'dut' could not have. */
static void
judge(struct fb_result *result, const struct fb_dut_result *dut)
{
    for (size_t i = 0; i < FB_N_MIRRORS; i++) {
        if (dut->taxes[i].why_not) {
            fb_result_add_finding(
                result, FB_WARNING, "no-mirror", NULL,
                "%s: no mirror to \"%s\": %s%s", dut->name,
                fb_mirror_name(i), dut->taxes[i].why_not,
                i == FB_MIRROR_DUMMY
                ? "; ovs-tcpdump falls back to a tap interface" : "");
        }
    }
}

/* Computes the taxes in 'result'. */
void
fb_tax_analyze(struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        for (size_t j = 0; dut->taxes && j < FB_N_MIRRORS; j++) {
            const struct fb_tax *none = &dut->taxes[FB_MIRROR_NONE];
            struct fb_tax *tax = &dut->taxes[j];
            struct fb_estimate ratio = FB_NO_ESTIMATE;

            fb_stats_median(tax->pps, tax->n, &tax->median_pps);
            if (tax != none && tax->n == none->n) {
                fb_stats_ratio(tax->pps, none->pps, tax->n, &ratio);
            }
            tax->pct = (struct fb_estimate) {
                .median = 100 * (1 - ratio.median),
                .lo = 100 * (1 - ratio.hi),
                .hi = 100 * (1 - ratio.lo),
                .n = ratio.n,
            };
        }
        if (dut->taxes) {
            judge(result, dut);
        }
    }
}
