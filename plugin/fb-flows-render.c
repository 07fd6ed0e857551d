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

#include "fb-flows-render.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-flow-text.h"
#include "fb-flows.h"
#include "fb-json.h"
#include "fb-ledger-life.h"
#include "fb-look.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Returns 'a' / 'b' in microseconds, for 'a' in ticks, or 0 if 'b' is 0. */
static double
us_each(uint64_t a, uint64_t b)
{
    return b ? fb_clock_to_ns(a) / 1e3 / b : 0;
}

/* Returns the coarse time 'coarse' of 'ledger' in nanoseconds since its
 * start. */
static uint64_t
coarse_to_ns(const struct fb_ledger *ledger, uint32_t coarse)
{
    return fb_clock_to_ns(fb_ledger_ticks(ledger, coarse, fb_clock_ticks()));
}

/* Returns the packets per second of 'f' between the two latest dumps. */
static double
packet_rate(const struct fb_flow_copy *f)
{
    uint64_t ns = fb_clock_to_ns(UINT64_C(256) << FB_LEDGER_COARSE_SHIFT);

    return f->live ? f->rate * 1e9 / ns : 0;
}

/* Returns the state of 'f' in one word. */
static const char *
state_name(const struct fb_flow_copy *f)
{
    return f->live ? "live" : f->installs ? "dead" : "never";
}

/* Appends the failed flow puts of datapath 'dp' by error. */
static void
put_errors_text(const struct fb_ledger *ledger, int dp, struct ds *ds)
{
    for (int i = 0; i < FB_LEDGER_ERRNOS; i++) {
        uint32_t n = fb_ledger_count(&ledger->dps[dp].errors[i]);

        if (n) {
            ds_put_format(ds, "%s: %"PRIu32" flow puts failed: %s\n",
                          fb_datapath_name(dp), n, ovs_strerror(i));
        }
    }
}

/* Appends in which rounds of datapath 'dp' flows were looked at, if any. */
static void
look_text(const struct fb_ledger *ledger, int dp, struct ds *ds)
{
    const struct fb_look *look = &ledger->dps[dp].look;
    uint32_t n_rounds = fb_ledger_count(&look->n_rounds);
    uint32_t every = ledger->every ? ledger->every
                     : fb_ledger_count(&look->every);

    if (n_rounds) {
        ds_put_format(ds, "%s: looked at flows in %"PRIu32" of %"PRIu32
                      " rounds%s, one in %"PRIu32" now; that took %.2f%% of "
                      "the time to dump and revalidate\n",
                      fb_datapath_name(dp), fb_ledger_count(&look->n_looked),
                      n_rounds, ledger->every ? ", as asked" : "", every,
                      100 * fb_look_share(look));
    }
}

/* Appends how many misses of datapath 'dp' are in no record, if any. */
static void
unrecorded_text(const struct fb_snapshot *s, int dp, struct ds *ds)
{
    char *prefix = xasprintf("%s: ", s->dps[dp].name);

    fb_text_unrecorded(s, &s->dps[dp], prefix, ds);
    free(prefix);
}

/* Appends what is true of the ledger as a whole. */
static void
put_summary(const struct fb_snapshot *s, const struct fb_flows *flows,
            struct ds *ds)
{
    const struct fb_ledger *ledger = flows->ledger;
    uint32_t n_full = fb_ledger_count(&ledger->n_full);
    uint32_t n_contended = fb_ledger_count(&ledger->n_contended);

    ds_put_format(ds, "flows: %"PRIu64" live, %"PRIu64" dead, %"PRIu64
                  " never installed; room for %"PRIu32", %"PRIu32
                  " dead ones made room\n", flows->n_live, flows->n_dead,
                  flows->n_never, fb_ledger_n_slots(ledger),
                  fb_ledger_count(&ledger->n_aged));
    if (n_full || n_contended) {
        ds_put_format(ds, "warning: %"PRIu32" times a flow found no room (see "
                      "--max-flows), %"PRIu32" times a bucket was locked\n",
                      n_full, n_contended);
    }
    for (int dp = 0; dp < s->n_dps; dp++) {
        uint64_t miss = fb_flows_miss_cost(ledger, dp);

        if (flows->query.dp >= 0 && flows->query.dp != dp) {
            continue;
        }
        unrecorded_text(s, dp, ds);
        if (miss) {
            ds_put_format(ds, "%s: a miss costs %.3f us without flow put\n",
                          fb_datapath_name(dp), us_each(miss, 1));
        }
        look_text(ledger, dp, ds);
        put_errors_text(ledger, dp, ds);
    }
}

/* Appends one flow. */
static void
put_flow(const struct fb_flow_shown *s, struct ds *ds)
{
    const struct fb_flow_copy *f = &s->flow;
    uint64_t hits = f->packets + f->past_packets;

    ds_put_format(ds, "%8"PRIu32, f->upcalls);
    if (f->setups || !f->installs) {
        ds_put_format(ds, " %10.1f", us_each(f->setup, f->setups));
    } else {
        ds_put_format(ds, " %10s", "?");
    }
    ds_put_format(ds, " %8.1f %6"PRIu32" %6"PRIu32" %10.1f %10"PRIu64
                  " %9.1f %5"PRIu32, us_each(f->put, f->puts), f->put_errors,
                  f->dumps, us_each(f->revalidation, 1), hits,
                  packet_rate(f), f->installs);
    if (s->repay_known) {
        ds_put_format(ds, " %8"PRIu64"%c", s->repay,
                      hits >= s->repay ? '+' : '-');
    } else {
        ds_put_format(ds, " %9s", "?");
    }
    ds_put_format(ds, " %-8s  %s", f->live || !f->installs ? state_name(f)
                  : fb_end_names[f->end], s->text);
    if (f->put_errors) {
        ds_put_format(ds, " (flow put: %s)", ovs_strerror(f->put_errno));
    }
    ds_put_char(ds, '\n');
}

/* Appends the text of fanbench/flows. */
void
fb_flows_text(const struct fb_snapshot *s, const struct fb_flows *flows,
              struct ds *ds)
{
    fb_text_heading(s, ds);
    if (!flows->ledger) {
        if (s->any) {
            ds_put_cstr(ds, "warning: there was no memory to record flows\n");
        }
        return;
    }
    put_summary(s, flows, ds);
    ds_put_format(ds, "%8s %10s %8s %6s %6s %10s %10s %9s %5s %9s %-8s  "
                  "flow, by %s\n", "upcalls", "setup us", "put us", "failed",
                  "dumps", "reval us", "packets", "packets/s", "lives",
                  "repay", "state", fb_flows_sort_names[flows->query.sort]);
    for (size_t i = 0; i < flows->n_shown; i++) {
        put_flow(&flows->shown[i], ds);
    }
}

/* Adds the costs and counts of 'f' to 'object'. */
static void
put_costs(struct json *object, const struct fb_flow_copy *f)
{
    fb_show_put(object, "upcalls", f->upcalls);
    fb_show_put(object, "setups", f->setups);
    fb_show_put_time(object, "setup_ns", f->setup);
    fb_show_put(object, "setups_unknown", f->installs > f->setups
                ? f->installs - f->setups : 0);
    fb_show_put(object, "puts", f->puts);
    fb_show_put(object, "puts_failed", f->put_errors);
    fb_show_put(object, "put_errno", f->put_errno);
    fb_show_put_time(object, "put_ns", f->put);
    fb_show_put(object, "deletions", f->dels);
    fb_show_put_time(object, "deletion_ns", (uint64_t) f->del << 4);
    fb_show_put(object, "dumps", f->dumps);
    fb_show_put_time(object, "revalidation_ns", f->revalidation);
}

/* Returns 's', a flow of 'ledger', as an object. */
static struct json *
flow_to_json(const struct fb_ledger *ledger, const struct fb_flow_shown *s)
{
    const struct fb_flow_copy *f = &s->flow;
    struct json *object = json_object_create();
    struct ds ufid = DS_EMPTY_INITIALIZER;
    uint64_t hits = f->packets + f->past_packets;

    fb_flow_text_ufid(f, &ufid);
    json_object_put_string(object, "datapath", fb_datapath_name(f->id.dp));
    json_object_put_string(object, "ufid", ds_cstr(&ufid) + strlen("ufid:"));
    json_object_put_string(object, "flow", s->text);
    json_object_put(object, "pmd", f->id.pmd_id == UINT32_MAX
                    ? json_null_create() : json_integer_create(f->id.pmd_id));
    json_object_put_string(object, "state", state_name(f));
    json_object_put(object, "end", f->live || !f->installs
                    ? json_null_create()
                    : json_string_create(fb_end_names[f->end]));
    fb_show_put(object, "installs", f->installs);
    fb_show_put(object, "born_ns", coarse_to_ns(ledger, f->born));
    fb_show_put(object, "died_ns",
                f->live ? 0 : coarse_to_ns(ledger, f->died));
    put_costs(object, f);
    fb_show_put(object, "packets", hits);
    fb_show_put(object, "bytes", f->bytes);
    fb_show_put(object, "packets_per_s", packet_rate(f));
    json_object_put(object, "repaid_after", s->repay_known
                    ? json_integer_create(s->repay) : json_null_create());
    json_object_put(object, "repaid", s->repay_known
                    ? json_boolean_create(hits >= s->repay)
                    : json_null_create());
    ds_destroy(&ufid);
    return object;
}

/* Adds in which rounds of datapath 'dp' flows were looked at to 'object'. */
static void
put_look(struct json *object, const struct fb_ledger *ledger, int dp)
{
    const struct fb_look *look = &ledger->dps[dp].look;

    fb_show_put(object, "rounds", fb_ledger_count(&look->n_rounds));
    fb_show_put(object, "rounds_looked_at", fb_ledger_count(&look->n_looked));
    fb_show_put(object, "look_every", ledger->every ? ledger->every
                : fb_ledger_count(&look->every));
    json_object_put(object, "look_share",
                    json_real_create(fb_look_share(look)));
}

/* Returns an array of what is true of each datapath of 'flows'. */
static struct json *
datapaths_to_json(const struct fb_snapshot *s, const struct fb_flows *flows)
{
    struct json *array = json_array_create_empty();

    for (int dp = 0; dp < s->n_dps; dp++) {
        struct json *object = json_object_create();
        struct json *errors = json_array_create_empty();

        if (flows->query.dp < 0 || flows->query.dp == dp) {
            json_object_put_string(object, "name", fb_datapath_name(dp));
            fb_show_put_time(object, "miss_ns",
                     fb_flows_miss_cost(flows->ledger, dp));
            fb_show_put(object, "misses_not_recorded",
                        s->dps[dp].total.n[FB_C_UNRECORDED]);
            put_look(object, flows->ledger, dp);
            for (int i = 0; i < FB_LEDGER_ERRNOS; i++) {
                uint32_t n = fb_ledger_count(
                    &flows->ledger->dps[dp].errors[i]);

                if (n) {
                    struct json *error = json_object_create();

                    fb_show_put(error, "errno", i);
                    json_object_put_string(error, "error", ovs_strerror(i));
                    fb_show_put(error, "count", n);
                    json_array_add(errors, error);
                }
            }
            json_object_put(object, "put_errors", errors);
            json_array_add(array, object);
        } else {
            json_destroy(object);
            json_destroy(errors);
        }
    }
    return array;
}

/* Returns the document of fanbench/flows. */
struct json *
fb_flows_json(const struct fb_snapshot *s, const struct fb_flows *flows)
{
    const struct fb_ledger *ledger = flows->ledger;
    struct json *document = fb_json_document(s);
    struct json *array = json_array_create_empty();

    json_object_put_string(document, "sort",
                           fb_flows_sort_names[flows->query.sort]);
    fb_show_put(document, "flows_max",
              ledger ? fb_ledger_n_slots(ledger) : 0);
    fb_show_put(document, "memory_max_bytes",
              ledger ? fb_ledger_memory(ledger) : 0);
    fb_show_put(document, "max_births", s->max_births);
    fb_show_put(document, "exact", ledger ? ledger->exact : 0);
    fb_show_put(document, "live", flows->n_live);
    fb_show_put(document, "dead", flows->n_dead);
    fb_show_put(document, "never_installed", flows->n_never);
    fb_show_put(document, "made_room",
              ledger ? fb_ledger_count(&ledger->n_aged) : 0);
    fb_show_put(document, "no_room",
              ledger ? fb_ledger_count(&ledger->n_full) : 0);
    fb_show_put(document, "contended",
              ledger ? fb_ledger_count(&ledger->n_contended) : 0);
    json_object_put(document, "datapaths", ledger
                    ? datapaths_to_json(s, flows) : json_array_create_empty());
    for (size_t i = 0; i < flows->n_shown; i++) {
        json_array_add(array, flow_to_json(flows->ledger, &flows->shown[i]));
    }
    json_object_put(document, "flows", array);
    return document;
}
