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

/* Probes of what the main thread tells the others: requests for revalidation,
 * the number of flows, and the flow limit.
 *
 * Each probe that is off costs one branch; none is on a hot path. */

#include <string.h>

#include "dpif.h"
#include "fb-cause.h"
#include "fb-datapath.h"
#include "fb-ovs.h"
#include "fb-preload.h"
#include "fb-probe-control.h"
#include "fb-recording.h"
#include "fb-returns.h"
#include "fb-wrap.h"
#include "ofproto/ofproto-provider.h"
#include "unixctl.h"

struct udpif;

FB_PROBED(void, udpif_revalidate, (struct udpif *));
FB_PROBED(int, dpif_get_dp_stats,
          (const struct dpif *, struct dpif_dp_stats *));

/* The udpif of each datapath that ofproto serves, else null.  Main thread. */
static const void *udpifs[FB_MAX_DATAPATHS];

/* OVS's "upcall/set-flow-limit". */
static unixctl_cb_func *set_flow_limit_cb;

/* ofproto begins to serve datapath 'dp' by 'udpif', or ceases to if that is
 * null.  A new one has the flow limit that udpif_create() gives it: 10,000, if
 * other_config:flow-limit is not lower. */
void
fb_probe_control_set_udpif(int dp, const void *udpif)
{
    unsigned int epoch = fb_recording_epoch();

    udpifs[dp] = udpif;
    if (udpif && epoch) {
        fb_cause_limit_is(dp, epoch, MIN(ofproto_flow_limit, 10000),
                          FB_LIMIT_NEW);
    }
}

/* Prepares.  To be called once, before main(). */
void
fb_probe_control_init(void)
{
    fb_cause_init(&ofproto_flow_limit);
    fb_returns_init(&ofproto_max_idle);
}

/* "upcall/set-flow-limit N": OVS does it, and then the limits are another. */
static void
set_flow_limit(struct unixctl_conn *conn, int argc, const char *argv[],
               void *aux)
{
    unsigned int epoch = fb_recording_epoch();

    set_flow_limit_cb(conn, argc, argv, aux);
    for (int dp = 0; epoch && dp < FB_MAX_DATAPATHS; dp++) {
        if (udpifs[dp]) {
            fb_cause_limit_is(dp, epoch,
                              fb_ovs_flow_limit(fb_datapath_name(dp)),
                              FB_LIMIT_SET);
        }
    }
}

/* OVS registers the command 'name', which 'cb' does, given 'aux'.  Returns the
 * function that does it instead, which as a rule is 'cb'. */
unixctl_cb_func *
fb_probe_control_command(const char *name, unixctl_cb_func *cb, void *aux)
{
    fb_ovs_registered(name, cb, aux);
    if (!strcmp(name, "upcall/set-flow-limit")) {
        set_flow_limit_cb = cb;
        return set_flow_limit;
    }
    return cb;
}

/* ofproto wants the flows of 'udpif' to be revalidated. */
void
FB_WRAP(udpif_revalidate)(struct udpif *udpif)
{
    unsigned int epoch = fb_recording_epoch();

    if (OVS_UNLIKELY(epoch)) {
        uint32_t triggers = fb_cause_read_triggers();

        for (int dp = 0; dp < FB_MAX_DATAPATHS; dp++) {
            if (udpifs[dp] == udpif && fb_recording_selects(dp)) {
                fb_cause_request(dp, epoch, triggers);
            }
        }
    }
    FB_REAL(udpif_revalidate)(udpif);
}

/* A datapath's counters are read: ofproto does so for the number of flows. */
int
FB_WRAP(dpif_get_dp_stats)(const struct dpif *dpif,
                           struct dpif_dp_stats *stats)
{
    int error = FB_REAL(dpif_get_dp_stats)(dpif, stats);

    if (OVS_UNLIKELY(fb_recording_epoch()) && !error) {
        int dp = fb_datapath_find(dpif_name(dpif));

        if (dp >= 0) {
            fb_cause_set_flows(dp, stats->n_flows);
        }
    }
    return error;
}
