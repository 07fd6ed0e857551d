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

#include "fb-options-tcp.h"

#include <stdlib.h>
#include <string.h>

#include "fb-dut.h"
#include "fb-iperf3.h"
#include "fb-options.h"
#include "fb-place.h"
#include "fb-result.h"
#include "fb-tcp.h"
#include "util.h"

/* The scenario that TCP goes with: others are about frames of our own. */
#define SCENARIO "fanout"

/* Size of the frames that prove that a DUT works: that of most of TCP's. */
#define FRAME_SIZE FB_MAX_FRAME_SIZE

/* Exits with an error message if one of 'options' is about frames that TCP has
 * not. */
static void
check_options(const struct fb_options *options)
{
    const struct {
        bool given;
        const char *name;
    } others[] = {
        { options->like != NULL, "like" },
        { options->destinations != NULL, "destinations" },
        { options->frame_size != NULL, "frame-size" },
        { options->flows != NULL, "flows" },
        { options->flow_fields != NULL, "flow-fields" },
        { options->ipv6, "ipv6" },
        { options->vlan != NULL, "vlan" },
        { options->rate != NULL, "rate" },
        { options->backend != NULL, "backend" },
        { options->threads != NULL, "threads" },
        { options->pcap != NULL, "pcap" },
        { options->pattern != NULL, "pattern" },
        { options->burst != NULL, "burst" },
        { options->pause != NULL, "pause" },
        { options->flow_packets != NULL, "flow-packets" },
        { options->masks != NULL, "masks" },
        { options->new_flows != NULL, "new-flows" },
        { options->search != NULL, "search" },
        { options->loss_ratio != NULL, "loss-ratio" },
        { options->sweep != NULL, "sweep" },
        { options->latency_rate != NULL, "latency-rate" },
        { options->latency_at != NULL, "latency-at" },
        { options->check_order, "check-order" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        if (others[i].given) {
            ovs_fatal(0, "--%s: does not go with --load=iperf3, which sends "
                      "TCP in bulk from one port to another", others[i].name);
        }
    }
}

/* Changes 'p', which holds a scenario's defaults, to what --load asks for.
 * Returns true if that is TCP, of which no other option about the load says
 * anything.  Exits with an error message if it cannot be. */
bool
fb_options_get_tcp(const struct fb_options *options, struct fb_parameters *p)
{
    char *version;

    if (options->load && strcmp(options->load, "iperf3")
        && strcmp(options->load, "frames")) {
        ovs_fatal(0, "--load=%s: no such load (use frames or iperf3)",
                  options->load);
    } else if (!options->load || strcmp(options->load, "iperf3")) {
        if (options->tso) {
            ovs_fatal(0, "--tso needs --load=iperf3");
        }
        return false;
    } else if (strcmp(p->scenario, SCENARIO)) {
        ovs_fatal(0, "--load=iperf3: goes with the scenario \""SCENARIO"\" "
                  "only, not with \"%s\"", p->scenario);
    }
    check_options(options);
    char *error = fb_iperf3_find(&version);
    if (error) {
        ovs_fatal(0, "--load=iperf3: %s", error);
    }
    free(version);
    p->tcp.wanted = true;
    p->tcp.tso = options->tso;
    p->n_destinations = 1;
    p->n_threads = 1;
    p->frame_size = FRAME_SIZE;
    p->latency_rate = 0;
    return true;
}

/* Exits with an error message if a DUT in 'place' cannot take the load of
 * 'p'. */
void
fb_options_check_tcp_place(const struct fb_parameters *p,
                           const struct fb_place *place)
{
    for (size_t i = 0; i < place->n_kinds; i++) {
        const char *why = fb_tcp_check_kind(place->kinds[i], &p->tcp);

        if (why) {
            ovs_fatal(0, "--tso: not with %s: %s (leave it out of --duts)",
                      place->kinds[i]->name, why);
        }
    }
}
