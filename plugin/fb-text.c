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

#include "fb-text.h"

#include <inttypes.h>

#include "fb-clock.h"
#include "fb-show-events.h"
#include "fb-main-text.h"
#include "fb-show.h"
#include "fb-show-findings.h"
#include "fb-snapshot.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Appends how many misses of 'dp' are in no record of a flow, if any, a line
 * that begins with 'prefix'. */
void
fb_text_unrecorded(const struct fb_snapshot *s,
                   const struct fb_snapshot_dp *dp, const char *prefix,
                   struct ds *ds)
{
    const uint64_t *n = dp->total.n;

    if (n[FB_C_UNRECORDED]) {
        ds_put_format(ds, "%s%"PRIu64" of %"PRIu64" misses were not recorded "
                      "by flow: they came faster than %u per second (see "
                      "--max-births)\n", prefix, n[FB_C_UNRECORDED],
                      n[FB_C_MISS], s->max_births);
    }
}

/* Appends what every command's text begins with. */
void
fb_text_heading(const struct fb_snapshot *s, struct ds *ds)
{
    if (!s->any) {
        ds_put_cstr(ds, "recording: off, nothing recorded\n");
    } else {
        ds_put_format(ds, "recording: %s, %s, %.3f s, clock %s\n",
                      s->recording ? "on" : "off",
                      s->only ? s->only : "all datapaths",
                      fb_show_ms(s->elapsed) / 1000, fb_clock_name());
    }
    if (s->n_refused) {
        ds_put_format(ds, "warning: %u threads were not recorded: "
                      "only %d can be\n", s->n_refused, FB_MAX_RECORDS);
    }
}

/* Appends the text of fanbench/status. */
void
fb_text_status(const struct fb_snapshot *s, struct ds *ds)
{
    fb_text_heading(s, ds);
    ds_put_format(ds, "threads recorded: %"PRIuSIZE" of at most %d\n",
                  s->n_threads, FB_MAX_RECORDS);
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_snapshot_dp *dp = &s->dps[i];

        ds_put_format(ds, "datapath %s: %s, %s, %"PRIu64" rounds\n",
                      dp->name, dp->present ? "present" : "gone",
                      dp->recorded ? "recorded" : "not recorded",
                      dp->rounds.n);
    }
}

/* Appends how the revalidators' time in the rounds 't' was spent. */
static void
put_phases(const struct fb_round_totals *t, struct ds *ds)
{
    static const struct {
        const char *title;      /* Name in the first column. */
        enum fb_work work;      /* What it is. */
    } rows[] = {
        { "dump", FB_W_DUMP },
        { "  netlink receive", FB_W_NETLINK },
        { "  lock wait", FB_W_LOCK_WAIT },
        { "revalidation", FB_W_REVALIDATION },
        { "flow operations", FB_W_OPERATIONS },
        { "ukey sweep", FB_W_SWEEP },
        { "barrier wait", FB_W_BARRIER },
        { "paused", FB_W_PAUSE },
        { "all", FB_W_THREAD },
    };
    const uint64_t *n = t->work.n;

    ds_put_format(ds, "  %-20s %12s %12s %7s %10s\n", "revalidator time",
                  "total ms", "us/round", "share", "ns/flow");
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        uint64_t ticks = n[rows[i].work];
        uint64_t ns = fb_clock_to_ns(ticks);

        ds_put_format(ds, "    %-18s %12.3f %12.1f %6.1f%% %10.0f\n",
                      rows[i].title, ns / 1e6, fb_show_ratio(ns / 1e3, t->n),
                      100 * fb_show_ratio(ticks, n[FB_W_THREAD]),
                      fb_show_ratio(ns, n[FB_W_FLOWS]));
    }
}

/* Appends a summary of the rounds 't'. */
static void
put_rounds(const struct fb_round_totals *t, struct ds *ds)
{
    const uint64_t *n = t->work.n;

    ds_put_format(ds, "  rounds: %"PRIu64, t->n);
    if (t->n_errors) {
        ds_put_format(ds, ", %"PRIu64" failed", t->n_errors);
    }
    if (t->n_unfinished) {
        ds_put_format(ds, ", %"PRIu64" unfinished", t->n_unfinished);
    }
    ds_put_char(ds, '\n');
    if (!t->n) {
        return;
    }
    ds_put_format(ds, "  duration ms: min %.3f, avg %.3f, max %.3f, "
                  "last %.3f\n", fb_show_ms(t->min),
                  fb_show_ratio(fb_show_ms(t->duration), t->n),
                  fb_show_ms(t->max),
                  fb_show_ms(t->last));
    ds_put_format(ds, "  flows dumped: %"PRIu64" in %"PRIu64" batches, "
                  "last round %"PRIu64"; flow operations: %"PRIu64"\n",
                  n[FB_W_FLOWS], n[FB_W_BATCHES], t->last_flows, n[FB_W_OPS]);
    put_phases(t, ds);
}

/* Appends the datapath operations of 'dp'. */
static void
put_operations(const struct fb_snapshot_dp *dp, struct ds *ds)
{
    ds_put_format(ds, "  %-12s %-10s %12s %8s %12s %10s\n", "thread",
                  "operation", "count", "errors", "total ms", "us each");
    for (size_t role = 0; role < FB_N_ROLES; role++) {
        const uint64_t *n = dp->roles[role].n;

        for (size_t op = 0; op < FB_N_OPS; op++) {
            uint64_t count = n[FB_C_OP(op)];
            double ms = fb_show_ms(n[FB_C_OP_TICKS(op)]);

            if (count) {
                ds_put_format(ds, "  %-12s %-10s %12"PRIu64" %8"PRIu64
                              " %12.3f %10.3f\n", fb_role_names[role],
                              fb_op_names[op], count,
                              n[FB_C_OP_ERRORS(op)], ms,
                              fb_show_ratio(ms * 1000, count));
            }
        }
    }
}

/* Appends one line about the upcalls of a thread called 'name'. */
static void
put_upcalls_line(const char *name, const uint64_t *n, struct ds *ds)
{
    uint64_t count = n[FB_C_MISS] + n[FB_C_ACTION];

    if (count || n[FB_C_UPCALL_ERRORS]) {
        double ms = fb_show_ms(n[FB_C_UPCALL_TICKS]);

        ds_put_format(ds, "  %-16s %12"PRIu64" %12"PRIu64" %8"PRIu64
                      " %12.3f %10.3f\n", name, n[FB_C_MISS], n[FB_C_ACTION],
                      n[FB_C_UPCALL_ERRORS], ms,
                      fb_show_ratio(ms * 1000, count));
    }
}

/* Appends the upcalls of datapath 'dp_idx' of 's'. */
static void
put_upcalls(const struct fb_snapshot *s, int dp_idx, struct ds *ds)
{
    const struct fb_snapshot_dp *dp = &s->dps[dp_idx];

    ds_put_format(ds, "  %-16s %12s %12s %8s %12s %10s\n", "upcalls", "miss",
                  "action", "errors", "total ms", "us each");
    for (size_t i = 0; i < s->n_threads; i++) {
        const struct fb_record_copy *thread = &s->threads[i];

        if (thread->dp == dp_idx) {
            put_upcalls_line(thread->name, thread->counters.n, ds);
        }
    }
    put_upcalls_line("all", dp->total.n, ds);
    fb_text_unrecorded(s, dp, "  ", ds);
}

/* Appends the text of fanbench/show. */
void
fb_text_show(const struct fb_snapshot *s, struct ds *ds)
{
    fb_text_heading(s, ds);
    fb_show_findings_text(s, FB_ABOUT_ALL, ds);
    for (size_t i = 0; i < s->n_dps; i++) {
        const struct fb_snapshot_dp *dp = &s->dps[i];
        const uint64_t *n = dp->total.n;

        if (!dp->recorded) {
            continue;
        }
        ds_put_format(ds, "\n%s:%s\n", dp->name,
                      dp->present ? "" : " (gone)");
        put_rounds(&dp->rounds, ds);
        put_operations(dp, ds);
        put_upcalls(s, i, ds);
        ds_put_format(ds, "  other dumps: %"PRIu64", flows %"PRIu64
                      ", %.3f ms\n", n[FB_C_DUMPS], n[FB_C_DUMP_FLOWS],
                      fb_show_ms(n[FB_C_DUMP_TICKS]));
    }
}

/* Appends the text of fanbench/rounds: the 'n' rounds 'rounds', a line
 * each. */
void
fb_text_rounds(const struct fb_snapshot *s, const struct fb_round *rounds,
               size_t n, struct ds *ds)
{
    static const enum fb_work columns[] = {
        FB_W_DUMP, FB_W_NETLINK, FB_W_LOCK_WAIT, FB_W_REVALIDATION,
        FB_W_OPERATIONS, FB_W_SWEEP, FB_W_BARRIER,
    };
    static const char *const titles[] = {
        "dump", "netlink", "lock", "reval", "flow-ops", "sweep", "barrier",
    };

    BUILD_ASSERT_DECL(ARRAY_SIZE(columns) == ARRAY_SIZE(titles));

    fb_text_heading(s, ds);
    ds_put_format(ds, "%6s %-18s %11s %10s %3s %8s %7s", "round", "datapath",
                  "start s", "ms", "thr", "flows", "ops");
    for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
        ds_put_format(ds, " %9s", titles[i]);
    }
    ds_put_format(ds, " %7s %-10s %s  (ms, all threads)\n", "limit", "law",
                  "trigger");

    for (const struct fb_round *r = rounds; r < &rounds[n]; r++) {
        ds_put_format(ds, "%6"PRIu64" %-18s %11.3f %10.3f %3u %8"PRIu64
                      " %7"PRIu64, r->id, fb_datapath_name(r->dp),
                      fb_show_ms(fb_clock_since(s->start, r->start)) / 1000,
                      fb_show_ms(r->duration), r->n_threads,
                      r->work.n[FB_W_FLOWS], r->work.n[FB_W_OPS]);
        for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
            ds_put_format(ds, " %9.3f", fb_show_ms(r->work.n[columns[i]]));
        }
        fb_show_cause_text(r, ds);
        if (r->error) {
            ds_put_format(ds, "  %s", ovs_strerror(r->error));
        }
        ds_put_char(ds, '\n');
    }
}
