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

/* usage: event-cost
 *
 * Times what one event costs in the probe: dpif_operate() with an empty
 * function behind it, while nothing is recorded and while it is.  All are
 * timed in turn in many short trials; the median of what an event took more
 * than the bare call is printed, with its 95 % interval.
 *
 * Fails if the processor has an invariant TSC and a recorded operation costs
 * more than 50 ns for sure, that is, if the whole interval is above. */

#undef NDEBUG
#include <stdio.h>
#include <stdlib.h>

#include "dpif.h"
#include "dpif-provider.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-recording.h"
#include "fb-stats.h"
#include "fb-wrap.h"
#include "util.h"

FB_PROBED(void, dpif_operate,
          (struct dpif *, struct dpif_op **, size_t,
           enum dpif_offload_type));

/* Trials of each kind, and events in each trial. */
enum { N_TRIALS = 200, N_EVENTS = 20000 };

/* Highest cost of a recorded operation, in ns. */
#define MAX_NS 50

/* What is timed. */
enum kind {
    KIND_BARE,                  /* The empty function. */
    KIND_OFF,                   /* The probe before it, off. */
    KIND_ON,                    /* The probe before it, recording. */
    N_KINDS
};

/* How the kinds are called in the output. */
static const char *const kind_names[N_KINDS] = {
    [KIND_BARE] = "bare call",
    [KIND_OFF] = "operation, not recorded",
    [KIND_ON] = "operation, recorded",
};

static struct dpif_op op = { .type = DPIF_OP_FLOW_PUT };
static struct dpif_op *ops[] = { &op };
static char full_name[] = "test@cost";
static struct dpif dpif = { .full_name = full_name };

/* The function behind the probe, which is not to be inlined. */
void __attribute__((noinline))
FB_REAL(dpif_operate)(struct dpif *d OVS_UNUSED,
                      struct dpif_op **o OVS_UNUSED, size_t n OVS_UNUSED,
                      enum dpif_offload_type type OVS_UNUSED)
{
    asm volatile("" ::: "memory");
}

/* Makes N_EVENTS calls of 'call'.  Returns how long that took, in ticks. */
static uint64_t
time_calls(void (*call)(struct dpif *, struct dpif_op **, size_t,
                        enum dpif_offload_type))
{
    uint64_t start = fb_clock_ticks();

    for (size_t i = 0; i < N_EVENTS; i++) {
        call(&dpif, ops, ARRAY_SIZE(ops), DPIF_OFFLOAD_AUTO);
    }
    return fb_clock_since(start, fb_clock_ticks());
}

/* Makes one trial of 'kind'.  Returns ns per event. */
static double
make_trial(enum kind kind)
{
    uint64_t ticks, ns;

    switch (kind) {
    case KIND_ON:
        ovs_assert(!fb_recording_start(-1));
        ticks = time_calls(FB_WRAP(dpif_operate));
        ovs_assert(!fb_recording_stop());
        break;
    case KIND_OFF:
        ticks = time_calls(FB_WRAP(dpif_operate));
        break;
    case KIND_BARE:
    case N_KINDS:
    default:
        ticks = time_calls(FB_REAL(dpif_operate));
        break;
    }
    ns = fb_clock_to_ns(ticks);
    return (double) ns / N_EVENTS;
}

int
main(int argc OVS_UNUSED, char *argv[])
{
    static double times[N_KINDS][N_TRIALS];
    bool failed = false;

    set_program_name(argv[0]);
    ovs_assert(fb_datapath_add(full_name) >= 0);
    for (size_t i = 0; i < N_TRIALS; i++) {
        for (size_t kind = 0; kind < N_KINDS; kind++) {
            times[kind][i] = make_trial(kind);
        }
    }

    printf("ns per event, clock %s (95 %% interval)\n", fb_clock_name());
    for (size_t kind = KIND_OFF; kind < N_KINDS; kind++) {
        struct fb_estimate e;

        ovs_assert(!fb_stats_difference(times[kind], times[KIND_BARE],
                                        N_TRIALS, &e));
        printf("%-26s %7.2f (%.2f to %.2f)\n", kind_names[kind], e.median,
               e.lo, e.hi);
        if (kind == KIND_ON && fb_clock_source__ == FB_CLOCK_TSC
            && e.lo > MAX_NS) {
            failed = true;
        }
    }
    if (failed) {
        ovs_error(0, "a recorded operation costs more than %d ns", MAX_NS);
    }
    return failed;
}
