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

#include "fb-tap-report.h"

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "fb-tap-run.h"
#include "fb-tap.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Adds to 'table' the rows of 'dut', which has taps. */
static void
add_rows(const struct fb_dut_result *dut, struct table *table)
{
    for (size_t i = 0; i < FB_N_TAP_INPUTS; i++) {
        const struct fb_tap_result *tap = &dut->taps[i];

        table_add_row(table);
        fb_add_text(table, dut->name);
        fb_add_text(table, fb_tap_input_name(i));
        fb_add_number(table, tap->sent_pps.median / 1000, 1);
        fb_add_number(table, tap->received_pps.median / 1000, 1);
        fb_add_cell(table, "%.1f to %.1f", tap->received_pps.lo / 1000,
                    tap->received_pps.hi / 1000);
        fb_add_number(table, tap->main_pct.median, 1);
        fb_add_interval(table, &tap->main_pct, 1);
        fb_add_number(table, tap->pmd_pct.median, 1);
        fb_add_interval(table, &tap->pmd_pct, 1);
        fb_add_number(table, tap->batch.median, 2);
        fb_add_interval(table, &tap->batch, 2);
    }
}

/* Appends the table of taps in 'result', if they were measured. */
void
fb_tap_format(const struct fb_result *result, const struct table_style *style,
              struct ds *ds)
{
    struct table table;

    if (!result->parameters.tap.wanted) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "IP stack sends to");
    table_add_column(&table, "sent kpps");
    table_add_column(&table, "out of the tap kpps");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "main thread %%");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "PMD threads %%");
    table_add_column(&table, "95%% interval");
    table_add_column(&table, "packets/batch");
    table_add_column(&table, "95%% interval");
    for (size_t i = 0; i < result->n_duts; i++) {
        if (result->duts[i].taps) {
            add_rows(&result->duts[i], &table);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns 'taps', FB_N_TAP_INPUTS of them, as JSON; null if it is null. */
struct json *
fb_tap_to_json(const struct fb_tap_result *taps)
{
    if (!taps) {
        return json_null_create();
    }

    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < FB_N_TAP_INPUTS; i++) {
        const struct fb_tap_result *tap = &taps[i];
        struct json *o = json_object_create();

        json_object_put_string(o, "input", fb_tap_input_name(i));
        json_object_put(o, "sent_pps", fb_estimate_to_json(&tap->sent_pps));
        json_object_put(o, "received_pps",
                        fb_estimate_to_json(&tap->received_pps));
        json_object_put(o, "main_pct", fb_estimate_to_json(&tap->main_pct));
        json_object_put(o, "pmd_pct", fb_estimate_to_json(&tap->pmd_pct));
        json_object_put(o, "packets_per_batch",
                        fb_estimate_to_json(&tap->batch));
        json_object_put(o, "trials", json_integer_create(tap->n));
        json_array_add(array, o);
    }
    return array;
}
