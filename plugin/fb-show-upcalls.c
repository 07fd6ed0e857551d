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

#include "fb-show-upcalls.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-json.h"
#include "fb-recording.h"
#include "fb-show.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "fb-upcalls.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Quantiles that are shown. */
static const struct {
    double q;                   /* Which. */
    const char *title;          /* In text. */
    const char *member;         /* In JSON. */
} quantiles[] = {
    { 0.5, "p50", "p50_ns" },
    { 0.9, "p90", "p90_ns" },
    { 0.99, "p99", "p99_ns" },
    { 0.999, "p99.9", "p999_ns" },
};

/* Returns '*counter' of a view's copy. */
static uint64_t
get(const ATOMIC(uint64_t) *counter)
{
    uint64_t n;

    atomic_read_relaxed(CONST_CAST(ATOMIC(uint64_t) *, counter), &n);
    return n;
}

/* Returns the number of upcalls in 'stats'. */
uint64_t
fb_upcalls_count(const struct fb_upcall_stats *stats)
{
    uint64_t n = 0;

    for (size_t i = 0; i < FB_N_UPCALL_TYPES; i++) {
        n += get(&stats->n_types[i]);
    }
    return n;
}

/* Returns what OVS's own figures say of datapath 'dp', or null if they are not
 * known. */
static const struct fb_watched_dp *
get_watched(const struct fb_snapshot *s, size_t dp)
{
    return s->watch ? &s->watch->dps[dp] : NULL;
}

/* Returns what happened in datapath 'dp' since the recording began. */
static struct fb_upcalls_interval
since_start(const struct fb_snapshot *s, const struct fb_upcalls_view *view,
            size_t dp)
{
    const struct fb_watched_dp *w = get_watched(s, dp);

    return (struct fb_upcalls_interval) {
        .ticks = s->elapsed,
        .n_upcalls = view->sums[dp] ? fb_upcalls_count(view->sums[dp]) : 0,
        .n_missed = w ? fb_watched_rise(&w->missed) : 0,
        .n_lost = w ? fb_watched_rise(&w->lost) : 0,
    };
}

/* Fills in what happened since the view before, of the same recording. */
static void
take_recent(const struct fb_snapshot *s, struct fb_upcalls_view *view)
{
    static struct fb_upcalls_interval last[FB_MAX_DATAPATHS];
    static unsigned int last_epoch;
    unsigned int epoch = fb_recording_get()->epoch;

    for (size_t i = 0; i < FB_MAX_DATAPATHS; i++) {
        struct fb_upcalls_interval now = since_start(s, view, i);
        struct fb_upcalls_interval *recent = &view->recent[i];

        *recent = now;
        if (epoch == last_epoch) {
            recent->ticks = fb_clock_since(last[i].ticks, now.ticks);
            recent->n_upcalls = fb_clock_since(last[i].n_upcalls,
                                               now.n_upcalls);
            recent->n_missed = fb_clock_since(last[i].n_missed, now.n_missed);
            recent->n_lost = fb_clock_since(last[i].n_lost, now.n_lost);
        }
        last[i] = now;
    }
    last_epoch = epoch;
}

/* Returns what is to be shown of datapath 'dp', or of all if that is -1.  The
 * caller must free it with fb_upcalls_view_free(). */
struct fb_upcalls_view *
fb_upcalls_view_take(const struct fb_snapshot *s, int dp)
{
    struct fb_upcalls_view *view = xzalloc(sizeof *view);

    view->dp = dp;
    view->n_threads = fb_upcalls_read(fb_recording_get()->epoch,
                                      &view->threads);
    for (size_t i = 0; i < view->n_threads; i++) {
        const struct fb_upcall_stats *stats = view->threads[i];
        struct fb_upcall_stats **sum = &view->sums[stats->dp];

        if (!*sum) {
            *sum = fb_upcalls_create(stats->dp, stats->role, "all");
        }
        fb_upcalls_add(*sum, stats);
    }
    take_recent(s, view);
    return view;
}

/* Frees 'view'. */
void
fb_upcalls_view_free(struct fb_upcalls_view *view)
{
    fb_upcalls_free(view->threads, view->n_threads);
    for (size_t i = 0; i < FB_MAX_DATAPATHS; i++) {
        free(view->sums[i]);
    }
    free(view);
}

/* Says whether there is anything to show of 'stats'. */
static bool
any_stats(const struct fb_upcall_stats *stats)
{
    return fb_upcalls_count(stats) || get(&stats->errors.n[0])
           || get(&stats->put_errors.n[0]);
}

/* Appends a line about 'stats'. */
static void
put_stats(const struct fb_upcall_stats *stats, struct ds *ds)
{
    const struct fb_hist *h = &stats->latency;
    uint64_t n_batches = get(&stats->n_batches);

    ds_put_format(ds, "  %-16s %-11s %10"PRIu64, stats->name,
                  fb_role_names[stats->role], fb_upcalls_count(stats));
    for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
        ds_put_format(ds, " %10.3f",
                      1e3 * fb_show_ms(fb_hist_quantile(h, quantiles[i].q)));
    }
    ds_put_format(ds, " %10.3f", 1e3 * fb_show_ms(fb_hist_max(h)));
    if (n_batches) {
        ds_put_format(ds, " %8"PRIu64" %6.1f %4"PRIu64" %6"PRIu64, n_batches,
                      fb_show_ratio(get(&stats->batched), n_batches),
                      get(&stats->batch_max), get(&stats->n_full));
    }
    ds_put_char(ds, '\n');
}

/* Appends the errors in 'errnos', which happened to 'what'. */
static void
put_errnos(const struct fb_errno_table *errnos, const char *what,
           struct ds *ds)
{
    for (size_t i = 0; i <= FB_ERRNO_SLOTS; i++) {
        uint64_t n = get(&errnos->n[i]);
        int error = 0;

        if (i < FB_ERRNO_SLOTS) {
            atomic_read_relaxed(&CONST_CAST(struct fb_errno_table *,
                                            errnos)->errnos[i], &error);
        }
        if (n) {
            ds_put_format(ds, "  %s failed: %"PRIu64" x %s\n", what, n,
                          error ? ovs_strerror(error) : "other errors");
        }
    }
}

/* Appends the rates of 'n' events in 'ticks'. */
static void
put_rates(const char *title, const struct fb_upcalls_interval *t,
          struct ds *ds)
{
    double seconds = fb_show_ms(t->ticks) / 1000;

    ds_put_format(ds, "  %s, %.3f s: %"PRIu64" upcalls (%.1f/s), missed "
                  "%"PRIu64" (%.1f/s), lost %"PRIu64" (%.1f/s)\n", title,
                  seconds, t->n_upcalls,
                  fb_show_ratio(t->n_upcalls, seconds), t->n_missed,
                  fb_show_ratio(t->n_missed, seconds), t->n_lost,
                  fb_show_ratio(t->n_lost, seconds));
}

/* Says whether 'sum', which may be null, are upcalls of the userspace
 * datapath, which have no batches. */
static bool
is_userspace(const struct fb_upcall_stats *sum)
{
    return sum && !get(&sum->n_batches) && fb_hist_count(&sum->latency);
}

/* Appends where upcalls of datapath 'dp', 'all' since the recording began,
 * were lost, or came to nothing. */
static void
put_losses(const struct fb_snapshot *s, const struct fb_upcalls_view *view,
           size_t dp, const struct fb_upcalls_interval *all, struct ds *ds)
{
    const struct fb_upcall_stats *sum = view->sums[dp];
    uint64_t hit = fb_watch_rise(s->watch, FB_COV_LIMIT_HIT);

    if (all->n_lost && is_userspace(sum)) {
        ds_put_format(ds, "  lost in the datapath: %"PRIu64", which is how it "
                      "counts upcalls that failed; see below why\n",
                      all->n_lost);
    } else if (all->n_lost) {
        ds_put_format(ds, "  lost in the datapath: %"PRIu64" of %"PRIu64
                      " misses: %s\n", all->n_lost, all->n_missed,
                      sum ? "the queues to the handlers were full, for new "
                            "flows came faster than handlers served them"
                      : "no handler has received any");
    }
    if (hit) {
        ds_put_format(ds, "  not installed, over the flow limit: %"PRIu64
                      " (upcall_flow_limit_hit, all datapaths)\n", hit);
    }
    if (sum && get(&sum->n_dropped)) {
        ds_put_format(ds, "  came to nothing in ofproto: %"PRIu64"\n",
                      get(&sum->n_dropped));
    }
    if (sum) {
        put_errnos(&sum->errors, is_userspace(sum)
                   ? "upcall, so that no flow was installed," : "receipt", ds);
        put_errnos(&sum->put_errors, "flow put", ds);
    }
}

/* Appends what there is of datapath 'dp'. */
static void
put_datapath(const struct fb_snapshot *s, const struct fb_upcalls_view *view,
             size_t dp, struct ds *ds)
{
    const struct fb_upcall_stats *sum = view->sums[dp];
    struct fb_upcalls_interval all = since_start(s, view, dp);

    ds_put_format(ds, "\n%s:%s\n", s->dps[dp].name,
                  s->dps[dp].present ? "" : " (gone)");
    put_rates("since the start", &all, ds);
    if (s->recording) {
        put_rates("since last shown", &view->recent[dp], ds);
    }
    put_losses(s, view, dp, &all, ds);
    if (!sum) {
        return;
    }

    ds_put_cstr(ds, "  types:");
    for (size_t i = 0; i < FB_N_UPCALL_TYPES; i++) {
        if (get(&sum->n_types[i])) {
            ds_put_format(ds, " %s %"PRIu64",", fb_upcall_type_names[i],
                          get(&sum->n_types[i]));
        }
    }
    ds_chomp(ds, ',');
    ds_put_format(ds, "\n  %-16s %-11s %10s", "thread, us", "role", "upcalls");
    for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
        ds_put_format(ds, " %10s", quantiles[i].title);
    }
    ds_put_format(ds, " %10s %8s %6s %4s %6s\n", "max", "batches", "avg",
                  "max", "full");
    for (size_t i = 0; i < view->n_threads; i++) {
        if (view->threads[i]->dp == dp && any_stats(view->threads[i])) {
            put_stats(view->threads[i], ds);
        }
    }
    put_stats(sum, ds);
}

/* Appends the text of fanbench/upcalls. */
void
fb_show_upcalls_text(const struct fb_snapshot *s,
                     const struct fb_upcalls_view *view, struct ds *ds)
{
    fb_text_heading(s, ds);
    for (size_t i = 0; i < s->n_dps; i++) {
        if (s->dps[i].recorded && (view->dp < 0 || view->dp == i)) {
            put_datapath(s, view, i, ds);
        }
    }
}

/* Returns 'errnos' as an array. */
static struct json *
errnos_to_json(const struct fb_errno_table *errnos)
{
    struct json *array = json_array_create_empty();

    for (size_t i = 0; i <= FB_ERRNO_SLOTS; i++) {
        uint64_t n = get(&errnos->n[i]);

        if (n) {
            struct json *object = json_object_create();
            int error = 0;

            if (i < FB_ERRNO_SLOTS) {
                atomic_read_relaxed(&CONST_CAST(struct fb_errno_table *,
                                                errnos)->errnos[i], &error);
            }
            fb_show_put(object, "errno", error);
            json_object_put_string(object, "text",
                                   error ? ovs_strerror(error) : "other");
            fb_show_put(object, "count", n);
            json_array_add(array, object);
        }
    }
    return array;
}

/* Adds 'stats' to 'object'. */
static void
put_stats_json(const struct fb_upcall_stats *stats, struct json *object)
{
    struct json *types = json_object_create();
    struct json *latency = json_object_create();
    struct json *batches = json_object_create();
    const struct fb_hist *h = &stats->latency;

    for (size_t i = 0; i < FB_N_UPCALL_TYPES; i++) {
        fb_show_put(types, fb_upcall_type_names[i], get(&stats->n_types[i]));
    }
    json_object_put(object, "types", types);

    fb_show_put(latency, "count", fb_hist_count(h));
    fb_show_put_time(latency, "mean_ns", fb_hist_mean(h));
    for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
        fb_show_put_time(latency, quantiles[i].member,
                         fb_hist_quantile(h, quantiles[i].q));
    }
    fb_show_put_time(latency, "max_ns", fb_hist_max(h));
    json_object_put(object, "latency", latency);

    fb_show_put(batches, "count", get(&stats->n_batches));
    fb_show_put(batches, "upcalls", get(&stats->batched));
    fb_show_put(batches, "max", get(&stats->batch_max));
    fb_show_put(batches, "full", get(&stats->n_full));
    json_object_put(object, "batches", batches);

    fb_show_put(object, "upcalls", fb_upcalls_count(stats));
    fb_show_put(object, "dropped", get(&stats->n_dropped));
    json_object_put(object, "errors", errnos_to_json(&stats->errors));
    json_object_put(object, "put_errors", errnos_to_json(&stats->put_errors));
}

/* Returns what there is of datapath 'dp' as an object. */
static struct json *
datapath_to_json(const struct fb_snapshot *s,
                 const struct fb_upcalls_view *view, size_t dp)
{
    const struct fb_watched_dp *w = get_watched(s, dp);
    const struct fb_upcalls_interval *recent = &view->recent[dp];
    struct json *object = json_object_create();
    struct json *datapath = json_object_create();
    struct json *interval = json_object_create();
    struct json *threads = json_array_create_empty();
    struct fb_upcall_stats *none = fb_upcalls_create(dp, FB_ROLE_OTHER, "");

    json_object_put_string(object, "name", s->dps[dp].name);
    json_object_put(object, "present",
                    json_boolean_create(s->dps[dp].present));
    put_stats_json(view->sums[dp] ? view->sums[dp] : none, object);
    free(none);

    fb_show_put(datapath, "hit", w ? fb_watched_rise(&w->hit) : 0);
    fb_show_put(datapath, "missed", w ? fb_watched_rise(&w->missed) : 0);
    fb_show_put(datapath, "lost", w ? fb_watched_rise(&w->lost) : 0);
    fb_show_put(datapath, "flows", w ? w->n_flows : 0);
    json_object_put(object, "datapath", datapath);

    fb_show_put_time(interval, "elapsed_ns", recent->ticks);
    fb_show_put(interval, "upcalls", recent->n_upcalls);
    fb_show_put(interval, "missed", recent->n_missed);
    fb_show_put(interval, "lost", recent->n_lost);
    json_object_put(object, "interval", interval);

    for (size_t i = 0; i < view->n_threads; i++) {
        const struct fb_upcall_stats *t = view->threads[i];

        if (t->dp == dp && any_stats(t)) {
            struct json *thread = json_object_create();

            json_object_put_string(thread, "name", t->name);
            json_object_put_string(thread, "role", fb_role_names[t->role]);
            put_stats_json(t, thread);
            json_array_add(threads, thread);
        }
    }
    json_object_put(object, "threads", threads);
    return object;
}

/* Returns the document of fanbench/upcalls. */
struct json *
fb_show_upcalls_json(const struct fb_snapshot *s,
                     const struct fb_upcalls_view *view)
{
    struct json *document = fb_json_document(s);
    struct json *datapaths = json_array_create_empty();

    for (size_t i = 0; i < s->n_dps; i++) {
        if (s->dps[i].recorded && (view->dp < 0 || view->dp == i)) {
            json_array_add(datapaths, datapath_to_json(s, view, i));
        }
    }
    json_object_put(document, "datapaths", datapaths);
    fb_show_put(document, "flow_limit_refusals",
                fb_watch_rise(s->watch, FB_COV_LIMIT_HIT));
    return document;
}
