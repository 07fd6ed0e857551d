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
#include "fb-snapshot.h"
#include "openvswitch/json.h"

/* Adds 'n' to 'object' as member 'name'. */
static void
put_count(struct json *object, const char *name, uint64_t n)
{
    json_object_put(object, name, json_integer_create(n));
}

/* Adds 'ticks' to 'object' as member 'name', in nanoseconds. */
static void
put_time(struct json *object, const char *name, uint64_t ticks)
{
    put_count(object, name, fb_clock_to_ns(ticks));
}

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
    put_count(document, "start_ms", s->any ? s->start_msec : 0);
    put_time(document, "elapsed_ns", s->elapsed);
    put_count(document, "threads_not_recorded", s->n_refused);
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
            put_time(object, fb_work_members[i], work->n[i]);
        } else {
            put_count(object, fb_work_members[i], work->n[i]);
        }
    }
}

/* Returns 't' as an object. */
static struct json *
round_totals_to_json(const struct fb_round_totals *t)
{
    struct json *object = json_object_create();

    put_count(object, "count", t->n);
    put_count(object, "errors", t->n_errors);
    put_count(object, "unfinished", t->n_unfinished);
    put_time(object, "duration_ns", t->duration);
    put_time(object, "min_ns", t->min);
    put_time(object, "max_ns", t->max);
    put_time(object, "last_ns", t->last);
    put_count(object, "last_flows", t->last_flows);
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

        put_count(operation, "count", c->n[FB_C_OP(op)]);
        put_count(operation, "errors", c->n[FB_C_OP_ERRORS(op)]);
        put_time(operation, "time_ns", c->n[FB_C_OP_TICKS(op)]);
        json_object_put(operations, fb_op_names[op], operation);
    }
    json_object_put(object, "operations", operations);

    put_count(upcalls, "miss", c->n[FB_C_MISS]);
    put_count(upcalls, "action", c->n[FB_C_ACTION]);
    put_count(upcalls, "errors", c->n[FB_C_UPCALL_ERRORS]);
    put_time(upcalls, "time_ns", c->n[FB_C_UPCALL_TICKS]);
    json_object_put(object, "upcalls", upcalls);

    put_count(dumps, "count", c->n[FB_C_DUMPS]);
    put_count(dumps, "flows", c->n[FB_C_DUMP_FLOWS]);
    put_time(dumps, "time_ns", c->n[FB_C_DUMP_TICKS]);
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
            put_count(object, "threads", dp->n_threads[role]);
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
    put_count(document, "history_max", FB_ROUNDS_HISTORY);
    put_count(document, "threads", s->n_threads);
    put_count(document, "threads_max", FB_MAX_RECORDS);
    for (size_t i = 0; i < s->n_dps; i++) {
        struct json *datapath = create_datapath(&s->dps[i]);

        put_count(datapath, "rounds", s->dps[i].rounds.n);
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
    json_object_put(document, "findings", fb_json_findings(s));
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

        put_count(object, "id", r->id);
        json_object_put_string(object, "datapath", fb_datapath_name(r->dp));
        put_time(object, "start_ns", fb_clock_since(s->start, r->start));
        put_time(object, "duration_ns", r->duration);
        put_count(object, "threads", r->n_threads);
        put_count(object, "error", r->error);
        put_work(object, &r->work);
        fb_show_cause_json(r, object);
        json_array_add(array, object);
    }
    json_object_put(document, "rounds", array);
    return document;
}
