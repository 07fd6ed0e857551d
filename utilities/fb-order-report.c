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

#include "fb-order-report.h"

#include <inttypes.h>

#include "fb-figure-table.h"
#include "fb-result.h"
#include "openvswitch/json.h"
#include "table.h"

/* Returns 'order' as JSON: null if it was not checked. */
struct json *
fb_order_to_json(const struct fb_order_result *order)
{
    if (!order->rate) {
        return json_null_create();
    }

    const struct fb_order_summary *s = &order->summary;
    struct json *json = json_object_create();

    json_object_put(json, "rate_pps", json_integer_create(order->rate));
    json_object_put(json, "sent", json_integer_create(s->sent));
    json_object_put(json, "not_sent", json_integer_create(order->not_sent));
    json_object_put(json, "arrived", json_integer_create(s->arrived));
    json_object_put(json, "unread", json_integer_create(order->unread));
    json_object_put(json, "duplicates", json_integer_create(s->duplicates));
    json_object_put(json, "strays", json_integer_create(s->strays));
    json_object_put(json, "reordered", json_integer_create(s->reordered));
    json_object_put(json, "max_late", json_integer_create(s->max_late));
    json_object_put(json, "flows", json_integer_create(s->flows));
    json_object_put(json, "flows_lossy", json_integer_create(s->flows_lossy));
    json_object_put(json, "flows_reordered",
                    json_integer_create(s->flows_reordered));
    json_object_put(json, "least_delivery",
                    json_real_create(s->least_delivery));
    return json;
}

/* Adds a row with what was seen of 'dut'. */
static void
add_row(struct table *table, const struct fb_dut_result *dut)
{
    const struct fb_order_summary *s = &dut->order.summary;

    table_add_row(table);
    fb_add_cell(table, "%s", dut->name);
    fb_add_number(table, dut->order.rate / 1e3, 1);
    fb_add_cell(table, "%"PRIu64, s->sent);
    fb_add_cell(table, "%"PRIu64, s->sent - s->arrived);
    fb_add_cell(table, "%"PRIu64, s->duplicates);
    fb_add_cell(table, "%"PRIu64, s->reordered);
    fb_add_cell(table, "%"PRIu64, s->max_late);
    fb_add_cell(table, "%"PRIu64, s->flows);
    fb_add_cell(table, "%"PRIu64, s->flows_reordered);
    fb_add_number(table, 100 * s->least_delivery, 3);
}

/* Appends the table of what was seen to 'ds', if anything was. */
void
fb_order_format(const struct fb_result *result,
                const struct table_style *style, struct ds *ds)
{
    struct table table;

    if (!result->parameters.check_order) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "order at kpps");
    table_add_column(&table, "sent");
    table_add_column(&table, "lost");
    table_add_column(&table, "duplicates");
    table_add_column(&table, "reordered");
    table_add_column(&table, "late by up to");
    table_add_column(&table, "flows");
    table_add_column(&table, "reordered");
    table_add_column(&table, "least delivery %%");
    for (size_t i = 0; i < result->n_duts; i++) {
        if (result->duts[i].order.rate) {
            add_row(&table, &result->duts[i]);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}
