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

#include "fb-rounds.h"

#include <string.h>

#include "fb-clock.h"
#include "openvswitch/thread.h"
#include "util.h"

const char *const fb_work_members[FB_N_WORK] = {
    [FB_W_FLOWS] = "flows",
    [FB_W_BATCHES] = "batches",
    [FB_W_OPS] = "operations",
    [FB_W_LOCKS] = "locks",
    [FB_W_DUMP] = "dump_ns",
    [FB_W_REVALIDATION] = "revalidation_ns",
    [FB_W_OPERATIONS] = "operations_ns",
    [FB_W_SWEEP] = "sweep_ns",
    [FB_W_BARRIER] = "barrier_ns",
    [FB_W_PAUSE] = "pause_ns",
    [FB_W_THREAD] = "thread_ns",
    [FB_W_NETLINK] = "netlink_ns",
    [FB_W_LOCK_WAIT] = "lock_wait_ns",
};

/* A round that goes on. */
struct active_round {
    bool open;                  /* Does one go on? */
    const void *dump;           /* Its dump, which identifies it. */
    unsigned int n_committed;   /* Threads that have handed their work in. */
    uint64_t arrivals;          /* Sum of their arrivals at the last barrier,
                                 * in ticks since 'round.start'. */
    struct fb_round round;      /* What is known so far. */
};

/* Protects everything below. */
static struct ovs_mutex rounds_mutex = OVS_MUTEX_INITIALIZER;

/* The recording that all below belongs to. */
static unsigned int rounds_epoch;

/* Rounds begun in it. */
static uint64_t n_begun;

/* A datapath has one dump by revalidators at a time. */
static struct active_round active[FB_MAX_DATAPATHS];
static struct fb_round_totals totals[FB_MAX_DATAPATHS];

/* The latest rounds: the oldest is overwritten.  'n_history' counts all that
 * were ever stored. */
static struct fb_round history[FB_ROUNDS_HISTORY];
static uint64_t n_history;

/* Makes sure that the state belongs to the recording 'epoch': a newer one
 * begins with nothing.  Returns false if 'epoch' is older than the state: the
 * caller then comes too late. */
static bool
enter_epoch(unsigned int epoch)
{
    if (epoch == rounds_epoch) {
        return true;
    } else if ((int) (epoch - rounds_epoch) < 0) {
        return false;
    }
    rounds_epoch = epoch;
    n_begun = n_history = 0;
    memset(active, 0, sizeof active);
    memset(totals, 0, sizeof totals);
    return true;
}

/* Adds 'work' to 'sum'. */
static void
add_work(struct fb_round_work *sum, const struct fb_round_work *work)
{
    for (size_t i = 0; i < FB_N_WORK; i++) {
        sum->n[i] += work->n[i];
    }
}

/* Notes that the calling thread, at 'start' (ticks), began to create 'dump' of
 * datapath 'dp' in the recording 'epoch', and takes part in the round as its
 * leader.  Returns the round's id, or 0 if the round is not to be recorded. */
uint64_t
fb_rounds_begin(int dp, const void *dump, unsigned int epoch, uint64_t start)
{
    struct active_round *a = &active[dp];
    uint64_t id = 0;

    ovs_mutex_lock(&rounds_mutex);
    if (enter_epoch(epoch)) {
        totals[dp].n_unfinished += a->open;
        memset(a, 0, sizeof *a);
        a->open = true;
        a->dump = dump;
        a->round.id = id = ++n_begun;
        a->round.dp = dp;
        a->round.start = start;
        a->round.n_threads = 1;
        fb_cause_begin(dp, epoch, fb_clock_since(start, fb_clock_ticks()),
                       &a->round.cause);
    }
    ovs_mutex_unlock(&rounds_mutex);
    return id;
}

/* Notes that the calling thread takes part in the round of 'dump' in the
 * recording 'epoch'.  Returns the round's id and stores its datapath's index
 * in '*dp', or returns 0 if that round is not recorded, e.g. because it began
 * before the recording did. */
uint64_t
fb_rounds_join(const void *dump, unsigned int epoch, int *dp)
{
    uint64_t id = 0;

    ovs_mutex_lock(&rounds_mutex);
    if (epoch == rounds_epoch) {
        for (int i = 0; i < FB_MAX_DATAPATHS; i++) {
            struct active_round *a = &active[i];

            if (a->open && a->dump == dump) {
                a->round.n_threads++;
                id = a->round.id;
                *dp = i;
                break;
            }
        }
    }
    ovs_mutex_unlock(&rounds_mutex);
    return id;
}

/* Returns the round 'id' of datapath 'dp' if it still goes on, else null. */
static struct active_round *
find_active(int dp, uint64_t id)
{
    struct active_round *a = &active[dp];

    return a->open && a->round.id == id ? a : NULL;
}

/* Hands in 'work', the calling thread's share of round 'id' of datapath 'dp',
 * up to its arrival at the last barrier at 'arrival' (ticks). */
void
fb_rounds_commit(int dp, uint64_t id, const struct fb_round_work *work,
                 uint64_t arrival)
{
    struct active_round *a;

    ovs_mutex_lock(&rounds_mutex);
    a = find_active(dp, id);
    if (a) {
        add_work(&a->round.work, work);
        a->arrivals += fb_clock_since(a->round.start, arrival);
        a->n_committed++;
    }
    ovs_mutex_unlock(&rounds_mutex);
}

/* Adds what the threads of 'a' did after they handed in their work: they
 * waited in the last barrier until 'release', when the leader left it, and the
 * leader then destroyed the dump until 'end'. */
static void
add_epilogue(struct active_round *a, uint64_t release, uint64_t end)
{
    struct fb_round_work *work = &a->round.work;
    uint64_t waited = (fb_clock_since(a->round.start, release)
                       * a->n_committed);
    uint64_t destroyed = fb_clock_since(release, end);

    waited = fb_clock_since(a->arrivals, waited);
    work->n[FB_W_BARRIER] += waited;
    work->n[FB_W_DUMP] += destroyed;
    work->n[FB_W_THREAD] += waited + destroyed;
}

/* Adds 'round' to the totals and to the history. */
static void
keep_round(const struct fb_round *round)
{
    struct fb_round_totals *t = &totals[round->dp];

    t->min = t->n ? MIN(t->min, round->duration) : round->duration;
    t->max = MAX(t->max, round->duration);
    t->last = round->duration;
    t->last_flows = round->work.n[FB_W_FLOWS];
    t->duration += round->duration;
    t->n++;
    t->n_errors += round->error != 0;
    add_work(&t->work, &round->work);

    history[n_history++ % FB_ROUNDS_HISTORY] = *round;
}

/* Ends round 'id' of datapath 'dp': the leader left the last barrier at
 * 'release' and had destroyed the dump, with positive errno 'error' or 0, at
 * 'end' (ticks). */
void
fb_rounds_end(int dp, uint64_t id, uint64_t release, uint64_t end, int error)
{
    struct active_round *a;

    ovs_mutex_lock(&rounds_mutex);
    a = find_active(dp, id);
    if (a) {
        add_epilogue(a, release, end);
        a->round.duration = fb_clock_since(a->round.start, end);
        a->round.error = error;
        a->open = false;
        fb_cause_end(rounds_epoch, &a->round);
        keep_round(&a->round);
    }
    ovs_mutex_unlock(&rounds_mutex);
}

/* Copies the totals of the recording 'epoch', by datapath index, to
 * 'copies'. */
void
fb_rounds_totals(unsigned int epoch,
                 struct fb_round_totals copies[FB_MAX_DATAPATHS])
{
    ovs_mutex_lock(&rounds_mutex);
    if (epoch && epoch == rounds_epoch) {
        memcpy(copies, totals, sizeof totals);
    } else {
        memset(copies, 0, sizeof totals);
    }
    ovs_mutex_unlock(&rounds_mutex);
}

/* Copies the latest rounds of the recording 'epoch', at most 'max' of those of
 * datapath 'dp' (-1: of all).  Returns their number and stores in '*roundsp'
 * an array of them, the oldest first, which the caller must free. */
size_t
fb_rounds_history(unsigned int epoch, int dp, size_t max,
                  struct fb_round **roundsp)
{
    struct fb_round *rounds = xcalloc(FB_ROUNDS_HISTORY, sizeof *rounds);
    size_t first = FB_ROUNDS_HISTORY;

    /* Filled from the end, the latest first. */
    ovs_mutex_lock(&rounds_mutex);
    if (epoch && epoch == rounds_epoch) {
        size_t n = MIN(n_history, FB_ROUNDS_HISTORY);

        for (size_t i = 1; i <= n && FB_ROUNDS_HISTORY - first < max; i++) {
            const struct fb_round *round
                = &history[(n_history - i) % FB_ROUNDS_HISTORY];

            if (dp < 0 || round->dp == dp) {
                rounds[--first] = *round;
            }
        }
    }
    ovs_mutex_unlock(&rounds_mutex);

    memmove(rounds, &rounds[first],
            (FB_ROUNDS_HISTORY - first) * sizeof *rounds);
    *roundsp = rounds;
    return FB_ROUNDS_HISTORY - first;
}
