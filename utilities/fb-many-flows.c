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

#include "fb-many-flows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-appctl.h"
#include "fb-datapath.h"
#include "fb-dut.h"
#include "fb-experiment.h"
#include "fb-generator.h"
#include "fb-traffic.h"
#include "fb-trial.h"
#include "svec.h"
#include "timeval.h"
#include "util.h"

/* A flow limit that even long rounds cannot bring near to any number of flows
 * before it is set again. */
#define FLOW_LIMIT "2000000000"

/* Rate at which the flows' first packets are sent, per second.  Those that are
 * lost as upcalls are sent again. */
#define INSTALL_RATE 100000

/* Longest time without any new flow while they are being installed, in ms. */
#define INSTALL_PATIENCE_MS 10000

/* Sets the 'n' 'settings', of the form "KEY=VALUE", in other_config of the
 * DUT's Open vSwitch and waits until they are in force. */
char *
fb_many_flows_configure(struct fb_experiment *e, const char *settings[],
                        size_t n)
{
    struct svec args = SVEC_EMPTY_INITIALIZER;

    svec_add(&args, "ovs-vsctl");
    svec_add(&args, "--timeout=60");
    svec_add(&args, "set");
    svec_add(&args, "Open_vSwitch");
    svec_add(&args, ".");
    for (size_t i = 0; i < n; i++) {
        svec_add_nocopy(&args, xasprintf("other_config:%s", settings[i]));
    }
    svec_terminate(&args);
    char *error = fb_sandbox_run(e->dut->sandbox,
                                 (const char *const *) args.names, NULL,
                                 NULL);
    svec_destroy(&args);
    return error;
}

/* Builds the DUT that 'e' is at, for 'flows' flows, and makes its flows
 * stay. */
char *
fb_many_flows_build(struct fb_experiment *e, unsigned int flows)
{
    static const char *settings[] = {
        ("flow-limit=" FLOW_LIMIT), "max-idle=3600000",
        FB_MANY_FLOWS_ROUNDS, "min-revalidate-pps=0",
    };
    struct fb_traffic traffic = {
        .n_flows = flows,
        .fields = FB_FIELD_SPORT | FB_FIELD_DPORT,
    };

    fb_sizes_init(&traffic.sizes, 64);
    char *error = fb_experiment_build(e, 1, &traffic);
    if (!error) {
        error = fb_many_flows_configure(e, settings, ARRAY_SIZE(settings));
    }
    if (!error) {
        error = fb_appctl(fb_sandbox_rpc(e->dut->sandbox), NULL,
                          "upcall/disable-megaflows", NULL);
    }
    return error;
}

/* Stores in '*n' how many flows the DUT's datapath has. */
static char *
count_flows(struct fb_experiment *e, uint64_t *n)
{
    struct fb_datapath_counters counters;

    char *error = fb_datapath_read(fb_sandbox_rpc(e->dut->sandbox),
                                   e->kind->datapath_type, &counters);
    *n = error ? 0 : counters.flows;
    return error;
}

/* Sends a packet of each of the 'flows' flows that the DUT was built for. */
char *
fb_many_flows_send(struct fb_experiment *e, unsigned int flows)
{
    struct fb_trial_config config = {
        .pace.rate = INSTALL_RATE,
        .duration_ns = flows * (1000000000ULL / INSTALL_RATE),
        .stop = e->config->stop,
    };
    struct fb_trial ignored;

    return fb_trial_run(e->dut, &config, &ignored);
}

/* Sends a packet of each of the 'flows' flows that the DUT was built for, and
 * that are in the datapath, from the CPU that the calling thread is bound to:
 * also those that this CPU is late for, which a trial leaves out. */
char *
fb_many_flows_touch(struct fb_experiment *e, unsigned int flows)
{
    fb_generator_rewind(e->dut->generator);
    int error = fb_generator_send(e->dut->generator, flows, INSTALL_RATE);

    return (error ? xasprintf("fb-gen: sending failed (%s)",
                              ovs_strerror(error))
            : NULL);
}

/* Puts the flow limit out of the way and sends packets until all of the
 * flows that the DUT was built for are in the datapath.  Progress says
 * 'when'. */
char *
fb_many_flows_install(struct fb_experiment *e, unsigned int flows,
                      const char *when)
{
    long long int progress = time_msec();
    uint64_t best = 0;
    uint64_t n = 0;

    char *error = fb_appctl(fb_sandbox_rpc(e->dut->sandbox), NULL,
                            "upcall/set-flow-limit", FLOW_LIMIT, NULL);
    while (!error && n < flows) {
        fb_experiment_progress(e, "%s: %"PRIu64" of %u flows", when, n, flows);
        error = fb_many_flows_send(e, flows);
        if (!error) {
            error = count_flows(e, &n);
        }
        if (n > best) {
            best = n;
            progress = time_msec();
        } else if (!error && time_msec() - progress > INSTALL_PATIENCE_MS) {
            error = xasprintf("only %"PRIu64" of %u flows are in the datapath "
                              "after sending their packets again and again; "
                              "try fewer", n, flows);
        }
    }
    return error;
}
