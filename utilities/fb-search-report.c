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

#include "fb-search-report.h"

#include <math.h>

#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-result.h"
#include "fb-search-run.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Returns in words what is to be said of goal number 'i' of 'outcome'. */
static const char *
get_remark(const struct fb_search_outcome *outcome, size_t i)
{
    const struct fb_search_result *r = &outcome->results[i];

    return (!r->complete ? "not finished"
            : isnan(r->upper) ? "met even at the generator's ceiling"
            : isnan(r->lower) ? "missed even at the lowest load"
            : outcome->generator_limited ? "the generator's limit, maybe"
            : "-");
}

/* Appends a table of all searches in 'result'. */
void
fb_search_report_format(const struct fb_result *result,
                        const struct table_style *style, struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "goal");
    table_add_column(&table, "loss %% allowed");
    table_add_column(&table, "lower bound kpps");
    table_add_column(&table, "upper bound kpps");
    table_add_column(&table, "throughput kpps");
    table_add_column(&table, "trials");
    table_add_column(&table, "seconds");
    table_add_column(&table, "remark");
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_search_outcome *outcome = result->duts[i].search;

        for (size_t j = 0; outcome && j < outcome->n_goals; j++) {
            const struct fb_search_result *r = &outcome->results[j];

            table_add_row(&table);
            fb_add_cell(&table, "%s", result->duts[i].name);
            fb_add_cell(&table, "%s", outcome->goals[j].name);
            fb_add_number(&table, outcome->goals[j].loss_ratio * 100, 3);
            fb_add_number(&table, r->lower / 1000, 1);
            fb_add_number(&table, r->upper / 1000, 1);
            fb_add_number(&table, r->throughput / 1000, 1);
            fb_add_cell(&table, "%u", outcome->n_trials);
            fb_add_number(&table, outcome->seconds, 0);
            fb_add_cell(&table, "%s", get_remark(outcome, j));
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns 'outcome' as JSON, null if it is null. */
struct json *
fb_search_report_to_json(const struct fb_search_outcome *outcome)
{
    if (!outcome) {
        return json_null_create();
    }

    struct json *json = json_object_create();
    struct json *goals = json_array_create_empty();

    for (size_t i = 0; i < outcome->n_goals; i++) {
        const struct fb_search_goal *goal = &outcome->goals[i];
        const struct fb_search_result *r = &outcome->results[i];
        struct json *o = json_object_create();

        json_object_put_string(o, "goal", goal->name);
        json_object_put(o, "loss_ratio", json_real_create(goal->loss_ratio));
        json_object_put(o, "exceed_ratio",
                        json_real_create(goal->exceed_ratio));
        json_object_put(o, "duration_s", json_real_create(goal->duration));
        json_object_put(o, "duration_sum_s",
                        json_real_create(goal->duration_sum));
        json_object_put(o, "width", json_real_create(goal->width));
        json_object_put(o, "lower_pps", fb_number_to_json(r->lower));
        json_object_put(o, "upper_pps", fb_number_to_json(r->upper));
        json_object_put(o, "throughput_pps",
                        fb_number_to_json(r->throughput));
        json_object_put(o, "complete", json_boolean_create(r->complete));
        json_array_add(goals, o);
    }
    json_object_put(json, "goals", goals);
    json_object_put(json, "max_load_pps", json_real_create(outcome->max_load));
    json_object_put(json, "trials", json_integer_create(outcome->n_trials));
    json_object_put(json, "seconds", json_real_create(outcome->seconds));
    json_object_put(json, "generator_limited",
                    json_boolean_create(outcome->generator_limited));
    return json;
}

/* Adds findings about searches to 'result'. */
void
fb_search_report_add_findings(struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_search_outcome *outcome = result->duts[i].search;

        if (outcome && !outcome->complete) {
            fb_result_add_finding(
                result, FB_WARNING, "search", "use a greater --max-time",
                "%s: the search was not finished after %.0f s",
                result->duts[i].name, outcome->seconds);
        }
        if (outcome && outcome->generator_limited) {
            fb_result_add_finding(
                result, FB_WARNING, "search-generator",
                "leave the generator's CPU to it alone",
                "%s: in some trials of the search the generator was too slow "
                "for more packets than were lost; these count as lost, so "
                "that an upper bound may be the generator's own",
                result->duts[i].name);
        }
    }
}
