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
#include <string.h>

#include "fb-doctor-report.h"
#include "fb-dut-kinds.h"
#include "fb-dut.h"
#include "fb-experiment.h"
#include "fb-figure-json.h"
#include "fb-figure-table.h"
#include "fb-guest-kind.h"
#include "fb-place.h"
#include "fb-scenario.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* Whether a kind of DUT can run. */
struct ability {
    const struct fb_dut_kind *kind;
    char *no_here;              /* Why not on this kernel; NULL if it can. */
    const char *no_guest;       /* Why not in a guest; NULL if it can. */
};

/* What can run. */
struct abilities {
    struct ability *all;        /* One for each kind of DUT. */
    size_t n;
    char *no_guest;             /* Why there can be no guest of the kind that
                                 * a run may choose, or NULL. */
};

/* Finds out what can run, once for all who ask. */
static void
abilities_init(struct abilities *a)
{
    const struct fb_dut_kind *const *kinds = fb_dut_kinds(&a->n);

    a->no_guest = fb_place_check_guest(&fb_guest_uml);
    a->all = xcalloc(a->n, sizeof *a->all);
    for (size_t i = 0; i < a->n; i++) {
        const char *lacks = fb_dut_kind_guest_lacks(
            kinds[i], fb_guest_uml.default_cpus);
        a->all[i] = (struct ability) {
            .kind = kinds[i],
            .no_here = fb_dut_kind_check(kinds[i], NULL),
            .no_guest = lacks ? lacks : a->no_guest,
        };
    }
}

/* Frees what 'a' holds. */
static void
abilities_destroy(struct abilities *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->all[i].no_here);
    }
    free(a->all);
    free(a->no_guest);
}

/* Returns true if 'duts', names with commas between them, has 'name'. */
static bool
has_dut(const char *duts, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = duts; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (n == len && !memcmp(p, name, len)) {
            return true;
        }
        p += n;
    }
    return false;
}

/* Does 'scenario' need a guest that a run does not choose by itself? */
static bool
needs_counting(const struct fb_scenario *scenario)
{
    return scenario->experiment && scenario->experiment->counts;
}

/* Returns which DUTs of 'scenario' cannot run here, or, if 'guest', in a
 * guest, and why, NULL if all can.  The caller must free it. */
static char *
why_not(const struct abilities *a, const struct fb_scenario *scenario,
        bool guest)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    if (needs_counting(scenario)) {
        return xasprintf("it counts instructions: use --guest=%s",
                         fb_guest_qemu.name);
    } else if (guest && a->no_guest) {
        return xstrdup(a->no_guest);
    }
    for (size_t i = 0; i < a->n; i++) {
        const struct ability *ability = &a->all[i];
        const char *why = guest ? ability->no_guest : ability->no_here;

        if (why && has_dut(scenario->duts, ability->kind->name)) {
            ds_put_format(&ds, "%s%s: %s", ds.length ? "; " : "",
                          ability->kind->name, why);
        }
    }
    return ds.length ? ds_steal_cstr(&ds) : NULL;
}

/* What "run" does with the DUTs of a scenario, if it is not told which. */
struct plan {
    const char *where;          /* "here", "guest", or NULL if it fails. */
    char *without;              /* Names of those that it leaves out, with
                                 * commas between them; or NULL. */
};

/* Stores in '*plan' what "run" does with 'scenario', as fb_place_choose()
 * does: all DUTs on this kernel, or else all in a guest, or else those that
 * can run on this kernel.  The caller must free 'without'. */
static void
make_plan(const struct abilities *a, const struct fb_scenario *scenario,
          struct plan *plan)
{
    struct ds without = DS_EMPTY_INITIALIZER;
    size_t n_duts = 0, n_here = 0, n_guest = 0;

    for (size_t i = 0; i < a->n; i++) {
        const struct ability *ability = &a->all[i];

        if (has_dut(scenario->duts, ability->kind->name)) {
            n_duts++;
            n_guest += !ability->no_guest;
            n_here += !ability->no_here;
            if (ability->no_here) {
                ds_put_format(&without, "%s%s", without.length ? "," : "",
                              ability->kind->name);
            }
        }
    }
    plan->where = (needs_counting(scenario) ? NULL
                   : n_here == n_duts ? "here" : n_guest == n_duts ? "guest"
                   : n_here ? "here" : NULL);
    plan->without = (plan->where && n_here && n_here < n_duts
                     && n_guest < n_duts
                     ? ds_steal_cstr(&without) : NULL);
    ds_destroy(&without);
}

/* Adds to 'o' whether something can run, as 'member', and, as 'member_why',
 * 'why' not, NULL if it can. */
static void
put_why(struct json *o, const char *member, const char *member_why,
        const char *why)
{
    json_object_put(o, member, json_boolean_create(!why));
    json_object_put(o, member_why, fb_string_to_json(why));
}

/* Returns 'ability' as JSON. */
static struct json *
ability_to_json(const struct ability *ability)
{
    struct json *o = json_object_create();

    json_object_put_string(o, "name", ability->kind->name);
    put_why(o, "here", "here_why_not", ability->no_here);
    put_why(o, "guest", "guest_why_not", ability->no_guest);
    return o;
}

/* Returns 'scenario' as JSON. */
static struct json *
scenario_to_json(const struct abilities *a, const struct fb_scenario *scenario)
{
    struct json *duts = json_array_create_empty();
    struct json *o = json_object_create();
    struct plan plan;
    char *no_here = why_not(a, scenario, false);
    char *no_guest = why_not(a, scenario, true);

    for (size_t i = 0; i < a->n; i++) {
        if (has_dut(scenario->duts, a->all[i].kind->name)) {
            json_array_add(duts, ability_to_json(&a->all[i]));
        }
    }
    json_object_put_string(o, "name", scenario->name);
    json_object_put_string(o, "description", scenario->description);
    json_object_put(o, "duts", duts);
    put_why(o, "here", "here_why_not", no_here);
    put_why(o, "guest", "guest_why_not", no_guest);
    make_plan(a, scenario, &plan);
    json_object_put(o, "runs", fb_string_to_json(plan.where));
    json_object_put(o, "runs_without", fb_string_to_json(plan.without));
    free(plan.without);
    free(no_here);
    free(no_guest);
    return o;
}

/* Returns the kinds of guest as JSON. */
static struct json *
guests_to_json(void)
{
    struct json *guests = json_array_create_empty();
    const struct fb_guest_kind *kind;

    for (size_t i = 0; (kind = fb_guest_kind_get(i)) != NULL; i++) {
        struct json *o = json_object_create();
        char *why_not = fb_place_check_guest(kind);

        json_object_put_string(o, "name", kind->name);
        json_object_put_string(o, "title", kind->title);
        json_object_put(o, "max_cpus", json_integer_create(kind->max_cpus));
        put_why(o, "here", "here_why_not", why_not);
        json_array_add(guests, o);
        free(why_not);
    }
    return guests;
}

/* Prints the scenarios, the kinds of DUT and those of guest as JSON. */
static void
print_json(const struct table_style *style, const struct abilities *a)
{
    struct json *json = json_object_create();
    struct json *scenarios = json_array_create_empty();
    struct json *duts = json_array_create_empty();
    size_t n;

    const struct fb_scenario *s = fb_scenarios(&n);
    for (size_t i = 0; i < n; i++) {
        json_array_add(scenarios, scenario_to_json(a, &s[i]));
    }
    for (size_t i = 0; i < a->n; i++) {
        struct json *o = ability_to_json(&a->all[i]);
        json_object_put_string(o, "description",
                               a->all[i].kind->description);
        json_array_add(duts, o);
    }
    json_object_put(json, "scenarios", scenarios);
    json_object_put(json, "duts", duts);
    json_object_put(json, "guests", guests_to_json());
    json_object_put(json, "doctor", fb_doctor_report_checks_json());
    char *text = json_to_string(json, style->json_flags);
    puts(text);
    free(text);
    json_destroy(json);
}

/* Prints the scenarios as a table. */
static void
print_scenarios(const struct table_style *style, const struct abilities *a)
{
    struct table table;
    size_t n;

    table_init(&table);
    table_add_column(&table, "scenario");
    table_add_column(&table, "what it does");
    table_add_column(&table, "DUTs");
    table_add_column(&table, "all on this kernel");
    table_add_column(&table, "all in a guest");
    table_add_column(&table, "\"run\" without --duts");
    const struct fb_scenario *s = fb_scenarios(&n);
    for (size_t i = 0; i < n; i++) {
        char *no_here = why_not(a, &s[i], false);
        char *no_guest = why_not(a, &s[i], true);
        struct plan plan;

        make_plan(a, &s[i], &plan);
        table_add_row(&table);
        fb_add_text(&table, s[i].name);
        fb_add_text(&table, s[i].description);
        fb_add_text(&table, s[i].duts);
        fb_add_text(&table, no_here ? no_here : "yes");
        fb_add_text(&table, no_guest ? no_guest : "yes");
        char *what = xasprintf("%s%s%s",
                               !plan.where ? "fails"
                               : !strcmp(plan.where, "here")
                               ? "on this kernel" : "in a guest",
                               plan.without ? ", without " : "",
                               plan.without ? plan.without : "");
        fb_add_text(&table, what);
        free(what);
        free(plan.without);
        free(no_here);
        free(no_guest);
    }
    table_print(&table, style);
    table_destroy(&table);
}

/* Prints the kinds of DUT as a table. */
static void
print_duts(const struct table_style *style, const struct abilities *a)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "DUT");
    table_add_column(&table, "what it is");
    table_add_column(&table, "on this kernel");
    table_add_column(&table, "in a guest");
    for (size_t i = 0; i < a->n; i++) {
        const struct ability *ability = &a->all[i];

        table_add_row(&table);
        fb_add_text(&table, ability->kind->name);
        fb_add_text(&table, ability->kind->description);
        fb_add_text(&table, ability->no_here ? ability->no_here : "yes");
        fb_add_text(&table, ability->no_guest ? ability->no_guest : "yes");
    }
    table_print(&table, style);
    table_destroy(&table);
}

/* Prints the kinds of guest as a table. */
static void
print_guests(const struct table_style *style)
{
    const struct fb_guest_kind *kind;
    struct table table;

    table_init(&table);
    table_add_column(&table, "guest");
    table_add_column(&table, "what it is");
    table_add_column(&table, "CPUs at most");
    table_add_column(&table, "here");
    for (size_t i = 0; (kind = fb_guest_kind_get(i)) != NULL; i++) {
        char *cpus = xasprintf("%u", kind->max_cpus);
        char *why_not = fb_place_check_guest(kind);

        table_add_row(&table);
        fb_add_text(&table, kind->name);
        fb_add_text(&table, kind->title);
        fb_add_text(&table, cpus);
        fb_add_text(&table, why_not ? why_not : "yes");
        free(why_not);
        free(cpus);
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

/* Prints the scenarios, the kinds of DUT, and whether each can run here and in
 * a guest, the kinds of guest, and the doctor's checks, in the form that
 * 'style' asks for. */
void
fb_list_print(const struct table_style *style)
{
    struct abilities a;

    abilities_init(&a);
    if (style->format == TF_JSON) {
        print_json(style, &a);
    } else {
        print_scenarios(style, &a);
        print_duts(style, &a);
        print_guests(style);
        print_checks(style);
    }
    abilities_destroy(&a);
}
