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
#include "fanbench-test.h"
#include "fb-datapath.h"
#include "fb-drops.h"
#include "fb-netstat.h"
#include "fb-slow-flows.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Counters as ovs-vswitchd prints them. */
static void
test_datapath(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_datapath_counters c, d, sum = { .hit = 0 };

    CHECK(!fb_datapath_parse_show(
              "system@ovs-system:\n"
              "  lookups: hit:90 missed:10 lost:3\n"
              "  flows: 7\n"
              "  masks: hit:250 total:4 hit/pkt:2.50\n"
              "  cache: hit:60 hit-rate:60.00%\n"
              "  caches:\n"
              "    masks-cache: size:256\n"
              "  port 0: ovs-system (internal)\n", &c));
    CHECK(c.hit == 90 && c.missed == 10 && c.lost == 3 && c.flows == 7);
    CHECK(c.masks_hit == 250 && c.masks == 4 && c.cache_hit == 60);
    CHECK(c.emc_hit == FB_DATAPATH_NONE && c.dropped == FB_DATAPATH_NONE);

    CHECK(!fb_datapath_parse_show("netdev@ovs-netdev:\n"
                                  "  lookups: hit:5 missed:1 lost:0\n"
                                  "  flows: 1\n", &d));
    CHECK(d.masks == FB_DATAPATH_NONE && d.masks_hit == FB_DATAPATH_NONE);
    CHECK(d.cache_hit == FB_DATAPATH_NONE);
    fb_datapath_parse_pmd_stats("main thread:\n"
                                "  emc hits: 3\n  smc hits: 0\n"
                                "  megaflow hits: 2\n"
                                "pmd thread numa_id 0 core_id 1:\n"
                                "  emc hits: 10\n  smc hits: 1\n"
                                "  megaflow hits: 20\n", &d);
    CHECK(d.emc_hit == 13 && d.smc_hit == 1 && d.megaflow_hit == 22);

    char *error = fb_datapath_parse_show("no datapath\n", &c);
    CHECK(error && strstr(error, "not understood"));
    free(error);

    struct fb_drops drops;
    CHECK(!fb_drops_count(
              NULL, "system",
              "in_port(1),eth_type(0x0800), packets:100, bytes:6000, "
              "used:0.1s, actions:2\n"
              "in_port(2),eth_type(0x0800), packets:20, bytes:1200, "
              "used:0.1s, actions:drop\n"
              "in_port(3), packets:3, bytes:180, used:never, actions:drop",
              &drops));
    CHECK(drops.n == 23 && !drops.no_port && !drops.port_state);

    /* BFD is in the slow path by design. */
    struct fb_slow_flows slow = fb_slow_flows_count(
        "in_port(1), packets:1, used:never, actions:2\n"
        "in_port(2), packets:2, used:never, "
        "actions:userspace(pid=1,slow_path(action)),3\n"
        "in_port(3), packets:2, used:never, "
        "actions:userspace(pid=1,slow_path(bfd,action,match))\n"
        "in_port(4), packets:3, used:never, "
        "actions:userspace(pid=1,slow_path(bfd))\n"
        "in_port(5), packets:4, used:never, actions:2,"
        "userspace(pid=1,controller(reason=1,dont_send=0))");
    CHECK(slow.n == 3 && slow.action == 2);
    CHECK(slow.match == 1 && slow.controller == 1);
    CHECK(!fb_slow_flows_count("").n);

    /* What one of two does not have, neither has; "now" is the latest. */
    fb_datapath_add(&sum, &d);
    CHECK(sum.hit == 5 && sum.flows == 1);
    CHECK(sum.masks_hit == FB_DATAPATH_NONE);
    struct fb_datapath_counters before = d;
    d.hit = 25;
    d.flows = 9;
    struct fb_datapath_counters rise = fb_datapath_rise(&before, &d);
    CHECK(rise.hit == 20 && rise.flows == 9 && !rise.emc_hit);
    CHECK(rise.masks_hit == FB_DATAPATH_NONE);
}

/* Columns of /proc/net/snmp and /proc/net/softnet_stat. */
static void
test_netstat(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint64_t n;

    CHECK(fb_netstat_parse_ip_errors(
              "Ip: Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors\n"
              "Ip: 1 64 1000 77 5\n"
              "Icmp: InMsgs InErrors\nIcmp: 1 2\n") == 77);
    CHECK(!fb_netstat_parse_ip_errors("Ip: Forwarding\nIp: 1\n"));
    CHECK(!fb_netstat_parse_ip_errors(""));
    CHECK(fb_netstat_parse_softnet("0000aaaa 0000000f 00000001\n"
                                   "00000001 00000010 00000000\n") == 31);
    CHECK(!fb_netstat_softnet_drops(&n));
}

const struct ovs_cmdl_command test_losses_commands[] = {
    { "losses-datapath", NULL, 0, 0, test_datapath, OVS_RO },
    { "losses-netstat", NULL, 0, 0, test_netstat, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
