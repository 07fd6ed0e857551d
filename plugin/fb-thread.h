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

#ifndef FB_THREAD_H
#define FB_THREAD_H 1

/* What a thread of ovs-vswitchd knows about itself while it records.
 *
 * The state lives in thread-local memory, so that it costs neither lock nor
 * allocation.  It is valid in one recording; the first event that a thread
 * sees in a new one resets it.
 *
 * Thread rules: everything here concerns the calling thread alone. */

#include <stdbool.h>
#include <stdint.h>
#include "fb-counters.h"
#include "fb-datapath.h"
#include "fb-rounds.h"
#include "openvswitch/compiler.h"

struct fb_record;

/* How far a revalidator is in a round. */
enum fb_stage {
    FB_STAGE_IDLE,              /* In no round, or in one not recorded. */
    FB_STAGE_LED,               /* Leader: it has created the dump. */
    FB_STAGE_READY,             /* Leader: the others know the dump. */
    FB_STAGE_DUMP,              /* Fetches and revalidates flows. */
    FB_STAGE_DUMPED,            /* No more flows: to the barrier. */
    FB_STAGE_SWEEP,             /* Sweeps ukeys. */
    FB_STAGE_SWEPT,             /* Leader: all threads are done. */
};

/* A revalidator in a round. */
struct fb_in_round {
    enum fb_stage stage;        /* How far it is. */
    bool leader;                /* Did it create the dump? */
    int dp;                     /* The datapath's index. */
    uint64_t id;                /* The round's id. */
    const void *barrier;        /* The barrier that separates the stages. */
    uint64_t joined;            /* Ticks when it came to the round. */
    uint64_t mark;              /* Ticks up to which time is accounted for. */
    struct fb_round_work work;  /* Its work in this round so far. */
};

/* State of one thread. */
struct fb_thread {
    unsigned int epoch;         /* The recording this is valid in; 0: none. */
    enum fb_role role;          /* What kind of thread this is. */
    char name[16];              /* Its name, as in OVS's log. */
    struct fb_record *records[FB_MAX_DATAPATHS]; /* By datapath, or null. */
    bool refused[FB_MAX_DATAPATHS]; /* No record was free. */
    struct fb_in_round round;   /* Revalidators only. */
    int dump_dp;                /* Others: the datapath being dumped, or -1. */
};

/* For thread-local variables: in a program, they are a constant away from the
 * thread's pointer. */
#ifdef FB_PRELOAD
#define FB_THREAD_LOCAL __thread
#else
#define FB_THREAD_LOCAL __attribute__((tls_model("local-exec"))) __thread
#endif

/* The calling thread's state.  Internal: use fb_thread_self(). */
extern FB_THREAD_LOCAL struct fb_thread fb_thread__;

/* Is the calling thread inside dpif_flow_dump_next() in a round?  By itself,
 * so that whoever takes a mutex asks by a single instruction.  Internal: use
 * fb_thread_in_dump(). */
extern FB_THREAD_LOCAL bool fb_thread_in_dump__;

void fb_thread_init(void);
void fb_thread_reset__(unsigned int epoch);
struct fb_record *fb_thread_record(struct fb_thread *, int dp);

/* Returns the calling thread's state in the recording 'epoch'. */
static inline struct fb_thread *
fb_thread_self(unsigned int epoch)
{
    if (OVS_UNLIKELY(fb_thread__.epoch != epoch)) {
        fb_thread_reset__(epoch);
    }
    return &fb_thread__;
}

/* Says whether the calling thread is inside the dump of a recorded round. */
static inline bool
fb_thread_in_dump(void)
{
    return fb_thread_in_dump__;
}

#endif /* fb-thread.h */
