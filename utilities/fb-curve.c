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

#include <stdlib.h>
#include <string.h>

#include "fb-curve-rates.h"
#include "fb-dut.h"
#include "fb-latency-at.h"
#include "fb-result.h"
#include "fb-rng.h"
#include "util.h"

/* Prepares the curves of all DUTs in 'result': at rates that depend on what
 * its switches can do, or its wires if there are no switches. */
static void
add_steps(struct fb_result *result)
{
    const struct fb_curve_parameters *p = &result->parameters.curve;
    double *pps = xcalloc(result->n_duts, sizeof *pps);
    uint64_t rates[FB_CURVE_MAX];
    size_t n = 0;

    for (int pass = 0; pass < 2 && !n; pass++) {
        for (size_t i = 0; i < result->n_duts; i++) {
            const struct fb_dut_result *dut = &result->duts[i];

            if (pass || strcmp(dut->kind, fb_dut_wire.name)) {
                pps[n++] = fb_latency_at_throughput(dut);
            }
        }
    }

    size_t n_rates = fb_curve_rates(pps, n, p->steps, rates);

    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_curve *curve = xzalloc(sizeof *curve);

        curve->n = n_rates;
        for (size_t j = 0; j < n_rates; j++) {
            curve->steps[j].rate = rates[j];
            curve->steps[j].trials = xcalloc(p->blocks,
                                             sizeof *curve->steps[j].trials);
        }
        result->duts[i].curve = curve;
    }
    free(pps);
}

/* Makes one trial of DUT number 'i' of 'config' at step number 'j' of its
 * curve in 'result'. */
static char *
make_trial(const struct fb_curve_config *config, struct fb_result *result,
           size_t i, size_t j)
{
    struct fb_curve_step *step = &result->duts[i].curve->steps[j];
    struct fb_trial_config trial = {
        .pace.rate = step->rate,
        .duration_ns = result->parameters.curve.duration * 1e9,
        .broken = config->broken[i],
        .meter = config->meter,
        .stop = config->stop,
    };

    return fb_trial_run(config->duts[i], &trial,
                        &step->trials[step->n_trials++]);
}

/* Makes one trial of each DUT at each rate.  Those at the same rate, which are
 * compared, follow each other. */
static char *
run_block(const struct fb_curve_config *config, struct fb_rng *rng,
          struct fb_result *result)
{
    size_t n_steps = result->duts[0].curve->n;
    size_t *duts = xcalloc(result->n_duts, sizeof *duts);
    size_t steps[FB_CURVE_MAX];
    char *error = NULL;

    for (size_t i = 0; i < result->n_duts; i++) {
        duts[i] = i;
    }
    for (size_t i = 0; i < n_steps; i++) {
        steps[i] = i;
    }
    fb_rng_shuffle(rng, steps, n_steps);
    for (size_t i = 0; i < n_steps && !error; i++) {
        fb_rng_shuffle(rng, duts, result->n_duts);
        for (size_t j = 0; j < result->n_duts && !error; j++) {
            error = make_trial(config, result, duts[j], steps[i]);
        }
    }
    free(duts);
    return error;
}

/* Measures the curves of all DUTs in 'result', if its parameters ask for any.
 * Its trials at the maximum rate must be there.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_curve_run(const struct fb_curve_config *config, struct fb_result *result)
{
    const struct fb_curve_parameters *p = &result->parameters.curve;
    struct fb_rng rng;
    char *error = NULL;

    if (!p->wanted) {
        return NULL;
    }
    add_steps(result);
    fb_rng_init(&rng, config->seed);
    for (unsigned int i = 0; i < p->blocks && !error; i++) {
        config->progress(config->aux, i + 1, p->blocks);
        error = run_block(config, &rng, result);
    }
    return error;
}
