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

#include "fb-model.h"

#include <math.h>
#include <stdlib.h>

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* What is off the line by less than this share of it is no reason to call the
 * line a bad model, however certain it is. */
#define TOLERANCE 0.01

/* Returns the median of the times per packet, in ns, of those trials of 'dut'
 * that went through 'build', NaN if a packet did not get through.  A flooded
 * packet is one, however many copies arrive. */
static double
get_ns(const struct fb_dut_result *dut, unsigned int build)
{
    double *ns = xcalloc(MAX(1, dut->n_trials), sizeof *ns);
    struct fb_estimate e;
    size_t n = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_trial *trial = &dut->trials[i];

        if (trial->build == build) {
            ns[n++] = (trial->in_time
                       ? ((double) trial->duration_ns * trial->copies
                          / trial->in_time) : NAN);
        }
    }
    fb_stats_median(ns, n, &e);
    free(ns);
    return e.median;
}

/* Makes 'r' fit 'line' if it is off by little. */
static void
forgive(const struct fb_line *line, struct fb_residual *r)
{
    double y = line->intercept.median + line->slope.median * r->x;

    r->fits |= fabs(r->off.median) < TOLERANCE * y;
}

/* Fits the model of 'dut' in 'result'. */
static void
fit_dut(const struct fb_result *result, struct fb_dut_result *dut)
{
    const struct fb_parameters *p = &result->parameters;
    unsigned int n = result->sampling.n_builds;
    double *x = xcalloc(n, sizeof *x);
    double *y = xcalloc(n, sizeof *y);

    dut->model = xzalloc(sizeof *dut->model);
    for (unsigned int i = 0; i < n; i++) {
        x[i] = fb_sweep_units(&p->sweep,
                              fb_sweep_value(&p->sweep, p->seed, i));
        y[i] = get_ns(dut, i);
    }
    if (!fb_line_fit(x, y, n, &dut->model->line)) {
        dut->model->n = p->sweep.n;
        for (size_t i = 0; i < p->sweep.n; i++) {
            double units = fb_sweep_units(&p->sweep, p->sweep.values[i]);
            int error = fb_line_residual(&dut->model->line, x, y, n, units,
                                         &dut->model->residuals[i]);
            ovs_assert(!error);
            dut->model->values[i] = p->sweep.values[i];
            forgive(&dut->model->line, &dut->model->residuals[i]);
        }
    }
    free(x);
    free(y);
}

/* Fits the models of all DUTs in 'result', which is one of a sweep, and adds a
 * finding for each that does not fit. */
void
fb_model_fit(struct fb_result *result)
{
    const struct fb_sweep *sweep = &result->parameters.sweep;

    for (size_t i = 0; i < result->n_duts; i++) {
        struct fb_dut_result *dut = &result->duts[i];

        fit_dut(result, dut);
        for (size_t j = 0; j < dut->model->n; j++) {
            const struct fb_residual *r = &dut->model->residuals[j];

            if (!r->fits) {
                fb_result_add_finding(
                    result, FB_WARNING, "model",
                    "sweep fewer values, on one side of it",
                    "%s: at %s %g a packet takes %+.1f ns (%+.1f to %+.1f) "
                    "beside the line, which therefore is no good model",
                    dut->name, fb_sweep_name(sweep), dut->model->values[j],
                    r->off.median, r->off.lo, r->off.hi);
            }
        }
    }
}

/* Appends the table of models of 'result'. */
void
fb_model_format(const struct fb_result *result,
                const struct table_style *style, struct ds *ds)
{
    const struct fb_sweep *sweep = &result->parameters.sweep;
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "fixed ns/packet");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "ns/%s", fb_sweep_unit(sweep));
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "worst fit, ns beside the line");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_model *model = result->duts[i].model;
        size_t worst = 0;

        for (size_t j = 1; j < model->n; j++) {
            if (fabs(model->residuals[j].off.median)
                > fabs(model->residuals[worst].off.median)) {
                worst = j;
            }
        }
        table_add_row(&table);
        fb_add_cell(&table, "%s", result->duts[i].name);
        fb_add_number(&table, model->line.intercept.median, 1);
        fb_add_interval(&table, &model->line.intercept, 1);
        fb_add_number(&table, model->line.slope.median, 4);
        fb_add_interval(&table, &model->line.slope, 4);
        if (model->n) {
            const struct fb_residual *r = &model->residuals[worst];

            fb_add_cell(&table, "%+.1f at %g%s", r->off.median,
                        model->values[worst],
                        r->fits ? "" : ", does not fit");
        } else {
            fb_add_cell(&table, "-");
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns 'model' as JSON, null if it is null. */
struct json *
fb_model_to_json(const struct fb_model *model)
{
    if (!model) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct json *residuals = json_array_create_empty();

    for (size_t i = 0; i < model->n; i++) {
        const struct fb_residual *r = &model->residuals[i];
        struct json *o = json_object_create();

        json_object_put(o, "value", json_real_create(model->values[i]));
        json_object_put(o, "ns", fb_estimate_to_json(&r->off));
        json_object_put(o, "fits", json_boolean_create(r->fits));
        json_array_add(residuals, o);
    }
    json_object_put(json, "fixed_ns",
                    fb_estimate_to_json(&model->line.intercept));
    json_object_put(json, "ns_per_unit",
                    fb_estimate_to_json(&model->line.slope));
    json_object_put(json, "residuals", residuals);
    return json;
}
