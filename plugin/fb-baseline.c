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

#include "fb-baseline.h"

#include <string.h>

#include "dpif.h"
#include "fb-cause.h"
#include "fb-clock.h"
#include "fb-ovs.h"

const char *const fb_ovs_counter_names[FB_N_OVS_COUNTERS] = {
    [FB_OC_LIMIT_HIT] = "upcall_flow_limit_hit",
    [FB_OC_LIMIT_KILL] = "upcall_flow_limit_kill",
    [FB_OC_LIMIT_REDUCED] = "upcall_flow_limit_reduced",
    [FB_OC_LIMIT_SCALED] = "upcall_flow_limit_scaled",
    [FB_OC_LIMIT_GREW] = "upcall_flow_limit_grew",
    [FB_OC_MAC_LEARNED] = "mac_learning_learned",
    [FB_OC_MAC_EVICTED] = "mac_learning_evicted",
    [FB_OC_MAC_EXPIRED] = "mac_learning_expired",
    [FB_OC_MAC_MOVED] = "mac_learning_moved",
    [FB_OC_DUPLICATE_UPCALL] = "handler_duplicate_upcall",
    [FB_OC_TOO_MANY_OUTPUT] = "xlate_actions_too_many_output",
};

/* OVS's handles of the datapaths that it serves, else null. */
static struct dpif *dpifs[FB_MAX_DATAPATHS];

/* Recording that is going on, or 0, and what was counted when it began. */
static unsigned int baseline_epoch;
static struct fb_baseline base;

/* What had been counted when the last recording stopped. */
static struct fb_baseline final;

/* Stores in '*stats' what datapath 'dp' has counted in all. */
static void
read_dp(int dp, struct fb_dp_stats *stats)
{
    struct dpif_dp_stats s;

    memset(stats, 0, sizeof *stats);
    if (dpifs[dp] && !dpif_get_dp_stats(dpifs[dp], &s)) {
        stats->known = true;
        stats->n_hit = s.n_hit;
        stats->n_missed = s.n_missed;
        stats->n_lost = s.n_lost;
        stats->n_flows = s.n_flows;
    }
}

/* Stores in '*all' what was counted in all, not since any moment, and passes
 * the flow limits on. */
static void
read_all(struct fb_baseline *all)
{
    for (size_t i = 0; i < FB_N_OVS_COUNTERS; i++) {
        all->has[i] = fb_ovs_read_counter(fb_ovs_counter_names[i],
                                          &all->counters[i]);
    }
    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        read_dp(dp, &all->dps[dp]);
        if (dpifs[dp] && baseline_epoch) {
            fb_cause_limit_is(dp, baseline_epoch,
                              fb_ovs_flow_limit(fb_datapath_name(dp)), false);
        }
    }
}

/* OVS begins to serve datapath 'dp', whose handle 'dpif' stays good until it
 * ceases to, which a null 'dpif' says. */
void
fb_baseline_set_dpif(int dp, struct dpif *dpif)
{
    dpifs[dp] = dpif;
    read_dp(dp, &base.dps[dp]);
}

/* The recording 'epoch' begins: from here on, things count. */
void
fb_baseline_begin(unsigned int epoch)
{
    baseline_epoch = epoch;
    read_all(&base);
    fb_cause_read_triggers();
}

/* The recording stops. */
void
fb_baseline_end(void)
{
    fb_baseline_read(&final);
    baseline_epoch = 0;
}

/* Stores in '*b' what was counted since the recording began, until now or
 * until it stopped. */
void
fb_baseline_read(struct fb_baseline *b)
{
    if (!baseline_epoch) {
        *b = final;
        return;
    }

    read_all(b);
    for (size_t i = 0; i < FB_N_OVS_COUNTERS; i++) {
        b->counters[i] = fb_clock_since(base.counters[i], b->counters[i]);
    }
    for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
        struct fb_dp_stats *s = &b->dps[dp];

        s->n_hit = fb_clock_since(base.dps[dp].n_hit, s->n_hit);
        s->n_missed = fb_clock_since(base.dps[dp].n_missed, s->n_missed);
        s->n_lost = fb_clock_since(base.dps[dp].n_lost, s->n_lost);
    }
}
