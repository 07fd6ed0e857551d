/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include <config.h>

#include "fb-experiment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fb-backend.h"
#include "fb-dut.h"
#include "fb-instructions.h"
#include "fb-packet.h"
#include "fb-traffic.h"
#include "fb-trial.h"
#include "util.h"

/* The experiment "path-length": how many instructions a packet takes from the
 * sender's system call to the sink, in a machine whose clock counts them, so
 * that it is the same number each time.
 *
 * It is the length of the path, and no time: caches, pipelines and contention
 * have no part in it. */

/* Destinations, one flow each. */
#define N_DESTINATIONS 8

/* Time of the machine's that one trial sends for: some dozen batches. */
#define TRIAL_NS (20 * 1000 * 1000)

/* Trials until the datapath has all flows and nothing is lost any more, at
 * most. */
#define MAX_WARMUPS 20

/* Indexes of the columns. */
enum {
    COL_INSTRUCTIONS,
    COL_ADDED,
    COL_BATCH,
    COL_ALIKE,
    COL_PACKETS,
    N_COLUMNS
};

static const struct fb_column columns[N_COLUMNS] = {
    [COL_INSTRUCTIONS] = { "instructions_per_packet", "instructions/packet", 2,
                           false },
    [COL_ADDED] = { "added_to_wire", "more than wire", 2, false },
    [COL_BATCH] = { "instructions_per_batch", "per batch of 64", 0, false },
    [COL_ALIKE] = { "trials_alike", "trials alike", 0, false },
    [COL_PACKETS] = { "packets", "packets", 0, false },
};

/* A userspace datapath takes packets at another time. */
static const char *
check(const struct fb_dut_kind *kind)
{
    return (kind->datapath_type && strcmp(kind->datapath_type, "system")
            ? "it does not forward packets in the sender's system call"
            : NULL);
}

/* Sends through the DUT for TRIAL_NS and stores what came of it in
 * '*trial'. */
static char *
send_some(struct fb_experiment *e, struct fb_trial *trial)
{
    const struct fb_trial_config config = {
        .duration_ns = TRIAL_NS,
        .stop = e->config->stop,
    };

    memset(trial, 0, sizeof *trial);
    return fb_trial_run(e->dut, &config, trial);
}

/* Has every packet of 'trial' arrived, and, in Open vSwitch, by a flow of the
 * datapath's? */
static bool
is_clean(const struct fb_experiment *e, const struct fb_trial *trial)
{
    const struct fb_losses *l = &trial->losses;
    const struct fb_datapath_counters *d = &trial->datapath;

    return (l->offered && l->delivered == l->offered
            && (!e->kind->datapath_type
                || (d->hit >= l->offered && !d->missed && !d->lost)));
}

/* Sends until the datapath knows all flows. */
static char *
warm_up(struct fb_experiment *e)
{
    struct fb_trial trial;

    for (int i = 0; i < MAX_WARMUPS; i++) {
        fb_experiment_progress(e, "warming up");
        char *error = send_some(e, &trial);
        if (error) {
            return error;
        } else if (i && is_clean(e, &trial)) {
            return NULL;
        }
    }
    return xasprintf("after %d trials packets are still lost or missed: "
                     "%"PRIu64" of %"PRIu64" arrived, %"PRIu64" hits, "
                     "%"PRIu64" misses", MAX_WARMUPS, trial.losses.delivered,
                     trial.losses.offered, trial.datapath.hit,
                     trial.datapath.missed);
}

/* Returns what the wire of this experiment took with frames of 'size' bytes,
 * an estimate that says nothing if it has not had its turn. */
static struct fb_estimate
get_wire(const struct fb_experiment *e, unsigned int size)
{
    const struct fb_experiment_result *r = e->result;

    for (size_t i = 0; i < r->n_points; i++) {
        if (r->points[i].value == size
            && !strcmp(r->points[i].dut, fb_dut_wire.name)) {
            return r->points[i].figures[COL_INSTRUCTIONS];
        }
    }
    return (struct fb_estimate) FB_NO_ESTIMATE;
}

/* Counts with frames of 'size' bytes. */
static char *
measure(struct fb_experiment *e, unsigned int size)
{
    struct fb_traffic traffic = { .n_flows = N_DESTINATIONS };
    unsigned int trials = e->parameters->trials;
    uint64_t best = UINT64_MAX, n_packets = 0;
    unsigned int n_alike = 0;

    fb_sizes_init(&traffic.sizes, size);
    char *error = fb_experiment_build(e, N_DESTINATIONS, &traffic);
    if (!error) {
        error = warm_up(e);
    }
    for (unsigned int i = 0; !error && i < trials; i++) {
        struct fb_trial trial;

        fb_experiment_progress(e, "trial %u of %u", i + 1, trials);
        fb_instructions_reset();
        error = send_some(e, &trial);
        uint64_t least = fb_instructions_least();
        if (!error && (!is_clean(e, &trial) || least == UINT64_MAX)) {
            error = xasprintf("%"PRIu64" of %"PRIu64" packets arrived, and "
                              "%"PRIu64" missed the datapath's flows: that "
                              "path is another one", trial.losses.delivered,
                              trial.losses.offered, trial.datapath.missed);
        } else if (!error) {
            n_alike = least < best ? 1 : n_alike + (least == best);
            best = MIN(best, least);
            n_packets += trial.losses.delivered;
        }
    }
    if (!error) {
        struct fb_estimate wire = get_wire(e, size);
        struct fb_estimate *f = fb_experiment_result_add(e->result, e->label,
                                                         NULL, size, NULL);
        f[COL_BATCH].median = best;
        f[COL_INSTRUCTIONS].median = best / (double) FB_BACKEND_BATCH;
        f[COL_ADDED].median = f[COL_INSTRUCTIONS].median - wire.median;
        f[COL_ALIKE].median = n_alike;
        f[COL_PACKETS].median = n_packets;
    }
    return error;
}

/* Measures on one DUT. */
static char *
run(struct fb_experiment *e)
{
    const struct fb_experiment_parameters *p = e->parameters;
    char *error = NULL;

    if (!fb_instructions_are_counted()) {
        return xstrdup("this machine's clock does not count instructions (use "
                       "--guest=qemu)");
    }
    for (size_t i = 0; !error && i < p->n_values; i++) {
        error = measure(e, p->values[i]);
    }
    return error;
}

const struct fb_experiment_class fb_experiment_path_length = {
    .varies = "frame sizes",
    .min = FB_PACKET_MIN_SIZE,
    .max = FB_MAX_FRAME_SIZE,
    .kernel_args = "init_on_alloc=0",
    .counts = true,
    .backend = &fb_backend_counted,
    .here = { .values = "64", .trials = 10 },
    .guest = { .values = "64", .trials = 10 },
    .quick = { .trials = 3 },
    .full = { .values = "64,128,256,512,1024,1514" },
    .full_here_s = 1,
    .full_guest_s = 1,
    .columns = columns,
    .n_columns = N_COLUMNS,
    .check = check,
    .run = run,
};
