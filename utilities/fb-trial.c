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

#include "fb-trial.h"

#include <errno.h>
#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-generator.h"
#include "fb-load.h"
#include "fb-meters.h"
#include "fb-sandbox.h"
#include "timeval.h"
#include "util.h"

/* Packets are on their way no more when all have arrived, or when none has
 * arrived, nor been looked up, for DRAIN_QUIET polls of DRAIN_POLL_NS.
 * Through kernel-only paths nothing is under way once the generator's system
 * call returns.  The userspace datapath's main thread takes its time; but it
 * answers for the datapath's counters between two rounds through its ports,
 * however slow those are.  In a queue that delays them packets may wait as
 * long as the slowest marked one took: that is added to DRAIN_QUIET.  And
 * packets that were misses are with a handler, which forwards them only when
 * it has translated as many as it takes at a time: where nothing arrives while
 * some are missing, it is waited for DRAIN_QUIET_MISSES polls. */
#define DRAIN_POLL_NS (1000 * 1000)
#define DRAIN_QUIET 3
#define DRAIN_QUIET_MISSES 300

/* No switch keeps a packet for this many polls. */
#define DRAIN_MAX_POLLS 2000

/* Returns for how many polls nothing may move until packets are taken to be on
 * their way through 'dut' no more; 'd' is what its datapath has counted. */
static int
get_quiet(const struct fb_dut *dut, const struct fb_datapath_counters *d)
{
    int quiet = d->missed > d->lost ? DRAIN_QUIET_MISSES : DRAIN_QUIET;

    return MIN(quiet + fb_marks_longest(dut->marks) / DRAIN_POLL_NS,
               DRAIN_MAX_POLLS);
}

/* Waits until no more packets are on their way through 'dut', and no longer
 * than until its sinks have received 'all', but for those that the datapath
 * says it has lost.  Its counters and theirs were 'before'. */
static char *
drain(struct fb_dut *dut, const struct fb_counters *before, uint64_t all)
{
    uint64_t last = UINT64_MAX;
    int quiet = DRAIN_QUIET;
    int n_equal = 0;

    for (int i = 0; i < DRAIN_MAX_POLLS && n_equal < quiet; i++) {
        struct fb_counters now = { .sinks_received = 0 };
        char *error = NULL;

        if (dut->sandbox) {
            error = fb_datapath_read(fb_sandbox_rpc(dut->sandbox),
                                     dut->kind->datapath_type, &now.datapath);
        }
        if (!error) {
            error = fb_counters_read_sinks(dut, &now);
        }
        if (error) {
            return error;
        }
        struct fb_datapath_counters d = fb_datapath_rise(&before->datapath,
                                                         &now.datapath);
        uint64_t received = now.sinks_received - before->sinks_received;
        if (received + d.lost * dut->copies >= all) {
            return NULL;
        }
        /* None of these ever falls, so that their sum tells of each. */
        uint64_t sum = (now.sinks_received + now.datapath.hit
                        + now.datapath.missed);
        n_equal = sum == last ? n_equal + 1 : 0;
        last = sum;
        quiet = get_quiet(dut, &d);
        xnanosleep(DRAIN_POLL_NS);
    }
    return NULL;
}

/* Finds out whether meters dropped what 'losses' of 'dut' has for lost in the
 * switch.  Nothing is asked where nothing is missing, so that the account of
 * every other trial costs nothing more. */
static char *
settle_meters(struct fb_dut *dut, struct fb_losses *losses)
{
    uint64_t n;

    if (!dut->management || !losses->lost[FB_LOST_SWITCH]) {
        return NULL;
    }
    char *error = fb_meters_count_drops(dut->management, &n);
    if (!error) {
        fb_losses_settle_meters(dut, n - MIN(n, dut->meter_drops), losses);
        dut->meter_drops = n;
    }
    return error;
}

/* Returns the time of CLOCK_MONOTONIC in ns, as struct fb_load_result has
 * it. */
static uint64_t
monotonic_ns(void)
{
    struct timespec ts;
    xclock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Lets those frames of the next load on 'dut' be marked that 'config' says. */
static void
begin_marks(struct fb_dut *dut, const struct fb_trial_config *config)
{
    fb_marks_begin(dut->marks, (config->mark_all ? FB_MARK_ALL
                                : config->latency ? FB_MARK_SOME
                                : FB_MARK_NONE), config->latency);
}

/* Returns the error message of the errno 'retval' of a generator, or NULL if
 * that is 0.  The caller must free it. */
static char *
explain_sending(int retval)
{
    return (retval ? xasprintf("fb-gen: sending failed (%s)",
                               ovs_strerror(retval)) : NULL);
}

/* Ends a trial of 'dut', in which 'error', or nothing if that is null, went
 * wrong: names the DUT and what is behind the error; or, without an error,
 * lets other DUTs have the CPU of a PMD thread.
 *
 * Takes ownership of 'error'.  Returns NULL or the malloc()'d error message of
 * the trial. */
char *
fb_trial_end(struct fb_dut *dut, char *error)
{
    if (error) {
        error = fb_counters_explain(dut, error);
        char *whole = xasprintf("%s: %s", dut->label, error);
        free(error);
        return whole;
    }
    if (dut->kind->port_type) {
        fb_sandbox_pause(dut->sandbox);
    }
    return NULL;
}

/* Loads 'dut' as 'config' says and stores what came of it in '*trial', but for
 * 'block' and 'build', which are left alone.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message that names
 * the DUT. */
char *
fb_trial_run(struct fb_dut *dut, const struct fb_trial_config *config,
             struct fb_trial *trial)
{
    struct fb_load_result load = { .attempted = 0 };
    struct fb_counters before, in_time, after;

    fatal_signal_run();
    begin_marks(dut, config);
    char *error = fb_counters_read(dut, &before);
    if (!error && !config->pace.rate) {
        error = explain_sending(fb_generator_start(dut->generator));
    }
    if (!error && config->meter) {
        error = fb_cpu_meter_begin(config->meter,
                                   fb_sandbox_vswitchd(dut->sandbox));
    }
    if (!error) {
        error = explain_sending(fb_generator_run(
            dut->generator, &config->pace, config->duration_ns, config->stop,
            &load));
    }
    fatal_signal_run();
    uint64_t end_ns = load.end_ns;
    if (!error && config->meter) {
        error = fb_cpu_meter_end(config->meter, &load, &trial->cpu);
    }
    if (!error) {
        error = fb_counters_read_sinks(dut, &in_time);
        if (dut->kind->queues) {
            /* It has gone on meanwhile.  What others are given, they have
             * delivered when the generator stops. */
            end_ns = monotonic_ns();
        }
    }
    if (!error) {
        error = drain(dut, &before, load.attempted * dut->copies);
    }
    if (!error) {
        error = fb_counters_read(dut, &after);
    }
    if (!error) {
        fb_losses_settle(dut, &before, &after, load.attempted, config->broken,
                         &trial->losses);
        error = settle_meters(dut, &trial->losses);
    }
    if (error) {
        return fb_trial_end(dut, error);
    }

    trial->sending_ns = load.end_ns - load.start_ns;
    trial->duration_ns = end_ns - load.start_ns;
    trial->in_time = (config->broken
                      ? 0 : in_time.sinks_taken - before.sinks_taken);
    trial->datapath = fb_datapath_rise(&before.datapath, &after.datapath);
    trial->fdb = after.fdb;
    trial->n_left = after.ports_sent - before.ports_sent;
    trial->copies = dut->copies;
    trial->gap_error = load.gap_error;
    trial->not_sent = load.missed;
    trial->new_flows = load.new_flows;
    trial->back_offered = load.back;
    trial->back_arrived = after.back_received - before.back_received;
    fb_marks_end(dut->marks, &trial->marks);
    return fb_trial_end(dut, NULL);
}
