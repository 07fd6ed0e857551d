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

#include "fb-crew.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "fb-clock.h"
#include "fb-thread.h"
#include "openvswitch/thread.h"
#include "util.h"

const char *const fb_verdict_names[FB_N_VERDICTS] = {
    [FB_VERDICT_IDLE] = "idle",
    [FB_VERDICT_BUSY] = "busy",
    [FB_VERDICT_STARVED] = "starved",
    [FB_VERDICT_GONE] = "gone",
};

/* What the kernel says about the calling thread. */
struct usage {
    uint64_t cpu_ns;            /* CPU time, in ns. */
    uint64_t n_preempted;       /* Involuntary context switches. */
};

/* When the calling thread entered the round that it is in. */
static __thread struct usage entered;

/* Protects everything below. */
static struct ovs_mutex crew_mutex = OVS_MUTEX_INITIALIZER;

/* The recording that all below belongs to. */
static unsigned int crew_epoch;
static struct fb_crew_member crew[FB_MAX_CREW];
static size_t n_crew;

/* Returns the calling thread's usage so far. */
static struct usage
get_usage(void)
{
    struct usage usage = { .cpu_ns = 0 };
    struct timespec ts;
    struct rusage ru;

    if (!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts)) {
        usage.cpu_ns = ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
    }
    if (!getrusage(RUSAGE_THREAD, &ru)) {
        usage.n_preempted = ru.ru_nivcsw;
    }
    return usage;
}

/* The calling thread enters a round. */
void
fb_crew_enter(void)
{
    entered = get_usage();
}

/* Returns the entry of the thread called 'name' for datapath 'dp', made anew
 * if need be. */
static struct fb_crew_member *
get_member(const char *name, int dp)
{
    struct fb_crew_member *member = NULL;

    for (size_t i = 0; i < n_crew; i++) {
        if (crew[i].dp == dp && !strcmp(crew[i].name, name)) {
            return &crew[i];
        }
        if (!member || crew[i].last < member->last) {
            member = &crew[i];
        }
    }
    if (n_crew < FB_MAX_CREW) {
        member = &crew[n_crew++];
    }
    memset(member, 0, sizeof *member);
    ovs_strlcpy(member->name, name, sizeof member->name);
    member->dp = dp;
    return member;
}

/* 'thread', the calling thread, leaves the round that it is in at 'now'
 * (ticks). */
void
fb_crew_leave(const struct fb_thread *thread, uint64_t now)
{
    const struct fb_in_round *r = &thread->round;
    struct usage usage = get_usage();

    ovs_mutex_lock(&crew_mutex);
    if ((int) (thread->epoch - crew_epoch) > 0) {
        crew_epoch = thread->epoch;
        n_crew = 0;
    }
    if (thread->epoch == crew_epoch) {
        struct fb_crew_member *member = get_member(thread->name, r->dp);

        if (!member->n_rounds) {
            member->first = r->joined;
        }
        member->n_rounds++;
        member->last = now;
        member->cpu_ns += usage.cpu_ns - entered.cpu_ns;
        member->n_preempted += usage.n_preempted - entered.n_preempted;
        for (size_t i = 0; i < FB_N_WORK; i++) {
            member->work.n[i] += r->work.n[i];
        }
    }
    ovs_mutex_unlock(&crew_mutex);
}

/* Orders revalidators by datapath and then by number, which is in the name. */
static int
compare_members(const void *a_, const void *b_)
{
    const struct fb_crew_member *a = a_;
    const struct fb_crew_member *b = b_;
    size_t a_len = strlen(a->name);
    size_t b_len = strlen(b->name);

    return (a->dp != b->dp ? (a->dp < b->dp ? -1 : 1)
            : a_len != b_len ? (a_len < b_len ? -1 : 1)
            : strcmp(a->name, b->name));
}

/* Copies the revalidators of datapath 'dp' (-1: of all) in the recording
 * 'epoch'.  Returns their number and stores in '*membersp' an array of them,
 * which the caller must free. */
size_t
fb_crew_read(unsigned int epoch, int dp, struct fb_crew_member **membersp)
{
    struct fb_crew_member *members = xcalloc(FB_MAX_CREW, sizeof *members);
    size_t n = 0;

    ovs_mutex_lock(&crew_mutex);
    if (epoch && epoch == crew_epoch) {
        for (size_t i = 0; i < n_crew; i++) {
            if (dp < 0 || crew[i].dp == dp) {
                members[n++] = crew[i];
            }
        }
    }
    ovs_mutex_unlock(&crew_mutex);

    qsort(members, n, sizeof *members, compare_members);
    *membersp = members;
    return n;
}

/* Returns the time in which 'm' wanted the CPU, in ns: that in rounds but for
 * waiting for other revalidators, the main thread, and locks. */
uint64_t
fb_crew_active_ns(const struct fb_crew_member *m)
{
    const uint64_t *n = m->work.n;

    return fb_clock_to_ns(fb_clock_since(n[FB_W_BARRIER] + n[FB_W_PAUSE]
                                         + n[FB_W_LOCK_WAIT],
                                         n[FB_W_THREAD]));
}

/* Returns the part of that in which it had no CPU, in ns. */
uint64_t
fb_crew_kept_ns(const struct fb_crew_member *m)
{
    return fb_clock_since(m->cpu_ns, fb_crew_active_ns(m));
}

/* Says how 'm' fares, 'latest' being the time, in ticks, when a revalidator of
 * its datapath last left a round.  All leave a round at the same time: who did
 * so more than a second before has not been in the latest.
 *
 * The bounds are a convention: who wants the CPU for less than a tenth of the
 * time is idle; who was preempted and kept from it for more than a quarter of
 * what it wanted is starved. */
enum fb_verdict
fb_crew_judge(const struct fb_crew_member *m, uint64_t latest)
{
    uint64_t all = fb_clock_to_ns(fb_clock_since(m->first, m->last));
    uint64_t active = fb_crew_active_ns(m);

    if (fb_clock_to_ns(fb_clock_since(m->last, latest)) > 1000000000) {
        return FB_VERDICT_GONE;
    } else if (active < all / 10) {
        return FB_VERDICT_IDLE;
    } else if (m->n_preempted && fb_crew_kept_ns(m) > active / 4) {
        return FB_VERDICT_STARVED;
    }
    return active >= all / 2 ? FB_VERDICT_BUSY : FB_VERDICT_IDLE;
}
