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

#include "fb-show-crew.h"

#include <inttypes.h>

#include "fb-crew.h"
#include "fb-json.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Returns when, in ticks, one of the 'n' revalidators 'members' that serves
 * datapath 'dp' last left a round. */
static uint64_t
latest(const struct fb_crew_member *members, size_t n, int dp)
{
    uint64_t last = 0;

    for (size_t i = 0; i < n; i++) {
        if (members[i].dp == dp) {
            last = MAX(last, members[i].last);
        }
    }
    return last;
}

/* Returns the verdict on 'm', one of the 'n' revalidators 'members'. */
static const char *
verdict(const struct fb_crew_member *m, const struct fb_crew_member *members,
        size_t n)
{
    return fb_verdict_names[fb_crew_judge(m, latest(members, n, m->dp))];
}

/* Appends the text of fanbench/revalidators: the 'n' revalidators 'members', a
 * line each. */
void
fb_show_crew_text(const struct fb_snapshot *s,
                  const struct fb_crew_member *members, size_t n,
                  struct ds *ds)
{
    static const struct {
        const char *title;      /* Heading of the column. */
        enum fb_work work;      /* What is in it. */
    } columns[] = {
        { "dump", FB_W_DUMP },
        { "netlink", FB_W_NETLINK },
        { "lock", FB_W_LOCK_WAIT },
        { "reval", FB_W_REVALIDATION },
        { "flow-ops", FB_W_OPERATIONS },
        { "sweep", FB_W_SWEEP },
        { "barrier", FB_W_BARRIER },
        { "paused", FB_W_PAUSE },
    };

    fb_text_heading(s, ds);
    ds_put_format(ds, "%-16s %-18s %-7s %6s %8s %6s %10s %10s %10s %9s",
                  "thread", "datapath", "verdict", "rounds", "flows",
                  "active", "wall", "cpu", "kept", "preempted");
    for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
        ds_put_format(ds, " %9s", columns[i].title);
    }
    ds_put_cstr(ds, "  (ms)\n");

    for (const struct fb_crew_member *m = members; m < &members[n]; m++) {
        uint64_t span = fb_clock_to_ns(fb_clock_since(m->first, m->last));

        ds_put_format(ds, "%-16s %-18s %-7s %6"PRIu64" %8"PRIu64" %5.1f%% "
                      "%10.3f %10.3f %10.3f %9"PRIu64, m->name,
                      fb_datapath_name(m->dp), verdict(m, members, n),
                      m->n_rounds, m->work.n[FB_W_FLOWS],
                      100 * fb_show_ratio(fb_crew_active_ns(m), span),
                      fb_show_ms(m->work.n[FB_W_THREAD]), m->cpu_ns / 1e6,
                      fb_crew_kept_ns(m) / 1e6, m->n_preempted);
        for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
            ds_put_format(ds, " %9.3f",
                          fb_show_ms(m->work.n[columns[i].work]));
        }
        ds_put_char(ds, '\n');
    }
}

/* Returns the document of fanbench/revalidators, for the 'n' revalidators
 * 'members'. */
struct json *
fb_show_crew_json(const struct fb_snapshot *s,
                  const struct fb_crew_member *members, size_t n)
{
    struct json *document = fb_json_document(s);
    struct json *array = json_array_create_empty();

    for (const struct fb_crew_member *m = members; m < &members[n]; m++) {
        struct json *object = json_object_create();

        json_object_put_string(object, "name", m->name);
        json_object_put_string(object, "datapath", fb_datapath_name(m->dp));
        json_object_put_string(object, "verdict", verdict(m, members, n));
        fb_show_put(object, "rounds", m->n_rounds);
        fb_show_put_time(object, "span_ns", fb_clock_since(m->first, m->last));
        fb_show_put(object, "cpu_ns", m->cpu_ns);
        fb_show_put(object, "active_ns", fb_crew_active_ns(m));
        fb_show_put(object, "kept_ns", fb_crew_kept_ns(m));
        fb_show_put(object, "preempted", m->n_preempted);
        for (size_t i = 0; i < FB_N_WORK; i++) {
            if (fb_work_is_time(i)) {
                fb_show_put_time(object, fb_work_members[i], m->work.n[i]);
            } else {
                fb_show_put(object, fb_work_members[i], m->work.n[i]);
            }
        }
        json_array_add(array, object);
    }
    json_object_put(document, "revalidators", array);
    return document;
}
