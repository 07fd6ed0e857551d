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

#include "fb-losses-report.h"

#include <inttypes.h>

#include "fb-figure-table.h"
#include "fb-losses.h"
#include "fb-result.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

/* Says in words what became of a packet that was lost in 'place'. */
static const char *
describe(enum fb_lost place)
{
    static const char *const texts[FB_N_LOST] = {
        [FB_LOST_GENERATOR] = "refused by the kernel when they were sent",
        [FB_LOST_DEVICE_QUEUE] = "dropped by the queueing discipline of the "
            "generator's interface",
        [FB_LOST_INGRESS_RING] = "found the receive ring of the switch's port "
            "full",
        [FB_LOST_INGRESS_BACKLOG] = "found the receive queue of their CPU "
            "full on the way to the switch (net.core.netdev_max_backlog)",
        [FB_LOST_XDP] = "found the AF_XDP socket of the switch's port full: "
            "the PMD thread did not come to empty it",
        [FB_LOST_PORT] = "received by the switch's port, but the datapath did "
            "not come to read them from it before it was full",
        [FB_LOST_UPCALL] = "missed in the datapath and did not get to "
            "ovs-vswitchd",
        [FB_LOST_NO_RULE] = "matched no OpenFlow rule, or one that drops",
        [FB_LOST_NO_PORT] = "matched an OpenFlow rule for a port that is not "
            "there",
        [FB_LOST_METER] = "dropped by a meter of Open vSwitch's",
        [FB_LOST_NETFILTER] = "refused by br_netfilter as invalid "
            "(net.bridge.bridge-nf-call-iptables)",
        [FB_LOST_PORT_STATE] = "in the switch, of which a port does not "
            "forward",
        [FB_LOST_NO_ENTRY] = "in the bridge, which has no entry for their "
            "destination",
        [FB_LOST_SWITCH] = "in the switch, which sent them to no port",
        [FB_LOST_EGRESS_QUEUE] = "dropped by the queueing discipline of a "
            "port of the switch, on their way out",
        [FB_LOST_EGRESS_RING] = "found the receive ring of a destination full",
        [FB_LOST_EGRESS_BACKLOG] = "found the receive queue of their CPU full "
            "on the way to a destination (net.core.netdev_max_backlog)",
        [FB_LOST_SINK] = "reached a destination's interface, but not its IP "
            "layer",
        [FB_LOST_CHECKSUM] = "reached a destination broken",
    };
    return texts[place];
}

/* Adds a cell that says where the packets in 'losses' were lost. */
void
fb_losses_add_cell(struct table *table, const struct fb_losses *losses)
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    for (int i = 0; i < FB_N_LOST; i++) {
        if (losses->lost[i]) {
            ds_put_format(&ds, "%s%s %"PRIu64, ds.length ? ", " : "",
                          fb_lost_name(i), losses->lost[i]);
        }
    }
    fb_add_cell(table, "%s", ds.length ? ds_cstr(&ds) : "-");
    ds_destroy(&ds);
}

/* Appends to 'ds', for each DUT in 'result' that lost packets, where each of
 * them went. */
void
fb_losses_format(const struct fb_result *result, struct ds *ds)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        const struct fb_losses *sum = &dut->sum;

        if (sum->offered == sum->delivered) {
            continue;
        }
        ds_put_format(ds, "\n%s: of %"PRIu64" packets, %"PRIu64" were "
                      "delivered; of the others\n", dut->name, sum->offered,
                      sum->delivered);
        for (int j = 0; j < FB_N_LOST; j++) {
            if (sum->lost[j]) {
                ds_put_format(ds, "    %"PRIu64" %s%s\n", sum->lost[j],
                              sum->lost[j] == 1 ? "was: " : "were: ",
                              describe(j));
            }
        }
        if (sum->unaccounted) {
            ds_put_format(ds, "    %"PRId64" have no place\n",
                          sum->unaccounted);
        }
    }
}

/* Returns the losses in 'losses' by place as JSON. */
struct json *
fb_losses_to_json(const struct fb_losses *losses)
{
    struct json *json = json_object_create();
    for (int i = 0; i < FB_N_LOST; i++) {
        json_object_put(json, fb_lost_name(i),
                        json_integer_create(losses->lost[i]));
    }
    return json;
}
