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

#include "fb-watch.h"

#include <string.h>

#include "fb-cause.h"
#include "fb-clock.h"
#include "fb-op-errors.h"
#include "fb-recording.h"
#include "util.h"

const char *const fb_coverage_names[FB_N_COVERAGE] = {
    [FB_COV_MAC_LEARNED] = "mac_learning_learned",
    [FB_COV_MAC_EVICTED] = "mac_learning_evicted",
    [FB_COV_MAC_EXPIRED] = "mac_learning_expired",
    [FB_COV_MAC_MOVED] = "mac_learning_moved",
    [FB_COV_REV_MAC] = "rev_mac_learning",
    [FB_COV_REV_FLOW_TABLE] = "rev_flow_table",
    [FB_COV_REV_RECONFIGURE] = "rev_reconfigure",
    [FB_COV_LIMIT_HIT] = "upcall_flow_limit_hit",
    [FB_COV_LIMIT_KILL] = "upcall_flow_limit_kill",
    [FB_COV_LIMIT_REDUCED] = "upcall_flow_limit_reduced",
    [FB_COV_LIMIT_SCALED] = "upcall_flow_limit_scaled",
    [FB_COV_LIMIT_GREW] = "upcall_flow_limit_grew",
    [FB_COV_DUPLICATE_UPCALL] = "handler_duplicate_upcall",
    [FB_COV_TOO_MANY_OUTPUT] = "xlate_actions_too_many_output",
    [FB_COV_DROP_UPCALL] = "datapath_drop_upcall_error",
    [FB_COV_DROP_LOCK] = "datapath_drop_lock_error",
};

/* How often figures are read. */
#define FB_WATCH_INTERVAL_NS UINT64_C(1000000000)

static const struct fb_watch_source *source;
static struct fb_watch watch;

/* Makes 'new_source' the place where figures come from.  It must stay. */
void
fb_watch_set_source(const struct fb_watch_source *new_source)
{
    source = new_source;
}

/* 'w' is found to be 'value' at 'now'. */
static void
update(struct fb_watched *w, uint64_t value, uint64_t now)
{
    if (!w->known) {
        w->first = value;
    } else if (value < w->last) {
        /* Begun again, as of a datapath that was created anew. */
        w->first = value - MIN(fb_watched_rise(w), value);
    } else if (value > w->last) {
        if (!w->since) {
            w->since = now;
        }
        w->latest = now;
    }
    w->known = true;
    w->last = value;
}

/* Reads why flow puts on datapath 'idx' failed. */
static void
read_put_errors(int idx, uint64_t now)
{
    struct fb_watched_dp *dp = &watch.dps[idx];
    struct fb_errnos *errnos = &dp->put_errors;
    uint64_t sum = 0;

    fb_op_errors_read(idx, FB_OP_PUT, errnos);
    for (size_t i = 0; i < FB_N_ERRNOS; i++) {
        if (!dp->put_failed.known) {
            watch.put_first[idx].n[i] = errnos->n[i];
        }
        errnos->n[i] -= watch.put_first[idx].n[i];
        sum += errnos->n[i];
    }
    update(&dp->put_failed, sum, now);
}

/* Reads all coverage counters at 'now'.  Returns false if OVS has none, or not
 * yet. */
static bool
read_coverage(uint64_t now)
{
    bool any = false;

    for (size_t i = 0; source->read_coverage && i < FB_N_COVERAGE; i++) {
        struct fb_watched *w = &watch.coverage[i];
        uint64_t value;

        if (source->read_coverage(fb_coverage_names[i], &value)) {
            w->known |= watch.from_birth;
            update(w, value, now);
            any = true;
        }
    }
    return any;
}

/* Reads what is counted of datapath 'idx' at 'now'. */
static void
read_dp(int idx, uint64_t now)
{
    struct fb_watched_dp *dp = &watch.dps[idx];
    struct fb_watch_dp_sample sample;

    read_put_errors(idx, now);
    if (source->read_dp && source->read_dp(idx, &sample)) {
        update(&dp->hit, sample.hit, now);
        update(&dp->missed, sample.missed, now);
        update(&dp->lost, sample.lost, now);
        dp->n_flows = sample.n_flows;
    }
}

/* Reads all figures at 'now'.  Returns false if OVS is not ready for that. */
static bool
read_all(uint64_t now)
{
    bool ready = read_coverage(now);

    for (int i = 0; i < fb_datapath_count(); i++) {
        if (!fb_recording_selects(i)) {
            continue;
        }
        read_dp(i, now);
        if (source->read_limit) {
            fb_cause_limit_is(i, watch.epoch, source->read_limit(i),
                              FB_LIMIT_READ);
        }
    }
    return ready;
}

/* Reads all figures if it is time to: when a recording is new, and then once a
 * second.  'epoch' may be 0: then there is nothing to do. */
void
fb_watch_run(unsigned int epoch, uint64_t now)
{
    if (!epoch || !source) {
        return;
    }
    if (watch.epoch != epoch) {
        memset(&watch, 0, sizeof watch);
        watch.epoch = epoch;
        watch.from_birth = !read_all(now);
    } else if (fb_clock_gettime_ns() < watch.next_ns) {
        return;
    } else {
        read_all(now);
    }
    watch.next_ns = fb_clock_gettime_ns() + FB_WATCH_INTERVAL_NS;
}

/* Reads all figures because they are to be shown, or the recording 'epoch' is
 * about to stop. */
void
fb_watch_finish(unsigned int epoch, uint64_t now)
{
    if (!epoch || !source) {
        return;
    }
    watch.next_ns = 0;
    fb_watch_run(epoch, now);
    if (source->read_mac
        && fb_watched_rise(&watch.coverage[FB_COV_MAC_EVICTED])) {
        source->read_mac(&watch.mac);
    }
}

/* ofproto begins to serve datapath 'dp' at 'now': what was counted in it
 * before does not belong to the recording 'epoch'.  'epoch' may be 0: then
 * there is nothing to do. */
void
fb_watch_dp_served(unsigned int epoch, int dp, uint64_t now)
{
    if (epoch && epoch == watch.epoch && source && fb_recording_selects(dp)) {
        read_dp(dp, now);
    }
}

/* Returns what was watched in 'epoch', or null if nothing was.  It belongs to
 * this module. */
const struct fb_watch *
fb_watch_get(unsigned int epoch)
{
    return epoch && watch.epoch == epoch ? &watch : NULL;
}
