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

#include "fb-finding.h"

#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Returns the name of 'severity' in results. */
const char *
fb_severity_to_string(enum fb_severity severity)
{
    return (severity == FB_INFO ? "info"
            : severity == FB_WARNING ? "warning"
            : severity == FB_ERROR ? "error"
            : "void");
}

/* Frees what 'findings' holds. */
void
fb_findings_destroy(struct fb_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct fb_finding *f = &findings->findings[i];
        free(f->code);
        free(f->text);
        free(f->fix);
    }
    free(findings->findings);
}

/* Returns true unless one of 'findings' is void. */
bool
fb_findings_are_valid(const struct fb_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        if (findings->findings[i].severity == FB_VOID) {
            return false;
        }
    }
    return true;
}

/* Returns true if 'findings' has one with 'code' and 'text'. */
static bool
has_finding(const struct fb_findings *findings, const char *code,
            const char *text)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct fb_finding *f = &findings->findings[i];
        if (!strcmp(f->code, code) && !strcmp(f->text, text)) {
            return true;
        }
    }
    return false;
}

/* Adds a finding to 'findings', unless it has the same one already.  'text' is
 * a format for 'args'; 'fix' may be null. */
void
fb_findings_add_valist(struct fb_findings *findings,
                       enum fb_severity severity, const char *code,
                       const char *fix, const char *text, va_list args)
{
    char *message = xvasprintf(text, args);
    if (has_finding(findings, code, message)) {
        free(message);
        return;
    }
    if (findings->n >= findings->allocated) {
        findings->findings = x2nrealloc(findings->findings,
                                        &findings->allocated,
                                        sizeof *findings->findings);
    }
    findings->findings[findings->n++] = (struct fb_finding) {
        .severity = severity,
        .code = xstrdup(code),
        .text = message,
        .fix = nullable_xstrdup(fix),
    };
}

/* The same with arguments that follow 'text'. */
void
fb_findings_add(struct fb_findings *findings, enum fb_severity severity,
                const char *code, const char *fix, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    fb_findings_add_valist(findings, severity, code, fix, text, args);
    va_end(args);
}

/* Appends 'f' to 'ds' for people: a line, and one with the fix if there is
 * one. */
void
fb_finding_format(const struct fb_finding *f, struct ds *ds)
{
    ds_put_format(ds, "%s [%s]: %s\n", fb_severity_to_string(f->severity),
                  f->code, f->text);
    if (f->fix) {
        ds_put_format(ds, "    fix: %s\n", f->fix);
    }
}

/* Appends to 'ds', for people, those of 'findings' that are void, or those
 * that are not. */
static void
format_findings(const struct fb_findings *findings, bool voids, struct ds *ds)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct fb_finding *f = &findings->findings[i];
        if ((f->severity == FB_VOID) == voids) {
            fb_finding_format(f, ds);
        }
    }
}

/* Appends to 'ds' what must stand before all figures of a run: that it is
 * void, and why, if 'findings' say so. */
void
fb_findings_format_void(const struct fb_findings *findings, struct ds *ds)
{
    if (!fb_findings_are_valid(findings)) {
        ds_put_cstr(ds, "THIS RUN IS VOID.  Do not use its figures.\n");
        format_findings(findings, true, ds);
        ds_put_char(ds, '\n');
    }
}

/* Appends to 'ds' what stands after all figures of a run: an empty line and
 * the other 'findings', if there are any. */
void
fb_findings_format_others(const struct fb_findings *findings, struct ds *ds)
{
    struct ds others = DS_EMPTY_INITIALIZER;

    format_findings(findings, false, &others);
    if (others.length) {
        ds_put_format(ds, "\n%s", ds_cstr(&others));
    }
    ds_destroy(&others);
}

/* Returns 'f' as JSON, which the caller must destroy. */
struct json *
fb_finding_to_json(const struct fb_finding *f)
{
    struct json *json = json_object_create();
    json_object_put_string(json, "severity",
                           fb_severity_to_string(f->severity));
    json_object_put_string(json, "code", f->code);
    json_object_put_string(json, "text", f->text);
    json_object_put(json, "fix",
                    f->fix ? json_string_create(f->fix) : json_null_create());
    return json;
}

/* Returns 'findings', and whether they leave a result valid, as JSON, which
 * the caller must destroy. */
struct json *
fb_findings_to_json(const struct fb_findings *findings)
{
    struct json *array = json_array_create_empty();
    for (size_t i = 0; i < findings->n; i++) {
        json_array_add(array, fb_finding_to_json(&findings->findings[i]));
    }

    struct json *json = json_object_create();
    json_object_put(json, "ok",
                    json_boolean_create(fb_findings_are_valid(findings)));
    json_object_put(json, "findings", array);
    return json;
}
