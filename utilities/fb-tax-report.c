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

#include "fb-tax-report.h"

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-mirror.h"
#include "fb-result.h"
#include "fb-tax.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Adds to 'table' the rows of 'dut', which has taxes. */
static void
add_rows(const struct fb_dut_result *dut, struct table *table)
{
    for (size_t i = 0; i < FB_N_MIRRORS; i++) {
        const struct fb_tax *tax = &dut->taxes[i];

        table_add_row(table);
        fb_add_text(table, dut->name);
        fb_add_text(table, fb_mirror_name(i));
        fb_add_number(table, tax->median_pps.median / 1000, 1);
        fb_add_number(table, tax->pct.median, 1);
        fb_add_interval(table, &tax->pct, 1);
    }
}

/* Appends the table of taxes in 'result', if they were measured. */
void
fb_tax_format(const struct fb_result *result, const struct table_style *style,
              struct ds *ds)
{
    struct table table;

    if (!result->parameters.tax.wanted) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "mirror");
    table_add_column(&table, "delivered kpps");
    table_add_column(&table, "tax, %% of throughput");
    table_add_column(&table, "95%% interval");
    for (size_t i = 0; i < result->n_duts; i++) {
        if (result->duts[i].taxes) {
            add_rows(&result->duts[i], &table);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns 'taxes', FB_N_MIRRORS of them, as JSON; null if it is null. */
struct json *
fb_tax_to_json(const struct fb_tax *taxes)
{
    if (!taxes) {
        return json_null_create();
    }

    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < FB_N_MIRRORS; i++) {
        struct json *o = json_object_create();
        struct json *pps = json_array_create_empty();

        for (size_t j = 0; j < taxes[i].n; j++) {
            json_array_add(pps, json_real_create(taxes[i].pps[j]));
        }
        json_object_put_string(o, "mirror", fb_mirror_name(i));
        json_object_put(o, "delivered_pps",
                        fb_estimate_to_json(&taxes[i].median_pps));
        json_object_put(o, "tax_pct", fb_estimate_to_json(&taxes[i].pct));
        json_object_put(o, "blocks", pps);
        json_object_put(o, "why_not", fb_string_to_json(taxes[i].why_not));
        json_array_add(array, o);
    }
    return array;
}
