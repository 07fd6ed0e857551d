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

#include "fb-latency-report.h"

#include <math.h>

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Returns the estimates of all figures as JSON. */
static struct json *
figures_to_json(const struct fb_estimate figures[FB_N_LATENCY_FIGURES])
{
    struct json *json = json_object_create();

    for (int i = 0; i < FB_N_LATENCY_FIGURES; i++) {
        json_object_put(json, fb_latency_figure_name(i),
                        fb_estimate_to_json(&figures[i]));
    }
    return json;
}

/* Returns the account of marked frames as JSON. */
static struct json *
marks_to_json(const struct fb_marks_tally *marks)
{
    struct json *json = json_object_create();

    json_object_put(json, "tried", json_integer_create(marks->tried));
    json_object_put(json, "arrived", json_integer_create(marks->arrived));
    json_object_put(json, "missed", json_integer_create(marks->missed));
    json_object_put(json, "unread", json_integer_create(marks->unread));
    return json;
}

/* Adds what 'result' says to the object 'json': "latency_ns",
 * "added_latency_ns" and "marks", which are null if it was not measured. */
void
fb_latency_put_json(const struct fb_latency_result *result,
                    struct json *json)
{
    bool measured = result->samples != NULL;

    json_object_put(json, "latency_ns", measured
                    ? figures_to_json(result->ns) : json_null_create());
    json_object_put(json, "added_latency_ns", measured
                    ? figures_to_json(result->added_ns) : json_null_create());
    json_object_put(json, "marks", measured
                    ? marks_to_json(&result->marks) : json_null_create());
}

/* Returns what 'result' says about a load of its own as JSON. */
struct json *
fb_latency_at_to_json(const struct fb_latency_result *result)
{
    struct json *json = json_object_create();

    json_object_put(json, "load_pct", fb_number_to_json(result->load_pct));
    json_object_put(json, "rate_pps", json_integer_create(result->rate));
    json_object_put(json, "offered", json_integer_create(result->offered));
    json_object_put(json, "delivered",
                    json_integer_create(result->delivered));
    json_object_put(json, "not_sent", json_integer_create(result->not_sent));
    fb_latency_put_json(result, json);
    return json;
}

/* Adds a cell with 'e', of ns, in microseconds. */
static void
add_us(struct table *table, const struct fb_estimate *e)
{
    fb_add_number(table, e->median / 1000, 2);
}

/* Adds a cell with the interval of 'e', of ns, in microseconds. */
static void
add_us_interval(struct table *table, const struct fb_estimate *e)
{
    struct fb_estimate us = { .lo = e->lo / 1000, .hi = e->hi / 1000 };

    fb_add_interval(table, &us, 2);
}

/* Adds a row with what 'r' says about 'dut'. */
static void
add_row(struct table *table, const struct fb_dut_result *dut,
        const struct fb_latency_result *r)
{
    table_add_row(table);
    fb_add_cell(table, "%s", dut->name);
    if (r->rate && isfinite(r->load_pct)) {
        fb_add_cell(table, "%g %%: %.1f", r->load_pct, r->rate / 1e3);
    } else if (r->rate) {
        fb_add_cell(table, "%.1f", r->rate / 1e3);
    } else {
        fb_add_cell(table, "max");
    }
    add_us(table, &r->ns[FB_LATENCY_MEAN]);
    add_us(table, &r->ns[FB_LATENCY_P50]);
    add_us_interval(table, &r->ns[FB_LATENCY_P50]);
    add_us(table, &r->added_ns[FB_LATENCY_P50]);
    add_us(table, &r->ns[FB_LATENCY_P99]);
    add_us_interval(table, &r->ns[FB_LATENCY_P99]);
    add_us(table, &r->ns[FB_LATENCY_P999]);
    add_us(table, &r->ns[FB_LATENCY_MAX]);
}

/* Appends the table of latencies to 'ds', if any were measured. */
void
fb_latency_format(const struct fb_result *result,
                  const struct table_style *style, struct ds *ds)
{
    struct table table;
    bool measured = false;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "load, kpps");
    table_add_column(&table, "latency, us: mean");
    table_add_column(&table, "p50");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "over wire");
    table_add_column(&table, "p99");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "p99.9");
    table_add_column(&table, "max");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];

        if (dut->latency.samples) {
            measured = true;
            add_row(&table, dut, &dut->latency);
        }
        for (size_t j = 0; j < dut->n_latency_at; j++) {
            add_row(&table, dut, &dut->latency_at[j]);
        }
    }
    if (measured) {
        table_format(&table, style, ds);
    }
    table_destroy(&table);
}
