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

#include "fb-experiment-report.h"

#include "fb-environment.h"
#include "fb-experiment-fit.h"
#include "fb-experiment-result.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Appends one line on what was done, and one on where. */
static void
format_header(const struct fb_experiment_result *result, struct ds *ds)
{
    const struct fb_experiment_parameters *p = &result->parameters;

    ds_put_format(ds, "%s: %s", p->scenario, p->varies);
    for (size_t i = 0; i < p->n_values; i++) {
        ds_put_format(ds, "%s%u", i ? ", " : " ", p->values[i]);
    }
    if (p->flows) {
        ds_put_format(ds, "; %u flows", p->flows);
    }
    ds_put_format(ds, "; medians of %u; %.0f s\n", p->trials,
                  result->seconds);
    fb_environment_format(&result->environment, ds);
}

/* Does any point of 'result' have a variant? */
static bool
has_variants(const struct fb_experiment_result *result)
{
    for (size_t i = 0; i < result->n_points; i++) {
        if (result->points[i].variant) {
            return true;
        }
    }
    return false;
}

/* Appends the table of points. */
static void
format_points(const struct fb_experiment_result *result,
              const struct table_style *style, struct ds *ds)
{
    bool variants = has_variants(result);
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    if (variants) {
        table_add_column(&table, "what");
    }
    table_add_column(&table, "%s", result->parameters.varies);
    for (size_t i = 0; i < result->n_columns; i++) {
        table_add_column(&table, "%s", result->columns[i].heading);
        if (result->columns[i].doubt) {
            table_add_column(&table, "95%% interval");
        }
    }
    for (size_t i = 0; i < result->n_points; i++) {
        const struct fb_point *point = &result->points[i];

        table_add_row(&table);
        fb_add_text(&table, point->dut);
        if (variants) {
            fb_add_text(&table, point->variant);
        }
        fb_add_number(&table, point->value, 0);
        for (size_t j = 0; j < result->n_columns; j++) {
            const struct fb_column *column = &result->columns[j];

            fb_add_number(&table, point->figures[j].median, column->digits);
            if (column->doubt) {
                fb_add_interval(&table, &point->figures[j], column->digits);
            }
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends 'result' to 'ds' in the form that 'style' asks for.  The words
 * around the table are left out where they would not fit the form. */
void
fb_experiment_report_format(const struct fb_experiment_result *result,
                            const struct table_style *style, struct ds *ds)
{
    bool words = style->format == TF_TABLE || style->format == TF_LIST;

    table_format_reset();
    if (words) {
        fb_findings_format_void(&result->findings, ds);
        format_header(result, ds);
        ds_put_char(ds, '\n');
    }
    format_points(result, style, ds);
    fb_fit_format(result, style, ds);
    if (words) {
        fb_findings_format_others(&result->findings, ds);
    }
}

/* Returns the parameters 'p' as JSON. */
static struct json *
parameters_to_json(const struct fb_experiment_parameters *p)
{
    struct json *json = json_object_create();
    struct json *values = json_array_create_empty();

    for (size_t i = 0; i < p->n_values; i++) {
        json_array_add(values, json_integer_create(p->values[i]));
    }
    json_object_put_string(json, "varies", p->varies);
    json_object_put(json, "values", values);
    json_object_put(json, "flows", p->flows ? json_integer_create(p->flows)
                    : json_null_create());
    json_object_put(json, "trials", json_integer_create(p->trials));
    return json;
}

/* Returns 'point' of 'result' as JSON. */
static struct json *
point_to_json(const struct fb_experiment_result *result,
              const struct fb_point *point)
{
    struct json *json = json_object_create();
    struct json *figures = json_object_create();

    for (size_t i = 0; i < result->n_columns; i++) {
        json_object_put(figures, result->columns[i].name,
                        fb_estimate_to_json(&point->figures[i]));
    }
    json_object_put_string(json, "dut", point->dut);
    json_object_put(json, "variant", fb_string_to_json(point->variant));
    json_object_put(json, "value", json_integer_create(point->value));
    json_object_put(json, "figures", figures);
    json_object_put(json, "probe", point->probe ? json_clone(point->probe)
                    : json_null_create());
    return json;
}

/* Returns 'result' as JSON, which the caller must destroy. */
struct json *
fb_experiment_report_to_json(const struct fb_experiment_result *result)
{
    struct json *json = json_object_create();
    struct json *points = json_array_create_empty();

    for (size_t i = 0; i < result->n_points; i++) {
        json_array_add(points, point_to_json(result, &result->points[i]));
    }
    json_object_put_string(json, "schema", FB_EXPERIMENT_SCHEMA);
    json_object_put_string(json, "scenario", result->parameters.scenario);
    json_object_put(json, "parameters",
                    parameters_to_json(&result->parameters));
    json_object_put(json, "seconds", json_real_create(result->seconds));
    json_object_put(json, "environment",
                    fb_environment_to_json(&result->environment));
    json_object_put(json, "points", points);
    json_object_put(json, "fits", fb_fit_to_json(result));
    json_object_put(json, "validity", fb_findings_to_json(&result->findings));
    return json;
}
