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

#ifndef FB_TRIAL_H
#define FB_TRIAL_H 1

/* One trial: a load through a DUT, and what came of it. */

#include <signal.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-cpu.h"
#include "fb-gap.h"
#include "fb-losses.h"
#include "fb-marks.h"
#include "fb-pace.h"

struct fb_latency;

/* How to load the DUT. */
struct fb_trial_config {
    struct fb_pace_spec pace;   /* When packets are sent. */
    uint64_t duration_ns;       /* For how long to send. */
    struct fb_latency *latency; /* Where latencies go; NULL for none. */
    bool mark_all;              /* Mark all frames?  Needs a rate. */
    bool broken;                /* Frames arrive broken (see fb-proof.h). */
    struct fb_cpu_meter *meter; /* Measures CPU time, or NULL for nothing. */
    const volatile sig_atomic_t *stop; /* Sending ends when this is nonzero. */
};

/* What came of a trial. */
struct fb_trial {
    unsigned int block;         /* Number of its block, from 0. */
    unsigned int build;         /* Number of the build it went through. */
    uint64_t sending_ns;        /* From the first packet until the generator
                                 * stopped. */
    uint64_t duration_ns;       /* From the first packet until 'in_time' was
                                 * true. */
    uint64_t in_time;           /* Packets that had arrived by then; of TCP,
                                 * bytes of payload. */
    struct fb_losses losses;    /* All packets, once no more came. */
    struct fb_datapath_counters datapath; /* Open vSwitch: lookups in it, and
                                           * the flows after it. */
    struct fb_fdb fdb;          /* Linux bridge: its state after it. */
    uint64_t n_left;            /* Frames that left the switch's ports. */
    struct fb_cpu_usage cpu;    /* What it took of the CPUs. */
    uint64_t copies;            /* Copies of each packet that are to arrive. */
    struct fb_gap_error gap_error; /* At a fixed rate: how exact it was. */
    struct fb_marks_tally marks; /* What became of marked frames. */
    uint64_t back_offered;      /* Two-way: packets from the destinations to
                                 * the generator's port, or in a matrix from
                                 * all of them, among those offered... */
    uint64_t back_arrived;      /* ...and those that arrived at it. */
    uint64_t new_flows;         /* With churn: flows that began in it. */
    uint64_t retransmits;       /* TCP: segments that were sent again. */
    uint64_t not_sent;          /* At a fixed rate: packets that the generator
                                 * was too late to offer. */
};

char *fb_trial_run(struct fb_dut *, const struct fb_trial_config *,
                   struct fb_trial *) OVS_WARN_UNUSED_RESULT;
char *fb_trial_end(struct fb_dut *, char *error) OVS_WARN_UNUSED_RESULT;

#endif /* fb-trial.h */
