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

#ifndef FB_CREW_H
#define FB_CREW_H 1

/* What each revalidator does in its rounds, and whether it gets the CPU that
 * it wants.
 *
 * A revalidator reads its own CPU time and how often it was preempted when it
 * enters a round and when it leaves it: two system calls each.  In time that
 * it neither worked nor waited for others, it was kept from the CPU.
 *
 * Thread rules: fb_crew_enter() and fb_crew_leave() are for the revalidator
 * itself, once a round; fb_crew_leave() takes a mutex for an instant.
 * fb_crew_read() is for any thread. */

#include <stddef.h>
#include <stdint.h>
#include "fb-rounds.h"

struct fb_thread;

/* Revalidators that can be told apart.  When there are more, those that have
 * been away for longest go. */
#define FB_MAX_CREW 256

/* How a revalidator fares. */
enum fb_verdict {
    FB_VERDICT_IDLE,            /* Has little to do. */
    FB_VERDICT_BUSY,            /* Works half of the time or more. */
    FB_VERDICT_STARVED,         /* Wants to work, and others have the CPU. */
    FB_VERDICT_GONE,            /* Takes part in rounds no longer. */
    FB_N_VERDICTS
};

/* A revalidator's sums over the rounds that it has left. */
struct fb_crew_member {
    char name[16];              /* The thread's name. */
    int dp;                     /* Index of the datapath. */
    uint64_t n_rounds;          /* Rounds. */
    uint64_t first;             /* Ticks when it entered the first. */
    uint64_t last;              /* Ticks when it left the latest. */
    uint64_t cpu_ns;            /* CPU time in rounds, in ns. */
    uint64_t n_preempted;       /* Involuntary context switches in rounds. */
    struct fb_round_work work;  /* Its share of the work.  FB_W_THREAD is the
                                 * time that it was in rounds. */
};

/* For each verdict, its word in text and JSON. */
extern const char *const fb_verdict_names[FB_N_VERDICTS];

void fb_crew_enter(void);
void fb_crew_leave(const struct fb_thread *, uint64_t now);
size_t fb_crew_read(unsigned int epoch, int dp, struct fb_crew_member **);

uint64_t fb_crew_active_ns(const struct fb_crew_member *);
uint64_t fb_crew_kept_ns(const struct fb_crew_member *);
enum fb_verdict fb_crew_judge(const struct fb_crew_member *,
                              uint64_t latest);

#endif /* fb-crew.h */
