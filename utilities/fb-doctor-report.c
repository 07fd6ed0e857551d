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

#include "fb-doctor-report.h"

#include <stdlib.h>

#include "fb-doctor.h"
#include "fb-figure-table.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "table.h"
#include "util.h"

/* The schema of the JSON form.  The number changes when a member goes or
 * changes its meaning, not when one comes. */
#define SCHEMA "ovs-fanbench-doctor/1"

/* Returns 'svec' as a JSON array of strings. */
static struct json *
svec_to_json(const struct svec *svec)
{
    struct json *json = json_array_create_empty();
    for (size_t i = 0; i < svec->n; i++) {
        json_array_add(json, json_string_create(svec->names[i]));
    }
    return json;
}

/* Returns how many findings of 'doctor' have 'severity'. */
static size_t
count(const struct fb_doctor *doctor, enum fb_severity severity)
{
    size_t n = 0;
    for (size_t i = 0; i < doctor->findings.n; i++) {
        n += doctor->findings.findings[i].severity == severity;
    }
    return n;
}

/* Returns what 'doctor' has found as JSON. */
static struct json *
to_json(const struct fb_doctor *doctor)
{
    const struct fb_findings *f = &doctor->findings;
    struct json *json = json_object_create();
    struct json *findings = json_array_create_empty();

    for (size_t i = 0; i < f->n; i++) {
        struct json *o = fb_finding_to_json(&f->findings[i]);
        const char *area = fb_doctor_area_of(f->findings[i].code);
        json_object_put(o, "area", json_string_create(area ? area : "probe"));
        json_array_add(findings, o);
    }
    json_object_put_string(json, "schema", SCHEMA);
    json_object_put(json, "interval_s", json_real_create(doctor->seconds));
    json_object_put_string(json, "worst",
                           f->n ? fb_severity_to_string(f->findings->severity)
                           : "none");
    json_object_put(json, "findings", findings);
    json_object_put(json, "examined", svec_to_json(&doctor->examined));
    json_object_put(json, "not_read", svec_to_json(&doctor->unread));
    return json;
}

/* Appends what 'doctor' has found to 'ds', as text. */
static void
to_text(const struct fb_doctor *doctor, struct ds *ds)
{
    size_t n_errors = count(doctor, FB_ERROR);
    size_t n_warnings = count(doctor, FB_WARNING);
    size_t n_infos = count(doctor, FB_INFO);

    for (size_t i = 0; i < doctor->examined.n; i++) {
        ds_put_format(ds, "%s\n", doctor->examined.names[i]);
    }
    ds_put_char(ds, '\n');
    for (size_t i = 0; i < doctor->findings.n; i++) {
        fb_finding_format(&doctor->findings.findings[i], ds);
    }
    if (doctor->findings.n) {
        ds_put_char(ds, '\n');
    }
    for (size_t i = 0; i < doctor->unread.n; i++) {
        ds_put_format(ds, "not read: %s\n", doctor->unread.names[i]);
    }
    ds_put_format(ds, "%"PRIuSIZE" error%s, %"PRIuSIZE" warning%s, "
                  "%"PRIuSIZE" other%s; rates over %.1f s\n",
                  n_errors, n_errors == 1 ? "" : "s",
                  n_warnings, n_warnings == 1 ? "" : "s",
                  n_infos, n_infos == 1 ? "" : "s", doctor->seconds);
}

/* Appends the findings of 'doctor' to 'ds' as a table. */
static void
to_table(const struct fb_doctor *doctor, const struct table_style *style,
         struct ds *ds)
{
    struct table table;

    table_init(&table);
    table_add_column(&table, "severity");
    table_add_column(&table, "code");
    table_add_column(&table, "finding");
    table_add_column(&table, "fix");
    for (size_t i = 0; i < doctor->findings.n; i++) {
        const struct fb_finding *f = &doctor->findings.findings[i];
        table_add_row(&table);
        fb_add_text(&table, fb_severity_to_string(f->severity));
        fb_add_text(&table, f->code);
        fb_add_text(&table, f->text);
        fb_add_text(&table, f->fix);
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Appends what 'doctor' has found to 'ds' in the form that 'style' asks
 * for. */
void
fb_doctor_report_format(const struct fb_doctor *doctor,
                        const struct table_style *style, struct ds *ds)
{
    if (style->format == TF_JSON) {
        struct json *json = to_json(doctor);
        json_to_ds(json, style->json_flags, ds);
        ds_put_char(ds, '\n');
        json_destroy(json);
    } else if (style->format == TF_TABLE) {
        to_text(doctor, ds);
    } else {
        to_table(doctor, style, ds);
    }
}

/* Appends a table of all checks to 'ds' in the form that 'style' asks for. */
void
fb_doctor_report_checks(const struct table_style *style, struct ds *ds)
{
    struct table table;
    size_t n;

    table_init(&table);
    table_add_column(&table, "doctor's check");
    table_add_column(&table, "area");
    table_add_column(&table, "reads");
    table_add_column(&table, "finds");
    const struct fb_doctor_area *const *areas = fb_doctor_areas(&n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < areas[i]->n_checks; j++) {
            const struct fb_doctor_check *c = &areas[i]->checks[j];
            table_add_row(&table);
            fb_add_text(&table, c->code);
            fb_add_text(&table, areas[i]->name);
            fb_add_text(&table, c->reads);
            fb_add_text(&table, c->finds);
        }
    }
    table_format(&table, style, ds);
    table_destroy(&table);
}

/* Returns all checks as JSON, which the caller must destroy. */
struct json *
fb_doctor_report_checks_json(void)
{
    struct json *json = json_array_create_empty();
    size_t n;

    const struct fb_doctor_area *const *areas = fb_doctor_areas(&n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < areas[i]->n_checks; j++) {
            const struct fb_doctor_check *c = &areas[i]->checks[j];
            struct json *o = json_object_create();
            json_object_put_string(o, "code", c->code);
            json_object_put_string(o, "area", areas[i]->name);
            json_object_put_string(o, "reads", c->reads);
            json_object_put_string(o, "finds", c->finds);
            json_array_add(json, o);
        }
    }
    return json;
}
