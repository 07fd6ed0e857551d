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

/* Probes of flow dumps: revalidation rounds, and dumps for other purposes.
 *
 * Each probe that is off costs one branch. */

#include "dpif.h"
#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-delay.h"
#include "fb-flow-events.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-revalidator.h"
#include "fb-thread.h"
#include "fb-wrap.h"
#include "netlink-socket.h"
#include "openvswitch/ofpbuf.h"
#include "ovs-thread.h"

FB_PROBED(struct dpif_flow_dump *, dpif_flow_dump_create,
          (const struct dpif *, bool, struct dpif_flow_dump_types *));
FB_PROBED(int, dpif_flow_dump_destroy, (struct dpif_flow_dump *));
FB_PROBED(struct dpif_flow_dump_thread *, dpif_flow_dump_thread_create,
          (struct dpif_flow_dump *));
FB_PROBED(void, dpif_flow_dump_thread_destroy,
          (struct dpif_flow_dump_thread *));
FB_PROBED(int, dpif_flow_dump_next,
          (struct dpif_flow_dump_thread *, struct dpif_flow *, int));
FB_PROBED(bool, nl_dump_next,
          (struct nl_dump *, struct ofpbuf *, struct ofpbuf *));
FB_PROBED(void, ovs_mutex_lock_at, (const struct ovs_mutex *, const char *));
FB_PROBED(void, ovs_barrier_block, (struct ovs_barrier *));

/* Returns the index of the datapath called 'name' if it is known and being
 * recorded, else -1. */
static int
recorded_datapath(const char *name)
{
    int dp = fb_datapath_find(name);

    return dp >= 0 && fb_recording_selects(dp) ? dp : -1;
}

/* Creation of a dump: by a revalidator, the begin of a round. */
struct dpif_flow_dump *
FB_WRAP(dpif_flow_dump_create)(const struct dpif *dpif, bool terse,
                               struct dpif_flow_dump_types *types)
{
    unsigned int epoch = fb_recording_epoch();
    struct dpif_flow_dump *dump;
    struct fb_thread *thread;
    uint64_t start;
    int dp;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(dpif_flow_dump_create)(dpif, terse, types);
    }

    thread = fb_thread_self(epoch);
    dp = recorded_datapath(dpif_name(dpif));
    start = fb_clock_ticks();
    dump = FB_REAL(dpif_flow_dump_create)(dpif, terse, types);
    if (thread->role == FB_ROLE_REVALIDATOR) {
        if (dp >= 0) {
            fb_delay(FB_DELAY_DUMP);
            fb_revalidator_leads(thread, dp, dump, start, fb_clock_ticks());
            fb_flow_round_begin(thread, start);
        }
        return dump;
    }

    thread->dump_dp = dp;
    if (dp >= 0) {
        struct fb_record *record = fb_thread_record(thread, dp);

        fb_record_add(record, FB_C_DUMPS, 1);
        fb_record_add(record, FB_C_DUMP_TICKS,
                      fb_clock_since(start, fb_clock_ticks()));
    }
    return dump;
}

/* Destruction of a dump: by a revalidator, the end of a round. */
int
FB_WRAP(dpif_flow_dump_destroy)(struct dpif_flow_dump *dump)
{
    unsigned int epoch = fb_recording_epoch();
    int error = FB_REAL(dpif_flow_dump_destroy)(dump);

    if (OVS_UNLIKELY(epoch)) {
        struct fb_thread *thread = fb_thread_self(epoch);

        if (thread->role == FB_ROLE_REVALIDATOR) {
            uint64_t end = fb_clock_ticks();

            if (thread->round.stage == FB_STAGE_SWEPT) {
                fb_flow_round_end(thread, thread->round.dp,
                                  thread->round.joined);
            }
            fb_revalidator_ends(thread, end, error);
        }
        thread->dump_dp = -1;
    }
    return error;
}

/* A thread begins to take flows from a dump. */
struct dpif_flow_dump_thread *
FB_WRAP(dpif_flow_dump_thread_create)(struct dpif_flow_dump *dump)
{
    unsigned int epoch = fb_recording_epoch();
    struct dpif_flow_dump_thread *dump_thread;
    struct fb_thread *thread;
    uint64_t start;

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(dpif_flow_dump_thread_create)(dump);
    }

    thread = fb_thread_self(epoch);
    start = fb_clock_ticks();
    dump_thread = FB_REAL(dpif_flow_dump_thread_create)(dump);
    if (thread->role == FB_ROLE_REVALIDATOR) {
        fb_revalidator_joins(thread, dump, start, fb_clock_ticks());
    }
    return dump_thread;
}

/* A thread has no more use for a dump. */
void
FB_WRAP(dpif_flow_dump_thread_destroy)(struct dpif_flow_dump_thread *t)
{
    unsigned int epoch = fb_recording_epoch();
    struct fb_thread *thread;
    uint64_t start;

    if (OVS_LIKELY(!epoch)) {
        FB_REAL(dpif_flow_dump_thread_destroy)(t);
        return;
    }

    thread = fb_thread_self(epoch);
    start = fb_clock_ticks();
    fb_flow_dump_end(thread, start);
    FB_REAL(dpif_flow_dump_thread_destroy)(t);
    fb_revalidator_leaves(thread, start, fb_clock_ticks());
}

/* dpif_flow_dump_next() while recording. */
static int
record_dump_next(unsigned int epoch, struct dpif_flow_dump_thread *t,
                 struct dpif_flow *flows, int max_flows)
{
    struct fb_thread *thread = fb_thread_self(epoch);
    uint64_t start = fb_clock_ticks();
    int n;

    if (fb_revalidator_next_begin(thread, start)) {
        fb_flow_batch_end(thread, start);
        n = FB_REAL(dpif_flow_dump_next)(
            t, flows, fb_flow_batch_size(thread, max_flows));
        fb_revalidator_next_end(thread, fb_clock_ticks(), n);
        fb_flow_batch_begin(thread, flows, n, thread->round.mark);
        if (n > 0) {
            fb_delay(FB_DELAY_REVALIDATION);
        }
        return n;
    }

    n = FB_REAL(dpif_flow_dump_next)(t, flows, max_flows);
    if (thread->dump_dp >= 0) {
        struct fb_record *record = fb_thread_record(thread, thread->dump_dp);

        fb_record_add(record, FB_C_DUMP_FLOWS, MAX(n, 0));
        fb_record_add(record, FB_C_DUMP_TICKS,
                      fb_clock_since(start, fb_clock_ticks()));
    }
    return n;
}

/* A batch of flows is taken from a dump. */
int
FB_WRAP(dpif_flow_dump_next)(struct dpif_flow_dump_thread *t,
                             struct dpif_flow *flows, int max_flows)
{
    unsigned int epoch = fb_recording_epoch();

    if (OVS_LIKELY(!epoch)) {
        return FB_REAL(dpif_flow_dump_next)(t, flows, max_flows);
    }
    return record_dump_next(epoch, t, flows, max_flows);
}

/* nl_dump_next() in a round.  Not inlined, nor is the next one, so that the
 * probe itself has nothing to save on the stack. */
static bool __attribute__((noinline))
record_nl_dump_next(struct nl_dump *dump, struct ofpbuf *reply,
                    struct ofpbuf *buffer)
{
    struct fb_round_work *work = &fb_thread__.round.work;
    uint64_t locked = work->n[FB_W_LOCK_WAIT];
    uint64_t start = fb_clock_ticks();
    bool more = FB_REAL(nl_dump_next)(dump, reply, buffer);

    locked = work->n[FB_W_LOCK_WAIT] - locked;
    work->n[FB_W_NETLINK] += fb_clock_since(start + locked, fb_clock_ticks());
    return more;
}

/* A netlink message is taken from a dump: of interest in rounds only, and only
 * when 'buffer' is empty, so that more messages have to be received.  If not,
 * it has the next, and to read the clock twice would take longer than to find
 * it. */
bool
FB_WRAP(nl_dump_next)(struct nl_dump *dump, struct ofpbuf *reply,
                      struct ofpbuf *buffer)
{
    if (OVS_LIKELY(!fb_thread_in_dump() || buffer->size)) {
        return FB_REAL(nl_dump_next)(dump, reply, buffer);
    }
    return record_nl_dump_next(dump, reply, buffer);
}

/* ovs_mutex_lock_at() in a round's dump. */
static void __attribute__((noinline))
record_mutex_lock(const struct ovs_mutex *mutex, const char *where)
{
    struct fb_round_work *work = &fb_thread__.round.work;
    uint64_t start = fb_clock_ticks();

    FB_REAL(ovs_mutex_lock_at)(mutex, where);
    if (!work->n[FB_W_LOCKS]) {
        fb_delay(FB_DELAY_LOCK);
    }
    work->n[FB_W_LOCK_WAIT] += fb_clock_since(start, fb_clock_ticks());
    work->n[FB_W_LOCKS]++;
}

/* A mutex is taken: of interest inside a round's dump only, where all
 * revalidators want the same one.
 *
 * A packet of the userspace datapath takes some twenty mutexes, so nothing
 * else is asked, whether recording or not. */
void
FB_WRAP(ovs_mutex_lock_at)(const struct ovs_mutex *mutex, const char *where)
{
    if (OVS_LIKELY(!fb_thread_in_dump())) {
        FB_REAL(ovs_mutex_lock_at)(mutex, where);
    } else {
        record_mutex_lock(mutex, where);
    }
}

/* A thread waits for others: of interest in rounds only. */
void
FB_WRAP(ovs_barrier_block)(struct ovs_barrier *barrier)
{
    unsigned int epoch = fb_recording_epoch();
    struct fb_thread *thread;

    if (OVS_LIKELY(!epoch)) {
        FB_REAL(ovs_barrier_block)(barrier);
        return;
    }

    thread = fb_thread_self(epoch);
    if (thread->role == FB_ROLE_REVALIDATOR
        && fb_revalidator_barrier_begin(thread, barrier, fb_clock_ticks())) {
        FB_REAL(ovs_barrier_block)(barrier);
        fb_revalidator_barrier_end(thread, barrier, fb_clock_ticks());
    } else {
        FB_REAL(ovs_barrier_block)(barrier);
    }
}
