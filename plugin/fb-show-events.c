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

#include "fb-show-events.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-events.h"
#include "fb-json.h"
#include "fb-phase.h"
#include "fb-recording.h"
#include "fb-rounds.h"
#include "fb-show.h"
#include "fb-show-findings.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Returns what is to be shown of datapath 'dp', or of all if that is -1, with
 * at most 'max' events.  The caller must free it with
 * fb_events_view_free(). */
struct fb_events_view *
fb_events_view_take(int dp, size_t max)
{
    unsigned int epoch = fb_recording_get()->epoch;
    struct fb_events_view *view = xzalloc(sizeof *view);

    view->dp = dp;
    view->n_events = fb_events_read(epoch, dp, max, &view->events,
                                    &view->n_total);
    return view;
}

/* Frees 'view'. */
void
fb_events_view_free(struct fb_events_view *view)
{
    free(view->events);
    free(view);
}

/* Says whether datapath 'dp' of 's' is to be shown. */
static bool
is_shown(const struct fb_snapshot *s, const struct fb_events_view *view,
         size_t dp)
{
    return s->dps[dp].recorded && (view->dp < 0 || view->dp == dp);
}

/* Appends the sums of datapath 'dp'. */
static void
put_totals(const struct fb_snapshot *s, size_t dp, struct ds *ds)
{
    const struct fb_cause_totals *t = &s->dps[dp].cause;
    uint64_t n = s->dps[dp].rounds.n;

    ds_put_format(ds, "\n%s:%s\n  rounds: %"PRIu64", %.1f a second\n",
                  s->dps[dp].name, s->dps[dp].present ? "" : " (gone)", n,
                  fb_show_ratio(n, fb_show_ms(s->elapsed) / 1000));
    ds_put_cstr(ds, "  triggered by:");
    for (size_t i = 0; i < FB_N_TRIGGERS; i++) {
        if (t->triggers[i]) {
            ds_put_format(ds, " %s %"PRIu64" (%.1f%%),", fb_trigger_names[i],
                          t->triggers[i],
                          100 * fb_show_ratio(t->triggers[i], n));
        }
    }
    ds_chomp(ds, ',');
    if (t->limit) {
        ds_put_format(ds, "\n  flow limit: now %u, lowest %u\n", t->limit,
                      t->limit_min);
    } else {
        ds_put_cstr(ds, "\n  flow limit: not known\n");
    }
    ds_put_cstr(ds, "  rounds that changed it, inferred:");
    for (size_t i = FB_LAW_NONE + 1; i < FB_N_LAWS; i++) {
        ds_put_format(ds, " %s %"PRIu64"%c", fb_law_names[i], t->laws[i],
                      i == FB_N_LAWS - 1 ? '\n' : ',');
    }
    ds_put_format(ds, "  rounds over it: %"PRIu64", flow operations in those "
                  "%"PRIu64"\n", t->n_over, t->over_ops);
}

/* Appends 'e' as a line. */
static void
put_event(const struct fb_snapshot *s, const struct fb_event *e,
          struct ds *ds)
{
    ds_put_format(ds, "%11.3f %-18s ",
                  fb_show_ms(fb_clock_since(s->start, e->time)) / 1000,
                  fb_datapath_name(e->dp));
    if (e->round) {
        ds_put_format(ds, "%6"PRIu64" ", e->round);
    } else {
        ds_put_format(ds, "%6s ", "-");
    }
    ds_put_format(ds, "%-10s ", fb_event_names[e->kind]);
    switch (e->kind) {
    case FB_EVENT_OVER:
        ds_put_format(ds, "%"PRIu64" flows, limit %u", e->n, e->before);
        break;
    case FB_EVENT_HIT:
        ds_put_format(ds, "flows begin to be refused, limit %u", e->before);
        break;
    case FB_EVENT_KILL:
        ds_put_format(ds, "twice the limit %u: %"PRIu64" flow operations",
                      e->before, e->n);
        break;
    case FB_EVENT_FAILED:
        ds_put_format(ds, "flow dump: %s", ovs_strerror(e->n));
        break;
    case FB_EVENT_SCALED:
    case FB_EVENT_REDUCED:
    case FB_EVENT_CONFIGURED:
    case FB_EVENT_SET:
    case FB_EVENT_CHANGED:
    case FB_N_EVENTS:
    default:
        ds_put_format(ds, "flow limit %u to %u", e->before, e->after);
        break;
    }
    if (e->round) {
        ds_put_format(ds, "; round of %.3f ms, %s %.3f ms",
                      fb_show_ms(e->duration), fb_phase_name(e->phase),
                      fb_show_ms(e->phase_ticks));
    }
    ds_put_char(ds, '\n');
}

/* Appends the text of "fanbench/rounds --events". */
void
fb_show_events_text(const struct fb_snapshot *s,
                    const struct fb_events_view *view, struct ds *ds)
{
    fb_text_heading(s, ds);
    fb_show_findings_text(s, FB_ABOUT_ROUNDS, ds);
    for (size_t i = 0; i < s->n_dps; i++) {
        if (is_shown(s, view, i)) {
            put_totals(s, i, ds);
        }
    }
    ds_put_cstr(ds, "\nOVS's own counters, all datapaths:\n");
    for (size_t i = 0; i < FB_N_COVERAGE; i++) {
        uint64_t n = fb_watch_rise(s->watch, i);

        if (n) {
            ds_put_format(ds, "  %-29s %12"PRIu64"\n", fb_coverage_names[i],
                          n);
        }
    }
    ds_put_format(ds, "\n%11s %-18s %6s %-10s %"PRIuSIZE" of %"PRIu64"\n",
                  "time s", "datapath", "round", "event", view->n_events,
                  view->n_total);
    for (size_t i = 0; i < view->n_events; i++) {
        put_event(s, &view->events[i], ds);
    }
}

/* Returns 'e' as an object. */
static struct json *
event_to_json(const struct fb_snapshot *s, const struct fb_event *e)
{
    struct json *object = json_object_create();

    json_object_put_string(object, "kind", fb_event_names[e->kind]);
    json_object_put_string(object, "datapath", fb_datapath_name(e->dp));
    fb_show_put_time(object, "time_ns", fb_clock_since(s->start, e->time));
    fb_show_put(object, "round", e->round);
    fb_show_put_time(object, "duration_ns", e->duration);
    json_object_put_string(object, "phase",
                           e->round ? fb_phase_name(e->phase) : "");
    fb_show_put_time(object, "phase_ns", e->phase_ticks);
    fb_show_put(object, "flow_limit_before", e->before);
    fb_show_put(object, "flow_limit_after", e->after);
    fb_show_put(object, "count", e->n);
    return object;
}

/* Returns the sums of datapath 'dp' as an object. */
static struct json *
totals_to_json(const struct fb_snapshot *s, size_t dp)
{
    const struct fb_cause_totals *t = &s->dps[dp].cause;
    struct json *object = json_object_create();
    struct json *triggers = json_object_create();
    struct json *laws = json_object_create();

    json_object_put_string(object, "name", s->dps[dp].name);
    json_object_put(object, "present",
                    json_boolean_create(s->dps[dp].present));
    fb_show_put(object, "rounds", s->dps[dp].rounds.n);
    for (size_t i = 0; i < FB_N_TRIGGERS; i++) {
        fb_show_put(triggers, fb_trigger_names[i], t->triggers[i]);
    }
    for (size_t i = 0; i < FB_N_LAWS; i++) {
        fb_show_put(laws, fb_law_names[i], t->laws[i]);
    }
    json_object_put(object, "triggers", triggers);
    json_object_put(object, "laws", laws);
    fb_show_put(object, "flow_limit", t->limit);
    fb_show_put(object, "flow_limit_min", t->limit_min);
    fb_show_put(object, "flow_limit_corrections", t->n_corrected);
    fb_show_put(object, "over_limit_rounds", t->n_over);
    fb_show_put(object, "over_limit_operations", t->over_ops);
    return object;
}

/* Returns the document of "fanbench/rounds --events". */
struct json *
fb_show_events_json(const struct fb_snapshot *s,
                    const struct fb_events_view *view)
{
    struct json *document = fb_json_document(s);
    struct json *datapaths = json_array_create_empty();
    struct json *counters = json_object_create();
    struct json *events = json_array_create_empty();

    for (size_t i = 0; i < s->n_dps; i++) {
        if (is_shown(s, view, i)) {
            json_array_add(datapaths, totals_to_json(s, i));
        }
    }
    for (size_t i = 0; s->watch && i < FB_N_COVERAGE; i++) {
        if (s->watch->coverage[i].known) {
            fb_show_put(counters, fb_coverage_names[i],
                        fb_watch_rise(s->watch, i));
        }
    }
    for (size_t i = 0; i < view->n_events; i++) {
        json_array_add(events, event_to_json(s, &view->events[i]));
    }
    json_object_put(document, "datapaths", datapaths);
    json_object_put(document, "counters", counters);
    json_object_put(document, "events", events);
    fb_show_put(document, "events_total", view->n_total);
    json_object_put(document, "findings",
                    fb_show_findings_json(s, FB_ABOUT_ROUNDS));
    return document;
}

/* Appends what triggered 'r', and the flow limit after it, with the law if
 * that changed it. */
void
fb_show_cause_text(const struct fb_round *r, struct ds *ds)
{
    const struct fb_cause *cause = &r->cause;
    const char *separator = "";

    ds_put_format(ds, " %7u %-10s ", cause->limit_after,
                  cause->law == FB_LAW_NONE ? "-" : fb_law_names[cause->law]);
    for (size_t i = 0; i < FB_N_TRIGGERS; i++) {
        if (cause->triggers & (1u << i)) {
            ds_put_format(ds, "%s%s", separator, fb_trigger_names[i]);
            separator = "+";
        }
    }
}

/* Adds the same to 'object'. */
void
fb_show_cause_json(const struct fb_round *r, struct json *object)
{
    const struct fb_cause *cause = &r->cause;
    struct json *triggers = json_array_create_empty();

    for (size_t i = 0; i < FB_N_TRIGGERS; i++) {
        if (cause->triggers & (1u << i)) {
            json_array_add(triggers, json_string_create(fb_trigger_names[i]));
        }
    }
    json_object_put(object, "triggers", triggers);
    fb_show_put(object, "requests", cause->n_requests);
    fb_show_put(object, "datapath_flows", cause->n_flows);
    fb_show_put(object, "flow_limit_before", cause->limit_before);
    fb_show_put(object, "flow_limit_after", cause->limit_after);
    json_object_put_string(object, "flow_limit_law",
                           fb_law_names[cause->law]);
}
