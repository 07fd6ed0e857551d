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

#include "fb-churn-report.h"

#include <math.h>

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "fb-search-run.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* What was found, in new flows per second; NaN where nothing was. */
struct new_flows {
    double sustained;           /* So many, and no packet was lost. */
    double lost_from;           /* From so many on packets were lost. */
};

/* Stores in '*new_flows' what the search through 'dut' has found about flows
 * that come and go as 'p' says.  The first goal is that nothing is lost.
 * Returns false if there was no such search. */
static bool
get_new_flows(const struct fb_dut_result *dut, const struct fb_parameters *p,
              struct new_flows *new_flows)
{
    if (!dut->search || !dut->search->n_goals
        || p->traffic.pattern != FB_PATTERN_CHURN) {
        return false;
    }

    const struct fb_search_result *r = &dut->search->results[0];

    new_flows->sustained = r->lower / p->traffic.flow_packets;
    new_flows->lost_from = r->upper / p->traffic.flow_packets;
    return true;
}

/* Appends the table of new flows per second, if flows came and went. */
void
fb_churn_report_format(const struct fb_result *result,
                       const struct table_style *style, struct ds *ds)
{
    struct new_flows new_flows;
    struct table table;

    if (!result->n_duts
        || !get_new_flows(&result->duts[0], &result->parameters,
                          &new_flows)) {
        return;
    }
    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "new flows/s without loss");
    table_add_column(&table, "with losses from");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];

        if (get_new_flows(dut, &result->parameters, &new_flows)) {
            table_add_row(&table);
            fb_add_text(&table, dut->name);
            fb_add_number(&table, new_flows.sustained, 0);
            fb_add_number(&table, new_flows.lost_from, 0);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns how many new flows per second get through 'dut', in a run with
 * parameters 'p', as JSON; null if that was not searched for. */
struct json *
fb_churn_report_to_json(const struct fb_dut_result *dut,
                        const struct fb_parameters *p)
{
    struct new_flows new_flows;

    if (!get_new_flows(dut, p, &new_flows)) {
        return json_null_create();
    }

    struct json *json = json_object_create();

    json_object_put(json, "sustained", fb_number_to_json(new_flows.sustained));
    json_object_put(json, "lost_from", fb_number_to_json(new_flows.lost_from));
    return json;
}
