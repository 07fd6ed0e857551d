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

#include "fb-analysis-copies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-result.h"
#include "util.h"

/* The kernel's default of net.core.netdev_max_backlog (net/core/hotdata.c). */
#define DEFAULT_BACKLOG 1000

/* Open vSwitch puts flows that have more outputs than that in the slow path,
 * but takes 100 and less to be the default, and so it does in a network
 * namespace, where it cannot be read (netdev_max_backlog() in OVS's
 * ofproto-dpif-xlate.c). */
#define OVS_LEAST_BACKLOG 101

/* Adds a finding to 'result' if copies that 'dut' made of a packet, up to
 * 'n_copies', did not find room. */
static void
judge_backlog(struct fb_result *result, const struct fb_dut_result *dut,
              uint64_t n_copies)
{
    long long int max = result->environment.max_backlog;
    uint64_t lost = 0;

    for (size_t i = 0; i < dut->n_trials; i++) {
        lost += dut->trials[i].losses.lost[FB_LOST_EGRESS_BACKLOG];
    }
    if (lost && max >= 0 && n_copies > max) {
        char *fix = xasprintf("sysctl -w net.core.netdev_max_backlog=%"PRIu64,
                              MAX(DEFAULT_BACKLOG, 2 * n_copies));
        fb_result_add_finding(
            result, FB_WARNING, "backlog-short", fix,
            "%s: %"PRIu64" copies were lost because a packet has up to "
            "%"PRIu64", and the receive queue of a CPU holds %lld "
            "(net.core.netdev_max_backlog)", dut->name, lost, n_copies, max);
        free(fix);
    }
}

/* Adds a finding to 'result' if flows of 'dut' were in the slow path after a
 * trial, or would be, with 'n_copies' of a packet, on the host. */
static void
judge_slow_path(struct fb_result *result, const struct fb_dut_result *dut,
                uint64_t n_copies)
{
    long long int max = result->environment.max_backlog;
    struct fb_slow_flows slow = { .n = 0 };

    for (size_t i = 0; i < dut->n_trials; i++) {
        const struct fb_slow_flows *s = &dut->trials[i].datapath.slow;
        if (s->n != FB_DATAPATH_NONE && s->n >= slow.n) {
            slow = *s;
        }
    }
    if (slow.n) {
        fb_result_add_finding(
            result, FB_WARNING, "slow-path",
            "see ovs-appctl dpif/show-dp-features BRIDGE for what the "
            "datapath can do",
            "%s: each packet of %"PRIu64" flow%s went through ovs-vswitchd "
            "(slow path): %"PRIu64" because of an action that the datapath "
            "cannot do or too many outputs, %"PRIu64" because of the match, "
            "%"PRIu64" for the controller", dut->name, slow.n,
            slow.n == 1 ? "" : "s", slow.action, slow.match, slow.controller);
    } else if (max >= OVS_LEAST_BACKLOG && n_copies > max) {
        fb_result_add_finding(
            result, FB_INFO, "slow-path",
            "sysctl -w net.core.netdev_max_backlog=1000",
            "%s: the host's own ovs-vswitchd would forward such packets "
            "itself (slow path), because %"PRIu64" outputs are more than "
            "net.core.netdev_max_backlog, %lld, which the one in the sandbox "
            "cannot read", dut->name, n_copies, max);
    }
}

/* Adds findings to 'result' about DUTs that lost copies of packets for want of
 * room in a CPU's receive queue, and about ovs-vswitchd forwarding packets
 * itself, also to avoid that. */
void
fb_copies_judge(struct fb_result *result)
{
    for (size_t i = 0; i < result->n_duts; i++) {
        const struct fb_dut_result *dut = &result->duts[i];
        uint64_t n_copies = 0;

        for (size_t j = 0; j < dut->n_trials; j++) {
            n_copies = MAX(n_copies, dut->trials[j].copies);
        }
        judge_backlog(result, dut, n_copies);
        if (dut->datapath_type) {
            judge_slow_path(result, dut, n_copies);
        }
    }
}
