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

#include "fb-list.h"

#include <stdio.h>
#include <stdlib.h>

#include "fb-doctor-report.h"
#include "fb-dut.h"
#include "fb-figure-table.h"
#include "fb-place.h"
#include "fb-scenario.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Prints the scenarios and the kinds of DUT as JSON. */
static void
print_json(const struct table_style *style, const char *no_guest)
{
    struct json *json = json_object_create();
    struct json *scenarios = json_array_create_empty();
    struct json *duts = json_array_create_empty();
    size_t n;

    const struct fb_scenario *s = fb_scenarios(&n);
    for (size_t i = 0; i < n; i++) {
        struct json *o = json_object_create();
        json_object_put_string(o, "name", s[i].name);
        json_object_put_string(o, "description", s[i].description);
        json_object_put_string(o, "duts", s[i].duts);
        json_array_add(scenarios, o);
    }
    const struct fb_dut_kind *const *kinds = fb_dut_kinds(&n);
    for (size_t i = 0; i < n; i++) {
        struct json *o = json_object_create();
        char *why = fb_dut_kind_check(kinds[i], NULL);
        json_object_put_string(o, "name", kinds[i]->name);
        json_object_put_string(o, "description", kinds[i]->description);
        json_object_put(o, "here", json_boolean_create(!why));
        json_object_put(o, "here_why_not", why ? json_string_create(why)
                        : json_null_create());
        json_object_put(o, "guest", json_boolean_create(!no_guest));
        json_object_put(o, "guest_why_not",
                        no_guest ? json_string_create(no_guest)
                        : json_null_create());
        json_array_add(duts, o);
        free(why);
    }
    json_object_put(json, "scenarios", scenarios);
    json_object_put(json, "duts", duts);
    json_object_put(json, "doctor", fb_doctor_report_checks_json());
    char *text = json_to_string(json, style->json_flags);
    puts(text);
    free(text);
    json_destroy(json);
}

/* Prints the scenarios as a table. */
static void
print_scenarios(const struct table_style *style)
{
    struct table table;
    size_t n;

    table_init(&table);
    table_add_column(&table, "scenario");
    table_add_column(&table, "what it does");
    table_add_column(&table, "DUTs");
    const struct fb_scenario *s = fb_scenarios(&n);
    for (size_t i = 0; i < n; i++) {
        table_add_row(&table);
        fb_add_text(&table, s[i].name);
        fb_add_text(&table, s[i].description);
        fb_add_text(&table, s[i].duts);
    }
    table_print(&table, style);
    table_destroy(&table);
}

/* Prints the kinds of DUT as a table. */
static void
print_duts(const struct table_style *style, const char *no_guest)
{
    struct table table;
    size_t n;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "what it is");
    table_add_column(&table, "on this kernel");
    table_add_column(&table, "in a guest");
    const struct fb_dut_kind *const *kinds = fb_dut_kinds(&n);
    for (size_t i = 0; i < n; i++) {
        char *why = fb_dut_kind_check(kinds[i], NULL);
        table_add_row(&table);
        fb_add_text(&table, kinds[i]->name);
        fb_add_text(&table, kinds[i]->description);
        fb_add_text(&table, why ? why : "yes");
        fb_add_text(&table, no_guest ? no_guest : "yes");
        free(why);
    }
    table_print(&table, style);
    table_destroy(&table);
}

/* Prints the doctor's checks as a table. */
static void
print_checks(const struct table_style *style)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    fb_doctor_report_checks(style, &ds);
    fputs(ds_cstr(&ds), stdout);
    ds_destroy(&ds);
}

/* Prints the scenarios, the kinds of DUT, and whether each can run here
 * and in a guest, and the doctor's checks, in the form that 'style' asks
 * for. */
void
fb_list_print(const struct table_style *style)
{
    char *no_guest = fb_place_check_guest();

    if (style->format == TF_JSON) {
        print_json(style, no_guest);
    } else {
        print_scenarios(style);
        print_duts(style, no_guest);
        print_checks(style);
    }
    free(no_guest);
}
