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

#include "fb-main-json.h"

#include "fb-clock.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "openvswitch/json.h"
#include "util.h"

/* Returns the activities of 'm' as an array. */
static struct json *
activities_to_json(const struct fb_mainloop *m)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < FB_N_ACTIVITIES; i++) {
        const struct fb_activity_totals *t = &m->activities[i];
        struct json *object = json_object_create();

        json_object_put_string(object, "activity", fb_activity_names[i]);
        fb_show_put(object, "count", t->n);
        fb_show_put_time(object, "time_ns", t->ticks);
        fb_show_put_time(object, "max_ns", t->max);
        json_object_put_string(object, "max_name", t->max_name);
        fb_show_put(object, "hold_ups", t->n_holds);
        json_array_add(array, object);
    }
    return array;
}

/* Returns the hold-ups of 's' as an array, the latest last. */
static struct json *
holds_to_json(const struct fb_snapshot *s)
{
    const struct fb_mainloop *m = s->mainloop;
    struct json *array = json_array_create_empty();

    for (uint64_t i = m->n_holds - fb_mainloop_n_kept(m); i < m->n_holds;
         i++) {
        const struct fb_hold *h = &m->holds[i % FB_HOLDS_HISTORY];
        struct json *object = json_object_create();

        fb_show_put_time(object, "start_ns",
                         fb_clock_since(s->start, h->start));
        fb_show_put_time(object, "duration_ns", h->duration);
        json_object_put_string(object, "cause", fb_activity_names[h->cause]);
        fb_show_put_time(object, "cause_ns", h->cause_ticks);
        json_object_put_string(object, "name", h->name);
        json_array_add(array, object);
    }
    return array;
}

/* Returns the main loop of 's' as an object. */
static struct json *
mainloop_to_json(const struct fb_snapshot *s)
{
    const struct fb_mainloop *m = s->mainloop;
    struct json *object = json_object_create();

    fb_show_put(object, "iterations", m->n);
    fb_show_put_time(object, "busy_ns", m->busy);
    fb_show_put_time(object, "p50_ns", fb_hist_quantile(&m->durations, 0.5));
    fb_show_put_time(object, "p90_ns", fb_hist_quantile(&m->durations, 0.9));
    fb_show_put_time(object, "p99_ns", fb_hist_quantile(&m->durations, 0.99));
    fb_show_put_time(object, "p999_ns",
                     fb_hist_quantile(&m->durations, 0.999));
    fb_show_put_time(object, "max_ns", fb_hist_max(&m->durations));
    json_object_put(object, "activities", activities_to_json(m));
    fb_show_put(object, "hold_ups", m->n_holds);
    json_object_put(object, "latest_hold_ups", holds_to_json(s));
    return object;
}

/* Returns 'w' as an object. */
static struct json *
sweeps_to_json(const struct fb_sweeps *w)
{
    struct json *object = json_object_create();

    fb_show_put(object, "count", w->n);
    fb_show_put(object, "interfaces", w->n_interfaces);
    fb_show_put(object, "last_interfaces", w->last_interfaces);
    fb_show_put_time(object, "time_ns", w->ticks);
    fb_show_put_time(object, "read_ns", w->read_ticks);
    fb_show_put_time(object, "max_ns", w->max);
    fb_show_put_time(object, "last_ns", w->last);
    fb_show_put_time(object, "interval_ns", fb_sweeps_interval(w));
    json_object_put_string(object, "slowest", w->slowest_name);
    fb_show_put_time(object, "slowest_ns", w->slowest);
    return object;
}

/* Returns a new object about class 'i' of numbers of ports. */
static struct json *
create_class(size_t i)
{
    struct json *object = json_object_create();

    fb_show_put(object, "ports_min", i ? UINT64_C(1) << i : 0);
    fb_show_put(object, "ports_max", (UINT64_C(2) << i) - 1);
    return object;
}

/* Returns the changes of ports in 'p' as an array. */
static struct json *
changes_to_json(const struct fb_ports *p)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i < FB_N_PORT_CLASSES; i++) {
        const struct fb_port_changes *c = &p->changes[i];

        if (c->n) {
            struct json *object = create_class(i);

            fb_show_put(object, "count", c->n);
            fb_show_put(object, "operations", c->n_ops);
            fb_show_put_time(object, "time_ns", c->ticks);
            fb_show_put_time(object, "operations_ns", c->ops_ticks);
            fb_show_put_time(object, "max_ns", c->max);
            json_array_add(array, object);
        }
    }
    return array;
}

/* Returns 't' as an object. */
static struct json *
port_totals_to_json(const struct fb_port_totals *t)
{
    struct json *object = json_object_create();
    struct json *errors = json_object_create();
    struct json *classes = json_array_create_empty();

    fb_show_put(object, "count", t->n);
    fb_show_put(object, "errors", t->n_errors);
    fb_show_put_time(object, "time_ns", t->ticks);
    fb_show_put_time(object, "max_ns", t->max);
    json_object_put_string(object, "slowest", t->max_name);
    for (size_t i = 0; i < FB_N_ERRNOS; i++) {
        if (t->errnos.n[i]) {
            fb_show_put(errors, i ? ovs_strerror(i) : "others",
                      t->errnos.n[i]);
        }
    }
    json_object_put(object, "errors_by_errno", errors);
    for (size_t i = 0; i < FB_N_PORT_CLASSES; i++) {
        const struct fb_port_class *c = &t->classes[i];

        if (c->n) {
            struct json *class = create_class(i);

            fb_show_put(class, "count", c->n);
            fb_show_put_time(class, "time_ns", c->ticks);
            fb_show_put_time(class, "max_ns", c->max);
            json_array_add(classes, class);
        }
    }
    json_object_put(object, "by_ports", classes);
    return object;
}

/* Adds to 'document' what fanbench/ports shows, of datapath 'dp' or of all if
 * that is negative.  Members about which nothing was recorded are null. */
void
fb_json_put_ports(struct json *document, const struct fb_snapshot *s, int dp)
{
    struct json *datapaths = json_array_create_empty();

    json_object_put(document, "main_loop",
                    s->mainloop ? mainloop_to_json(s) : json_null_create());
    json_object_put(document, "sweeps",
                    s->ports ? sweeps_to_json(&s->ports->sweeps)
                    : json_null_create());
    json_object_put(document, "port_changes",
                    s->ports ? changes_to_json(s->ports)
                    : json_array_create_empty());
    for (size_t i = 0; s->ports && i < s->n_dps; i++) {
        if (s->dps[i].recorded && (dp < 0 || dp == i)) {
            struct json *object = json_object_create();

            json_object_put_string(object, "name", s->dps[i].name);
            for (size_t op = 0; op < FB_N_PORT_OPS; op++) {
                json_object_put(object, fb_port_op_names[op],
                                port_totals_to_json(&s->ports->ops[i][op]));
            }
            json_array_add(datapaths, object);
        }
    }
    json_object_put(document, "datapath_ports", datapaths);
}
