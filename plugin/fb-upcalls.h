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

#ifndef FB_UPCALLS_H
#define FB_UPCALLS_H 1

/* What upcalls cost, by the thread that serves them.
 *
 * A handler receives upcalls from the kernel until there are none or it has
 * 64; translates each; and then passes all flow puts and packets of this batch
 * to the datapath at once.  Each upcall's latency lasts from its receipt until
 * that is done.  In the userspace datapath an upcall is a call of ofproto's
 * function, which is timed; the flow is installed after that, unseen.
 *
 * Each thread has its own statistics for each datapath, which it allocates
 * when it first serves an upcall there: about 31 kB.  When it ends, they are
 * added to those of the threads that are gone.
 *
 * Thread rules: fb_upcalls_read() is for the main thread, all else concerns
 * the calling thread and takes no lock but at its first upcall and its end. */

#include <stddef.h>
#include <stdint.h>
#include "fb-counters.h"
#include "fb-hist.h"

struct nlattr;
struct fb_thread;

/* Kinds of upcalls.  Those but for FB_UC_MISS are the packet's userspace
 * action, told apart by the cookie that ofproto put in it. */
enum fb_upcall_type {
    FB_UC_MISS,                 /* No flow matches. */
    FB_UC_SLOW_PATH,            /* A flow that only ofproto can serve. */
    FB_UC_SFLOW,                /* Sampling. */
    FB_UC_FLOW_SAMPLE,          /* The same, by an OpenFlow action. */
    FB_UC_IPFIX,                /* The same, for IPFIX. */
    FB_UC_CONTROLLER,           /* For an OpenFlow controller. */
    FB_UC_OTHER,                /* None of these. */
    FB_N_UPCALL_TYPES
};

/* Upcalls that OVS handles together, UPCALL_MAX_BATCH in its
 * ofproto-dpif-upcall.c. */
#define FB_UPCALL_MAX_BATCH 64

/* Errors by errno.  When there are more kinds than slots, the rest is counted
 * together. */
#define FB_ERRNO_SLOTS 7
struct fb_errno_table {
    atomic_int errnos[FB_ERRNO_SLOTS]; /* Positive errno, 0 in a free slot. */
    ATOMIC(uint64_t) n[FB_ERRNO_SLOTS + 1]; /* How often; last: all others. */
};

/* Statistics. */
struct fb_upcall_stats {
    int dp;                     /* Index of the datapath. */
    enum fb_role role;          /* The thread's role. */
    char name[16];              /* Its name; "gone" for those that ended. */
    ATOMIC(uint64_t) n_types[FB_N_UPCALL_TYPES]; /* Upcalls. */
    struct fb_hist latency;     /* In ticks. */
    ATOMIC(uint64_t) n_batches; /* Batches that were passed on. */
    ATOMIC(uint64_t) batched;   /* Upcalls in those. */
    ATOMIC(uint64_t) batch_max; /* Largest. */
    ATOMIC(uint64_t) n_full;    /* Batches of FB_UPCALL_MAX_BATCH. */
    ATOMIC(uint64_t) n_dropped; /* Upcalls of which nothing came. */
    struct fb_errno_table errors;    /* Receipts or calls that failed. */
    struct fb_errno_table put_errors; /* Its flow puts that failed. */
};

/* For each kind, its word in text and JSON. */
extern const char *const fb_upcall_type_names[FB_N_UPCALL_TYPES];

enum fb_upcall_type fb_upcall_classify(const struct nlattr *userdata);

void fb_upcalls_init(void);
void fb_upcalls_received(const struct fb_thread *, int dp,
                         enum fb_upcall_type, uint64_t now);
void fb_upcalls_drained(const struct fb_thread *, int dp, int error);
void fb_upcalls_batch_done(const struct fb_thread *, int dp, uint64_t now);
void fb_upcalls_put_failed(const struct fb_thread *, int dp, int error);
void fb_upcalls_called(const struct fb_thread *, int dp,
                       enum fb_upcall_type, uint64_t ticks, int error);
struct fb_upcall_stats *fb_upcalls_stats(const struct fb_thread *, int dp);

size_t fb_upcalls_read(unsigned int epoch, struct fb_upcall_stats ***);
void fb_upcalls_free(struct fb_upcall_stats **, size_t n);
void fb_upcalls_add(struct fb_upcall_stats *,
                    const struct fb_upcall_stats *);
struct fb_upcall_stats *fb_upcalls_create(int dp, enum fb_role,
                                          const char *name);

/* Counts in 'stats', which fb_upcalls_stats() returned, a miss that the
 * calling thread served in 'ticks'. */
static inline void
fb_upcalls_count_miss(struct fb_upcall_stats *stats, uint64_t ticks)
{
    fb_hist_add__(&stats->n_types[FB_UC_MISS], 1);
    fb_hist_record(&stats->latency, ticks);
}

#endif /* fb-upcalls.h */
