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

#include "fb-result.h"

#include <stdarg.h>
#include <stdlib.h>

#include "fb-environment.h"
#include "openvswitch/json.h"
#include "util.h"

/* Makes 'result' an empty result of a run with 'parameters'. */
void
fb_result_init(struct fb_result *result,
               const struct fb_parameters *parameters)
{
    memset(result, 0, sizeof *result);
    result->parameters = *parameters;
}

/* Returns the traffic of a run with parameters 'p', complete. */
struct fb_traffic
fb_result_traffic(const struct fb_parameters *p)
{
    struct fb_traffic traffic = p->traffic;

    if (!traffic.sizes.n) {
        fb_sizes_init(&traffic.sizes, p->frame_size);
    }
    return traffic;
}

/* Returns the schedule of each trial of a run with parameters 'p'. */
struct fb_pace_spec
fb_result_pace_spec(const struct fb_parameters *p)
{
    return (struct fb_pace_spec) {
        .rate = p->rate,
        .end_rate = p->end_rate,
        .burst_ns = p->burst * 1e9,
        .pause_ns = p->pause * 1e9,
    };
}

/* Do some of the packets of a run with parameters 'p' have a time at which
 * they are due? */
bool
fb_result_is_paced(const struct fb_parameters *p)
{
    return p->rate || p->search || p->n_latency_at || p->curve.wanted;
}

/* Frees what 'result' holds. */
void
fb_result_destroy(struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];
        free(dut->name);
        free(dut->trials);
        json_destroy(dut->probe);
        free(dut->probe_missing);
        free(dut->search);
        fb_latency_result_destroy(&dut->latency);
        for (size_t j = 0; j < dut->n_latency_at; j++) {
            fb_latency_result_destroy(&dut->latency_at[j]);
        }
        free(dut->latency_at);
        fb_curve_destroy(dut->curve);
        fb_tax_destroy(dut->taxes);
        fb_tap_result_destroy(dut->taps);
        free(dut->model);
        free(dut->cells);
    }
    free(result->duts);
    fb_findings_destroy(&result->findings);
    free(result->comparisons);
    fb_environment_destroy(&result->environment);
}

/* Adds a DUT called 'name' to 'result' and returns it.  Earlier returned ones
 * become invalid. */
struct fb_dut_result *
fb_result_add_dut(struct fb_result *result, const char *name,
                  const char *kind, const char *datapath_type)
{
    result->duts = xrealloc(result->duts,
                            (result->n_duts + 1) * sizeof *result->duts);
    struct fb_dut_result *dut = &result->duts[result->n_duts++];
    memset(dut, 0, sizeof *dut);
    dut->name = xstrdup(name);
    dut->kind = kind;
    dut->datapath_type = datapath_type;
    return dut;
}

/* Adds a copy of 'trial' to 'dut'. */
void
fb_result_add_trial(struct fb_dut_result *dut, const struct fb_trial *trial)
{
    if (dut->n_trials >= dut->allocated_trials) {
        dut->trials = x2nrealloc(dut->trials, &dut->allocated_trials,
                                 sizeof *dut->trials);
    }
    dut->trials[dut->n_trials++] = *trial;
}

/* Adds a finding to 'result', once, however many builds find it.  'text' is a
 * format for what follows. */
void
fb_result_add_finding(struct fb_result *result, enum fb_severity severity,
                      const char *code, const char *fix,
                      const char *text, ...)
{
    va_list args;

    va_start(args, text);
    fb_findings_add_valist(&result->findings, severity, code, fix, text, args);
    va_end(args);
}

/* Returns true unless a finding voids 'result'. */
bool
fb_result_is_valid(const struct fb_result *result)
{
    return fb_findings_are_valid(&result->findings);
}
