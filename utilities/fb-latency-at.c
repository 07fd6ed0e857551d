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

#include "fb-latency-at.h"

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-result.h"
#include "fb-rng.h"
#include "fb-trial.h"
#include "util.h"

/* Trials at each load: this share of those as fast as it goes, but enough for
 * an interval. */
#define TRIALS_SHARE 8

/* Least length of a trial, in s. */
#define MIN_DURATION 0.1

/* Returns the length of a trial, in s: at least MIN_DURATION, for only many
 * marked packets tell of the slowest ones. */
double
fb_latency_at_duration(const struct fb_parameters *p)
{
    return MAX(p->duration, MIN_DURATION);
}

/* Returns the number of trials at each load of a DUT that had 'n_trials'. */
static size_t
count_trials(size_t n_trials)
{
    size_t n = MAX(FB_STATS_MIN_SAMPLES, n_trials / TRIALS_SHARE);

    return MIN(MIN(n, FB_LATENCY_AT_MAX_TRIALS), n_trials);
}

/* Returns the median throughput of 'dut' in its trials, in packets per second,
 * whatever the number of their copies. */
double
fb_latency_at_throughput(const struct fb_dut_result *dut)
{
    double *pps = xcalloc(MAX(dut->n_trials, 1), sizeof *pps);
    struct fb_estimate estimate;

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];

        pps[i] = 1e9 * trial->in_time / trial->copies / trial->duration_ns;
    }
    int error = fb_stats_median(pps, dut->n_trials, &estimate);
    free(pps);
    return error ? 0 : estimate.median;
}

/* Prepares the results of all loads of 'dut', which can have latencies. */
static void
add_loads(struct fb_dut_result *dut, const struct fb_parameters *p)
{
    double pps = fb_latency_at_throughput(dut);

    dut->latency_at = xcalloc(p->n_latency_at, sizeof *dut->latency_at);
    dut->n_latency_at = p->n_latency_at;
    for (size_t i = 0; i < p->n_latency_at; i++) {
        dut->latency_at[i].samples = fb_latency_create();
        dut->latency_at[i].load_pct = p->latency_at[i];
        dut->latency_at[i].rate = MAX(pps * p->latency_at[i] / 100, 1);
    }
}

/* Makes one trial of 'dut' at a load and adds what came of it to 'latency'. */
static char *
make_trial(struct fb_dut *dut, const struct fb_parameters *p, bool broken,
           const volatile sig_atomic_t *stop,
           struct fb_latency_result *latency)
{
    struct fb_trial_config config = {
        .pace.rate = latency->rate,
        .duration_ns = fb_latency_at_duration(p) * 1e9,
        .broken = broken,
        .latency = latency->samples,
        .stop = stop,
    };
    struct fb_trial trial = { .block = 0 };

    char *error = fb_trial_run(dut, &config, &trial);
    if (!error) {
        fb_marks_tally_add(&latency->marks, &trial.marks);
        latency->offered += trial.losses.offered;
        latency->delivered += trial.losses.delivered;
        latency->not_sent += trial.not_sent;
    }
    return error;
}

/* Measures the latency of the DUTs in 'result', which are 'duts', at the loads
 * that its parameters ask for.  'broken' says for each whether its frames
 * arrive broken; 'stop' as in struct fb_trial_config.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_latency_at_run(struct fb_dut *const duts[], const bool broken[],
                  const volatile sig_atomic_t *stop, struct fb_result *result)
{
    const struct fb_parameters *p = &result->parameters;
    size_t n_trials = count_trials(result->duts[0].n_trials);
    size_t n = result->n_duts * p->n_latency_at;
    size_t *order = xcalloc(MAX(n, 1), sizeof *order);
    struct fb_rng rng;
    char *error = NULL;

    for (size_t i = 0; n && i < result->n_duts; i++) {
        if (duts[i]->marks) {
            add_loads(&result->duts[i], p);
        }
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    fb_rng_init(&rng, p->seed);
    for (size_t block = 0; !error && block < n_trials; block++) {
        fb_rng_shuffle(&rng, order, n);
        for (size_t i = 0; !error && i < n; i++) {
            size_t d = order[i] / p->n_latency_at;

            if (duts[d]->marks) {
                error = make_trial(
                    duts[d], p, broken[d], stop,
                    &result->duts[d].latency_at[order[i] % p->n_latency_at]);
            }
        }
    }
    free(order);
    return error;
}
