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

#ifndef FB_ROUNDS_H
#define FB_ROUNDS_H 1

/* Revalidation rounds: those that go on, the history, and totals.
 *
 * A round is one pass of a datapath's revalidators over its flows: from the
 * creation of the flow dump by the leading revalidator to its destruction,
 * after the sweep of the ukeys.  Each revalidator gathers its own share of the
 * work and hands it in once a round.
 *
 *     id = fb_rounds_begin(...);       -- Leader: the dump was created.
 *     id = fb_rounds_join(...);        -- Each other thread: joins the dump.
 *     fb_rounds_commit(...);           -- Each, before the last barrier.
 *     fb_rounds_end(...);              -- Leader: the dump was destroyed.
 *
 * Thread rules: all functions may be called by any thread.  They take a mutex
 * for a very short time; each thread calls them a few times a round.  The last
 * barrier of a round orders every commit before the end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "fb-cause.h"
#include "fb-datapath.h"

/* Rounds that the history holds. */
#define FB_ROUNDS_HISTORY 1024

/* Work that is done in a round, summed over its threads.  Times are in ticks
 * of fb_clock_ticks(). */
enum fb_work {
    FB_W_FLOWS,                 /* Flows that the dump returned. */
    FB_W_BATCHES,               /* Batches in which it returned them. */
    FB_W_OPS,                   /* Flow operations. */
    FB_W_LOCKS,                 /* Mutexes taken inside the dump. */

    /* Phases.  Their sum is FB_W_THREAD. */
    FB_W_DUMP,                  /* Getting flows from the datapath. */
    FB_W_REVALIDATION,          /* Between batches, but for operations. */
    FB_W_OPERATIONS,            /* In flow operations. */
    FB_W_SWEEP,                 /* Sweeping ukeys, but for operations. */
    FB_W_BARRIER,               /* Waiting for other revalidators. */
    FB_W_PAUSE,                 /* Held up by the main thread. */

    FB_W_THREAD,                /* Threads' time in the round. */

    /* Parts of FB_W_DUMP. */
    FB_W_NETLINK,               /* Receiving and splitting netlink messages. */
    FB_W_LOCK_WAIT,             /* Waiting for mutexes inside the dump. */

    FB_N_WORK
};

/* A share of the work of a round. */
struct fb_round_work {
    uint64_t n[FB_N_WORK];      /* Indexed by enum fb_work. */
};

/* One round. */
struct fb_round {
    uint64_t id;                /* 1 for the first of a recording. */
    int dp;                     /* Index of the datapath. */
    uint64_t start;             /* Ticks when the dump's creation began. */
    uint64_t duration;          /* Ticks until its destruction was done. */
    unsigned int n_threads;     /* Revalidators that took part. */
    int error;                  /* The dump's positive errno, or 0. */
    struct fb_round_work work;  /* Of all threads. */
    struct fb_cause cause;      /* Why it began; the flow limit. */
};

/* Sums over a datapath's rounds. */
struct fb_round_totals {
    uint64_t n;                 /* Rounds that were seen from begin to end. */
    uint64_t n_errors;          /* Of these, those whose dump failed. */
    uint64_t n_unfinished;      /* Rounds whose end was never seen. */
    uint64_t duration;          /* Sum of durations, in ticks. */
    uint64_t min;               /* Shortest, in ticks; 0 if 'n' is 0. */
    uint64_t max;               /* Longest, in ticks. */
    uint64_t last;              /* The latest, in ticks. */
    uint64_t last_flows;        /* Flows that the latest one dumped. */
    struct fb_round_work work;  /* Sums of the work. */
};

/* For each kind of work, its member in JSON. */
extern const char *const fb_work_members[FB_N_WORK];

uint64_t fb_rounds_begin(int dp, const void *dump, unsigned int epoch,
                         uint64_t start);
uint64_t fb_rounds_join(const void *dump, unsigned int epoch, int *dp);
void fb_rounds_commit(int dp, uint64_t id, const struct fb_round_work *,
                      uint64_t arrival);
void fb_rounds_end(int dp, uint64_t id, uint64_t release, uint64_t end,
                   int error);

void fb_rounds_totals(unsigned int epoch,
                      struct fb_round_totals [FB_MAX_DATAPATHS]);
size_t fb_rounds_history(unsigned int epoch, int dp, size_t max,
                         struct fb_round **roundsp);

/* Says whether kind 'w' of work is a time in ticks, rather than a count. */
static inline bool
fb_work_is_time(enum fb_work w)
{
    return w >= FB_W_DUMP;
}

#endif /* fb-rounds.h */
