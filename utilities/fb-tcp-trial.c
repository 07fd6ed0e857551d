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

#include "fb-tcp-trial.h"

#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-cpu.h"
#include "fb-dut.h"
#include "fb-load.h"
#include "fb-losses.h"
#include "fb-sandbox.h"
#include "fb-tcp.h"
#include "fb-trial.h"
#include "timeval.h"
#include "util.h"

/* Bytes of the first transfer, which tells how fast the DUT is, and of the
 * greatest and the smallest after it. */
#define FIRST_BYTES (UINT64_C(4) << 20)
#define MIN_BYTES (UINT64_C(1) << 18)
#define MAX_BYTES (UINT64_C(1) << 40)

/* The last acknowledgments and the end of the connections are under way for a
 * moment after the transfer. */
#define DRAIN_POLL_NS (1000 * 1000)
#define DRAIN_MAX_POLLS 100

/* Stores in '*n_bytes' how many bytes a trial of 'dut' is to send so that it
 * takes as long as 'config' says, and warms it up on the way.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message that names
 * the DUT. */
char *
fb_tcp_trial_prepare(struct fb_dut *dut,
                     const struct fb_tcp_trial_config *config,
                     uint64_t *n_bytes)
{
    double seconds = MAX(config->warmup, config->duration);
    struct fb_tcp_transfer transfer;

    *n_bytes = FIRST_BYTES;
    for (int i = 0; i < 2; i++) {
        char *error = fb_tcp_send(dut->tcp, *n_bytes, &transfer);
        if (error) {
            return fb_trial_end(dut, error);
        }
        /* The second one, for the time of the warmup, tells it better. */
        double rate = transfer.report.bytes / transfer.report.seconds;
        double n = rate * (i ? config->duration : seconds);
        *n_bytes = MIN(MAX(n, MIN_BYTES), MAX_BYTES);
    }
    return fb_trial_end(dut, NULL);
}

/* Reads the counters of 'dut' into '*after', 'before' those of the transfer,
 * once all that fb-gen sent has arrived, or no more does. */
static char *
read_after(struct fb_dut *dut, const struct fb_counters *before,
           struct fb_counters *after)
{
    uint64_t last = 0;
    int n_equal = 0;

    for (int i = 0; i < DRAIN_MAX_POLLS && n_equal < 3; i++) {
        char *error = fb_counters_read(dut, after);
        if (error) {
            return error;
        }
        uint64_t received = after->sinks_received - before->sinks_received;
        if (received >= after->gen_sent - before->gen_sent) {
            return NULL;
        }
        n_equal = received == last ? n_equal + 1 : 0;
        last = received;
        xnanosleep(DRAIN_POLL_NS);
    }
    return NULL;
}

/* Stores in 'trial' what the counters say, which were 'before' and 'after' the
 * transfer.  Frames of both directions pass the same interfaces, so that only
 * the two ends can be told apart, and not where a frame was lost. */
static void
settle(const struct fb_counters *before, const struct fb_counters *after,
       struct fb_trial *trial)
{
    trial->losses = (struct fb_losses) {
        .offered = after->gen_sent - before->gen_sent,
        .delivered = after->sinks_received - before->sinks_received,
        .softnet = after->softnet - before->softnet,
        .consistent = true,
    };
    trial->datapath = fb_datapath_rise(&before->datapath, &after->datapath);
    trial->fdb = after->fdb;
    trial->n_left = after->ports_sent - before->ports_sent;
    trial->copies = 1;
}

/* Sends 'n_bytes' through 'dut' and measures CPU time by 'meter', which may be
 * null. */
static char *
send_metered(struct fb_dut *dut, struct fb_cpu_meter *meter, uint64_t n_bytes,
             struct fb_tcp_transfer *transfer, struct fb_trial *trial)
{
    static const struct fb_load_result nothing = { .attempted = 0 };

    char *error = (meter ? fb_cpu_meter_begin(
                               meter, fb_sandbox_vswitchd(dut->sandbox))
                   : NULL);
    if (!error) {
        error = fb_tcp_send(dut->tcp, n_bytes, transfer);
    }
    if (!error && meter) {
        error = fb_cpu_meter_end(meter, &nothing, &trial->cpu);
        trial->cpu.generator_ns += transfer->cpu_ns;
    }
    return error;
}

/* Sends 'n_bytes' through 'dut', as 'config' says, and stores what came of
 * them in '*trial', but for 'block' and 'build', which are left alone.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message that names
 * the DUT. */
char *
fb_tcp_trial_run(struct fb_dut *dut, const struct fb_tcp_trial_config *config,
                 uint64_t n_bytes, struct fb_trial *trial)
{
    struct fb_tcp_transfer transfer = { .cpu_ns = 0 };
    struct fb_counters before, after;

    fatal_signal_run();
    char *error = fb_counters_read(dut, &before);
    if (!error) {
        error = send_metered(dut, config->meter, n_bytes, &transfer, trial);
    }
    fatal_signal_run();
    if (!error) {
        error = read_after(dut, &before, &after);
    }
    if (!error) {
        settle(&before, &after, trial);
        trial->duration_ns = transfer.report.seconds * 1e9;
        trial->in_time = transfer.report.bytes;
        trial->retransmits = transfer.report.retransmits;
    }
    return fb_trial_end(dut, error);
}
