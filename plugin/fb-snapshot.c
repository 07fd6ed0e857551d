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

#include "fb-snapshot.h"

#include <stdlib.h>

#include "fb-clock.h"
#include "fb-intake.h"
#include "fb-mainloop.h"
#include "fb-ports.h"
#include "fb-recording.h"
#include "fb-watch.h"
#include "util.h"

const char *const fb_op_names[FB_N_OPS] = {
    [FB_OP_PUT] = "put",
    [FB_OP_DEL] = "del",
    [FB_OP_GET] = "get",
    [FB_OP_EXECUTE] = "execute",
};

const char *const fb_role_names[FB_N_ROLES] = {
    [FB_ROLE_MAIN] = "main",
    [FB_ROLE_HANDLER] = "handler",
    [FB_ROLE_REVALIDATOR] = "revalidator",
    [FB_ROLE_PMD] = "pmd",
    [FB_ROLE_OTHER] = "other",
};

/* How long to wait at most for what threads have reported to be applied. */
#define MAX_DRAIN_NS 5000000

/* Adds 'counters' to 'sum'. */
static void
add_counters(struct fb_counters *sum, const struct fb_counters *counters)
{
    for (size_t i = 0; i < FB_N_COUNTERS; i++) {
        sum->n[i] += counters->n[i];
    }
}

/* Says whether 'counters' has anything but zeros. */
bool
fb_counters_any(const struct fb_counters *counters)
{
    for (size_t i = 0; i < FB_N_COUNTERS; i++) {
        if (counters->n[i]) {
            return true;
        }
    }
    return false;
}

/* Fills in the counters of 's', of the recording 'epoch'. */
static void
take_counters(struct fb_snapshot *s, unsigned int epoch)
{
    struct fb_counters gone[FB_MAX_DATAPATHS][FB_N_ROLES];

    s->n_threads = fb_record_read(epoch, &s->threads, gone);
    for (size_t i = 0; i < s->n_threads; i++) {
        const struct fb_record_copy *thread = &s->threads[i];
        struct fb_snapshot_dp *dp = &s->dps[thread->dp];

        add_counters(&dp->roles[thread->role], &thread->counters);
        dp->n_threads[thread->role]++;
    }
    for (size_t i = 0; i < s->n_dps; i++) {
        struct fb_snapshot_dp *dp = &s->dps[i];

        for (size_t role = 0; role < FB_N_ROLES; role++) {
            add_counters(&dp->roles[role], &gone[i][role]);
            add_counters(&dp->total, &dp->roles[role]);
        }
    }
}

/* Returns a snapshot, which the caller must free with fb_snapshot_free(). */
struct fb_snapshot *
fb_snapshot_take(void)
{
    const struct fb_recording *recording = fb_recording_get();
    struct fb_snapshot *s = xzalloc(sizeof *s);
    struct fb_round_totals rounds[FB_MAX_DATAPATHS];

    /* After the end of a recording, its figures are to stay the same. */
    if (recording->on) {
        fb_watch_finish(recording->epoch, fb_clock_ticks());
        fb_clock_calibrate();
    }
    s->recording = recording->on;
    s->any = recording->epoch != 0;
    s->only = recording->dp >= 0 ? fb_datapath_name(recording->dp) : NULL;
    s->start = recording->start;
    s->start_msec = recording->start_msec;
    s->elapsed = fb_clock_since(recording->start,
                                recording->on ? fb_clock_ticks()
                                : recording->end);
    s->max_births = recording->max_births;
    s->n_refused = fb_record_n_refused();

    s->n_dps = fb_datapath_count();
    fb_rounds_totals(recording->epoch, rounds);
    for (size_t i = 0; i < s->n_dps; i++) {
        struct fb_snapshot_dp *dp = &s->dps[i];

        dp->name = fb_datapath_name(i);
        dp->present = fb_datapath_is_present(i);
        dp->recorded = s->any && (recording->dp < 0 || recording->dp == i);
        dp->rounds = rounds[i];
        fb_cause_totals(recording->epoch, i, &dp->cause);
    }
    if (s->any) {
        take_counters(s, recording->epoch);
        fb_intake_drain(MAX_DRAIN_NS);
        fb_returns_read(&s->returns);
        for (size_t i = 0; i < s->n_dps; i++) {
            fb_worst_put_read(i, &s->dps[i].worst_put);
        }
    }
    s->mainloop = fb_mainloop_get(recording->epoch);
    s->ports = fb_ports_get(recording->epoch);
    s->watch = fb_watch_get(recording->epoch);
    return s;
}

/* Frees 's', which may be null. */
void
fb_snapshot_free(struct fb_snapshot *s)
{
    if (s) {
        for (size_t i = 0; i < s->n_dps; i++) {
            fb_worst_put_destroy(&s->dps[i].worst_put);
        }
        free(s->threads);
        free(s);
    }
}
