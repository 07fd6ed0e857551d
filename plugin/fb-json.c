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

#include "fb-json.h"

#include "fb-clock.h"
#include "fb-show-events.h"
#include "fb-main-json.h"
#include "fb-show.h"
#include "fb-show-findings.h"
#include "fb-snapshot.h"
#include "openvswitch/json.h"

/* Adds the members that every document has. */
struct json *
fb_json_document(const struct fb_snapshot *s)
{
    struct json *document = json_object_create();

    json_object_put_string(document, "schema", FB_JSON_SCHEMA);
    json_object_put(document, "recording", json_boolean_create(s->recording));
    json_object_put(document, "datapath",
                    s->only ? json_string_create(s->only)
                    : json_null_create());
    json_object_put_string(document, "clock", fb_clock_name());
    fb_show_put(document, "start_ms", s->any ? s->start_msec : 0);
    fb_show_put_time(document, "elapsed_ns", s->elapsed);
    fb_show_put(document, "threads_not_recorded", s->n_refused);
    return document;
}

/* Returns the members that identify 'dp'. */
static struct json *
create_datapath(const struct fb_snapshot_dp *dp)
{
    struct json *object = json_object_create();

    json_object_put_string(object, "name", dp->name);
    json_object_put(object, "present", json_boolean_create(dp->present));
    json_object_put(object, "recorded", json_boolean_create(dp->recorded));
    return object;
}

/* Adds all kinds of 'work' to 'object'. */
static void
put_work(struct json *object, const struct fb_round_work *work)
{
    for (size_t i = 0; i < FB_N_WORK; i++) {
        if (fb_work_is_time(i)) {
            fb_show_put_time(object, fb_work_members[i], work->n[i]);
        } else {
            fb_show_put(object, fb_work_members[i], work->n[i]);
        }
    }
}

/* Returns 't' as an object. */
static struct json *
round_totals_to_json(const struct fb_round_totals *t)
{
    struct json *object = json_object_create();

    fb_show_put(object, "count", t->n);
    fb_show_put(object, "errors", t->n_errors);
    fb_show_put(object, "unfinished", t->n_unfinished);
    fb_show_put_time(object, "duration_ns", t->duration);
    fb_show_put_time(object, "min_ns", t->min);
    fb_show_put_time(object, "max_ns", t->max);
    fb_show_put_time(object, "last_ns", t->last);
    fb_show_put(object, "last_flows", t->last_flows);
    put_work(object, &t->work);
    return object;
}

/* Adds 'c' to 'object'. */
static void
put_counters(struct json *object, const struct fb_counters *c)
{
    struct json *operations = json_object_create();
    struct json *upcalls = json_object_create();
    struct json *dumps = json_object_create();

    for (size_t op = 0; op < FB_N_OPS; op++) {
        struct json *operation = json_object_create();

        fb_show_put(operation, "count", c->n[FB_C_OP(op)]);
        fb_show_put(operation, "errors", c->n[FB_C_OP_ERRORS(op)]);
        fb_show_put_time(operation, "time_ns", c->n[FB_C_OP_TICKS(op)]);
        json_object_put(operations, fb_op_names[op], operation);
    }
    json_object_put(object, "operations", operations);

    fb_show_put(upcalls, "miss", c->n[FB_C_MISS]);
    fb_show_put(upcalls, "action", c->n[FB_C_ACTION]);
    fb_show_put(upcalls, "misses_not_recorded", c->n[FB_C_UNRECORDED]);
    fb_show_put(upcalls, "errors", c->n[FB_C_UPCALL_ERRORS]);
    fb_show_put_time(upcalls, "time_ns", c->n[FB_C_UPCALL_TICKS]);
    json_object_put(object, "upcalls", upcalls);

    fb_show_put(dumps, "count", c->n[FB_C_DUMPS]);
    fb_show_put(dumps, "flows", c->n[FB_C_DUMP_FLOWS]);
    fb_show_put_time(dumps, "time_ns", c->n[FB_C_DUMP_TICKS]);
    json_object_put(object, "other_dumps", dumps);
}

/* Returns an array of the counters of 'dp' by role, for the roles that counted
 * anything. */
static struct json *
roles_to_json(const struct fb_snapshot_dp *dp)
{
    struct json *roles = json_array_create_empty();

    for (size_t role = 0; role < FB_N_ROLES; role++) {
        if (fb_counters_any(&dp->roles[role])) {
            struct json *object = json_object_create();

            json_object_put_string(object, "role", fb_role_names[role]);
            fb_show_put(object, "threads", dp->n_threads[role]);
            put_counters(object, &dp->roles[role]);
            json_array_add(roles, object);
        }
    }
    return roles;
}

/* Returns an array of the threads of 's' that serve datapath 'dp' and live. */
static struct json *
threads_to_json(const struct fb_snapshot *s, int dp)
{
    struct json *threads = json_array_create_empty();

    for (size_t i = 0; i < s->n_threads; i++) {
        const struct fb_record_copy *thread = &s->threads[i];

        if (thread->dp == dp && fb_counters_any(&thread->counters)) {
            struct json *object = json_object_create();

            json_object_put_string(object, "name", thread->name);
            json_object_put_string(object, "role",
                                   fb_role_names[thread->role]);
            put_counters(object, &thread->counters);
            json_array_add(threads, object);
        }
    }
    return threads;
}

/* Returns the document of fanbench/status. */
struct json *
fb_json_status(const struct fb_snapshot *s)
{
    struct json *document = fb_json_document(s);
    struct json *datapaths = json_array_create_empty();

    json_object_put_string(document, "version", FANBENCH_VERSION);
    json_object_put_string(document, "ovs_version", FANBENCH_OVS_VERSION);
    fb_show_put(document, "history_max", FB_ROUNDS_HISTORY);
    fb_show_put(document, "threads", s->n_threads);
    fb_show_put(document, "threads_max", FB_MAX_RECORDS);
    for (size_t i = 0; i < s->n_dps; i++) {
        struct json *datapath = create_datapath(&s->dps[i]);

        fb_show_put(datapath, "rounds", s->dps[i].rounds.n);
        json_array_add(datapaths, datapath);
    }
    json_object_put(document, "datapaths", datapaths);
    return document;
}

/* Returns the document of fanbench/show. */
struct json *
fb_json_show(const struct fb_snapshot *s)
{
    struct json *document = fb_json_document(s);
    struct json *datapaths = json_array_create_empty();

    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_snapshot_dp *dp = &s->dps[i];

        if (dp->recorded) {
            struct json *datapath = create_datapath(dp);

            json_object_put(datapath, "rounds",
                            round_totals_to_json(&dp->rounds));
            put_counters(datapath, &dp->total);
            json_object_put(datapath, "roles", roles_to_json(dp));
            json_object_put(datapath, "threads", threads_to_json(s, i));
            json_array_add(datapaths, datapath);
        }
    }
    json_object_put(document, "datapaths", datapaths);
    json_object_put(document, "findings",
                    fb_show_findings_json(s, FB_ABOUT_ALL));
    return document;
}

/* Returns the document of fanbench/ports, of datapath 'dp' or of all if that
 * is negative. */
struct json *
fb_json_ports(const struct fb_snapshot *s, int dp)
{
    struct json *document = fb_json_document(s);

    fb_json_put_ports(document, s, dp);
    return document;
}

/* Returns the document of fanbench/rounds, for the 'n' rounds 'rounds'. */
struct json *
fb_json_rounds(const struct fb_snapshot *s, const struct fb_round *rounds,
               size_t n)
{
    struct json *document = fb_json_document(s);
    struct json *array = json_array_create_empty();

    for (const struct fb_round *r = rounds; r < &rounds[n]; r++) {
        struct json *object = json_object_create();

        fb_show_put(object, "id", r->id);
        json_object_put_string(object, "datapath", fb_datapath_name(r->dp));
        fb_show_put_time(object, "start_ns",
                         fb_clock_since(s->start, r->start));
        fb_show_put_time(object, "duration_ns", r->duration);
        fb_show_put(object, "threads", r->n_threads);
        fb_show_put(object, "error", r->error);
        put_work(object, &r->work);
        fb_show_cause_json(r, object);
        json_array_add(array, object);
    }
    json_object_put(document, "rounds", array);
    return document;
}
