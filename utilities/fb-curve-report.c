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

#include "fb-curve-report.h"

#include <math.h>

#include "fb-curve.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Returns what 'ratio' is more than 1, in percent. */
static struct fb_estimate
to_percent_more(struct fb_estimate ratio)
{
    ratio.median = 100 * (ratio.median - 1);
    ratio.lo = 100 * (ratio.lo - 1);
    ratio.hi = 100 * (ratio.hi - 1);
    return ratio;
}

/* Adds to 'table' a row for 'step' of the DUT called 'name'. */
static void
add_step(struct table *table, const char *name,
         const struct fb_curve_step *step)
{
    struct fb_estimate more = to_percent_more(step->ratio);

    table_add_row(table);
    fb_add_number(table, step->rate / 1000.0, 1);
    fb_add_text(table, name);
    fb_add_number(table, step->offered_pps.median / 1000, 1);
    fb_add_number(table, step->pps.median / 1000, 1);
    fb_add_number(table, step->lost_pct.median, 2);
    fb_add_number(table, step->cpu.median, 1);
    fb_add_interval(table, &step->cpu, 1);
    fb_add_number(table, step->over_wire.median, 1);
    fb_add_interval(table, &step->over_wire, 1);
    fb_add_number(table, more.median, 1);
    fb_add_interval(table, &more, 1);
    fb_add_number(table, step->misses_per_s, 0);
    fb_add_number(table, step->upcalls_lost_per_s, 0);
}

/* Appends the table of all steps. */
static void
format_steps(const struct fb_result *result, const struct table_style *style,
             struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "asked kpps");
    table_add_column(&table, "DUT");
    table_add_column(&table, "offered kpps");
    table_add_column(&table, "delivered kpps");
    table_add_column(&table, "not delivered %%");
    table_add_column(&table, "CPU %%");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "CPU %% over wire");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "%% more CPU than linux-bridge");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "upcalls/s");
    table_add_column(&table, "lost/s");
    for (size_t i = 0; i < result->duts[0].curve->n; i++) {
        for (size_t j = 0; j < result->n_duts; j++) {
            const struct fb_dut_result *dut = &result->duts[j];

            add_step(&table, dut->name, &dut->curve->steps[i]);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Adds to 'table' a cell with how much earlier than the Linux bridge packets
 * are lost. */
static void
add_earlier(struct table *table, const struct fb_knee *knee)
{
    if (isfinite(knee->earlier_lo) && isfinite(knee->earlier_hi)) {
        fb_add_cell(table, "%.1f to %.1f", knee->earlier_lo,
                    knee->earlier_hi);
    } else if (isfinite(knee->earlier_lo)) {
        fb_add_cell(table, "at least %.1f", knee->earlier_lo);
    } else if (isfinite(knee->earlier_hi)) {
        fb_add_cell(table, "at most %.1f", knee->earlier_hi);
    } else {
        fb_add_cell(table, "-");
    }
}

/* Appends the table of knees. */
static void
format_knees(const struct fb_result *result, const struct table_style *style,
             struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "all through at kpps");
    table_add_column(&table, "lost from kpps");
    table_add_column(&table, "found by");
    table_add_column(&table, "%% earlier than linux-bridge");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        const struct fb_knee *knee = &dut->curve->knee;

        table_add_row(&table);
        fb_add_text(&table, dut->name);
        fb_add_number(&table, knee->through / 1000, 1);
        fb_add_number(&table, knee->lost_from / 1000, 1);
        fb_add_text(&table, knee->searched ? "search" : "curve");
        add_earlier(&table, knee);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends the curves in 'result', if there are any. */
void
fb_curve_format(const struct fb_result *result,
                const struct table_style *style, struct ds *ds)
{
    if (result->n_duts && result->duts[0].curve) {
        format_steps(result, style, ds);
        format_knees(result, style, ds);
    }
}

/* Returns 'step' as JSON. */
static struct json *
step_to_json(const struct fb_curve_step *step)
{
    struct json *o = json_object_create();

    json_object_put(o, "rate_pps", json_integer_create(step->rate));
    json_object_put(o, "offered_pps", fb_estimate_to_json(&step->offered_pps));
    json_object_put(o, "delivered_pps", fb_estimate_to_json(&step->pps));
    json_object_put(o, "not_delivered_pct",
                    fb_estimate_to_json(&step->lost_pct));
    json_object_put(o, "cpu_pct", fb_estimate_to_json(&step->cpu));
    json_object_put(o, "cpu_pct_over_wire",
                    fb_estimate_to_json(&step->over_wire));
    json_object_put(o, "cpu_pct_over_base",
                    fb_estimate_to_json(&step->over_base));
    json_object_put(o, "cpu_ratio_to_base", fb_estimate_to_json(&step->ratio));
    json_object_put(o, "upcalls_per_s",
                    fb_number_to_json(step->misses_per_s));
    json_object_put(o, "upcalls_lost_per_s",
                    fb_number_to_json(step->upcalls_lost_per_s));
    return o;
}

/* Returns 'curve' as JSON, null if it is null. */
struct json *
fb_curve_to_json(const struct fb_curve *curve)
{
    if (!curve) {
        return json_null_create();
    }

    const struct fb_knee *knee = &curve->knee;
    struct json *json = json_object_create();
    struct json *steps = json_array_create_empty();
    struct json *o = json_object_create();

    for (size_t i = 0; i < curve->n; i++) {
        json_array_add(steps, step_to_json(&curve->steps[i]));
    }
    json_object_put(o, "through_pps", fb_number_to_json(knee->through));
    json_object_put(o, "lost_from_pps", fb_number_to_json(knee->lost_from));
    json_object_put(o, "searched", json_boolean_create(knee->searched));
    json_object_put(o, "earlier_pct_min", fb_number_to_json(knee->earlier_lo));
    json_object_put(o, "earlier_pct_max", fb_number_to_json(knee->earlier_hi));
    json_object_put(json, "steps", steps);
    json_object_put(json, "knee", o);
    return json;
}
