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
#include "fanbench-config.h"

#include "fb-show-findings.h"

#include <stdlib.h>

#include "fb-show.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "timeval.h"
#include "util.h"

/* Appends what is wrong with what 'about' says; nothing if nothing is. */
void
fb_show_findings_text(const struct fb_snapshot *s, enum fb_about about,
                      struct ds *ds)
{
    struct fb_findings findings;

    fb_findings_find(s, about, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct fb_finding *f = &findings.findings[i];
        char *since = xastrftime_msec("%Y-%m-%d %H:%M:%S UTC", f->since,
                                      true);

        ds_put_format(ds, "%s: %s since %s\n  %s\n  fix: %s\n",
                      fb_severity_names[f->severity], f->code, since,
                      f->text, f->fix);
        free(since);
    }
    fb_findings_destroy(&findings);
}

/* Returns what is wrong with what 'about' says as an array, the worst
 * first. */
struct json *
fb_show_findings_json(const struct fb_snapshot *s, enum fb_about about)
{
    struct json *array = json_array_create_empty();
    struct fb_findings findings;

    fb_findings_find(s, about, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct fb_finding *f = &findings.findings[i];
        struct json *object = json_object_create();

        json_object_put_string(object, "severity",
                               fb_severity_names[f->severity]);
        json_object_put_string(object, "code", f->code);
        json_object_put_string(object, "text", f->text);
        json_object_put_string(object, "fix", f->fix);
        fb_show_put(object, "since_ms", f->since);
        json_array_add(array, object);
    }
    fb_findings_destroy(&findings);
    return array;
}
