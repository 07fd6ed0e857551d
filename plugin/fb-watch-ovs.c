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

#include "fb-watch-ovs.h"

#include <stdlib.h>
#include <string.h>

#include "dpif.h"
#include "fb-clock.h"
#include "fb-ovs.h"
#include "fb-recording.h"
#include "fb-watch.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Bridges that are asked for their MAC tables, at most. */
enum { MAX_BRIDGES = 256 };

/* Handles by which ofproto serves the datapaths, null if it does not. */
static struct dpif *dpifs[FB_MAX_DATAPATHS];

/* ofproto serves datapath 'dp' by 'dpif', which stays good until it no longer
 * does, which a null 'dpif' says. */
void
fb_watch_ovs_set_dpif(int dp, struct dpif *dpif)
{
    dpifs[dp] = dpif;
    if (dpif) {
        fb_watch_dp_served(fb_recording_epoch(), dp, fb_clock_ticks());
    }
}

/* Reads statistics of a datapath, see struct fb_watch_source. */
static bool
read_dp(int dp, struct fb_watch_dp_sample *sample)
{
    struct dpif_dp_stats stats;

    if (!dpifs[dp] || dpif_get_dp_stats(dpifs[dp], &stats)) {
        return false;
    }
    sample->hit = stats.n_hit;
    sample->missed = stats.n_missed;
    sample->lost = stats.n_lost == UINT64_MAX ? 0 : stats.n_lost;
    sample->n_flows = stats.n_flows;
    return true;
}

/* Reads the flow limit of a datapath, see struct fb_watch_source. */
static unsigned int
read_limit(int dp)
{
    return dpifs[dp] ? fb_ovs_flow_limit(fb_datapath_name(dp)) : 0;
}

/* Stores what the MAC table of 'bridge' looks like in '*table'.  Returns false
 * if that cannot be known. */
static bool
read_mac_table(const char *bridge, struct fb_mac_table *table)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    const char *size, *evicted;
    bool ok = false;

    if (fb_ovs_query("fdb/stats-show", bridge, &ds)) {
        size = strstr(ds_cstr(&ds), "Current/maximum MAC entries");
        evicted = strstr(ds_cstr(&ds), "evicted MAC entries");
        size = size ? strchr(size, ':') : NULL;
        evicted = evicted ? strchr(evicted, ':') : NULL;
        if (size && evicted) {
            char *slash;

            table->n = strtoull(size + 1, &slash, 10);
            table->max = *slash == '/' ? strtoull(slash + 1, NULL, 10) : 0;
            table->evicted = strtoull(evicted + 1, NULL, 10);
            ovs_strzcpy(table->bridge, bridge, sizeof table->bridge);
            ok = true;
        }
    }
    ds_destroy(&ds);
    return ok;
}

/* Finds the worst MAC table, see struct fb_watch_source. */
static void
read_mac(struct fb_mac_table *worst)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    char *save = NULL;
    int n = 0;

    memset(worst, 0, sizeof *worst);
    fb_ovs_query("ofproto/list", NULL, &ds);
    for (char *bridge = strtok_r(ds_cstr(&ds), "\n", &save);
         bridge && n < MAX_BRIDGES; bridge = strtok_r(NULL, "\n", &save)) {
        struct fb_mac_table table;

        n++;
        if (read_mac_table(bridge, &table)
            && table.evicted > worst->evicted) {
            *worst = table;
        }
    }
    ds_destroy(&ds);
}

/* Makes ovs-vswitchd the source of what is watched. */
void
fb_watch_ovs_init(void)
{
    static const struct fb_watch_source source = {
        .read_coverage = fb_ovs_read_counter,
        .read_dp = read_dp,
        .read_limit = read_limit,
        .read_mac = read_mac,
    };

    fb_watch_set_source(&source);
}
