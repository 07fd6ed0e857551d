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

/* Unit tests of causes, revalidators and upcalls, one sub-command a
 * property. */

#undef NDEBUG
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fb-cause.h"
#include "fb-clock.h"
#include "fb-crew.h"
#include "fb-datapath.h"
#include "fb-events.h"
#include "fb-recording.h"
#include "fb-rounds.h"
#include "fb-thread.h"
#include "fb-upcalls.h"
#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/ofpbuf.h"
#include "ovs-thread.h"
#include "plugin-test.h"
#include "util.h"

/* Checks that the law makes 'after' of the flow limit 'limit'. */
static void
check_law(unsigned int limit, long long int msec, uint64_t flows,
          unsigned int configured, unsigned int after, enum fb_law law)
{
    enum fb_law got;

    ovs_assert(fb_cause_law(limit, msec, flows, configured, &got) == after);
    ovs_assert(got == law);
}

/* OVS's law of the flow limit, at its bounds. */
static void
test_law(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    enum { MAX_LIMIT = 200000 };

    check_law(10000, 1, 0, MAX_LIMIT, 10000, FB_LAW_NONE);
    check_law(10000, 100, 1000, MAX_LIMIT, 10000, FB_LAW_NONE);
    check_law(10000, 100, 1001, MAX_LIMIT, 11000, FB_LAW_GREW);
    check_law(10000, 999, 50000, MAX_LIMIT, 11000, FB_LAW_GREW);
    check_law(10000, 1000, 50000, MAX_LIMIT, 10000, FB_LAW_NONE);
    check_law(10000, 1300, 50000, MAX_LIMIT, 10000, FB_LAW_NONE);
    check_law(10000, 1301, 0, MAX_LIMIT, 7500, FB_LAW_REDUCED);
    check_law(10000, 2000, 0, MAX_LIMIT, 7500, FB_LAW_REDUCED);
    check_law(10000, 2001, 0, MAX_LIMIT, 5000, FB_LAW_SCALED);
    check_law(10000, 4999, 0, MAX_LIMIT, 2500, FB_LAW_SCALED);
    check_law(1200, 1301, 0, MAX_LIMIT, 1000, FB_LAW_REDUCED);
    check_law(1000, 9000, 0, MAX_LIMIT, 1000, FB_LAW_NONE);
    check_law(10000, 10, 0, 4000, 4000, FB_LAW_CONFIGURED);
    check_law(10000, 10, 0, 500, 500, FB_LAW_CONFIGURED);
    check_law(199500, 10, 199500, MAX_LIMIT, MAX_LIMIT, FB_LAW_GREW);
    check_law(MAX_LIMIT, 10, 199500, MAX_LIMIT, MAX_LIMIT, FB_LAW_NONE);
}

/* Requests go to the next round of their datapath, once. */
static void
test_triggers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = fb_datapath_add("test@triggers");
    int other = fb_datapath_add("test@other");
    struct fb_round round = { .id = 1, .dp = dp };
    struct fb_cause_totals totals;
    unsigned int epoch;

    ovs_assert(!fb_recording_start(-1));
    epoch = fb_recording_epoch();
    fb_cause_request(dp, epoch, 1u << FB_TRIGGER_MAC_LEARNING);
    fb_cause_request(dp, epoch, 0);
    fb_cause_begin(other, epoch, 0, &round.cause);
    ovs_assert(!round.cause.triggers);
    fb_cause_begin(dp, epoch, 0, &round.cause);
    ovs_assert(round.cause.triggers == (1u << FB_TRIGGER_MAC_LEARNING
                                        | 1u << FB_TRIGGER_OTHER));
    ovs_assert(round.cause.n_requests == 2);
    fb_cause_end(epoch, &round);
    fb_cause_begin(dp, epoch, 0, &round.cause);
    fb_cause_end(epoch, &round);
    ovs_assert(round.cause.triggers == 1u << FB_TRIGGER_TIMER);
    round.work.n[FB_W_PAUSE] = 1;
    fb_cause_begin(dp, epoch, 0, &round.cause);
    fb_cause_end(epoch, &round);
    ovs_assert(round.cause.triggers == 1u << FB_TRIGGER_PAUSE);
    fb_cause_totals(epoch, dp, &totals);
    ovs_assert(totals.triggers[FB_TRIGGER_MAC_LEARNING] == 1);
    ovs_assert(totals.triggers[FB_TRIGGER_TIMER] == 1);
    ovs_assert(totals.triggers[FB_TRIGGER_PAUSE] == 1);
    fb_cause_totals(epoch + 1, dp, &totals);
    ovs_assert(!totals.triggers[FB_TRIGGER_TIMER]);
}

/* The latest events are kept, all are counted, and a new recording forgets
 * them. */
static void
test_events(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_event *events;
    uint64_t total;
    size_t n;

    for (uint64_t i = 0; i < FB_EVENTS_HISTORY + 10; i++) {
        struct fb_event event = { .dp = i % 2, .round = i };

        fb_events_add(7, &event);
    }
    n = fb_events_read(7, -1, SIZE_MAX, &events, &total);
    ovs_assert(n == FB_EVENTS_HISTORY && total == FB_EVENTS_HISTORY + 10);
    ovs_assert(events[0].round == 10 && events[n - 1].round == n + 9);
    free(events);
    n = fb_events_read(7, 1, 3, &events, &total);
    ovs_assert(n == 3 && events[0].dp == 1);
    ovs_assert(events[2].round == events[0].round + 4);
    free(events);
    n = fb_events_read(6, -1, SIZE_MAX, &events, &total);
    ovs_assert(!n && !total);
    free(events);
    fb_events_add(8, &(struct fb_event) { .dp = 0 });
    fb_events_add(7, &(struct fb_event) { .dp = 0 });
    ovs_assert(fb_events_read(8, -1, SIZE_MAX, &events, &total) == 1);
    free(events);
}

/* Busy, starved, idle and gone are told apart. */
static void
test_verdicts(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const uint64_t s = 1000000000;
    struct fb_crew_member m = { .first = 0, .last = 10 * s };

    fb_clock_init(FB_CLOCK_GETTIME);
    m.work.n[FB_W_THREAD] = 9 * s;
    m.work.n[FB_W_BARRIER] = 1 * s;
    m.cpu_ns = 8 * s;
    ovs_assert(fb_crew_active_ns(&m) == 8 * s && !fb_crew_kept_ns(&m));
    ovs_assert(fb_crew_judge(&m, m.last) == FB_VERDICT_BUSY);
    m.cpu_ns = 4 * s;
    ovs_assert(fb_crew_kept_ns(&m) == 4 * s);
    ovs_assert(fb_crew_judge(&m, m.last) == FB_VERDICT_BUSY);
    m.n_preempted = 100;
    ovs_assert(fb_crew_judge(&m, m.last) == FB_VERDICT_STARVED);

    /* Waiting for a lock is no starvation. */
    m.work.n[FB_W_LOCK_WAIT] = 4 * s;
    ovs_assert(fb_crew_judge(&m, m.last) == FB_VERDICT_IDLE);
    m.work.n[FB_W_LOCK_WAIT] = 0;
    m.work.n[FB_W_BARRIER] = 8 * s + s / 2;
    m.cpu_ns = 0;
    ovs_assert(fb_crew_judge(&m, m.last) == FB_VERDICT_IDLE);
    ovs_assert(fb_crew_judge(&m, m.last + 2 * s) == FB_VERDICT_GONE);
}

/* The cookie of a userspace action tells what kind of upcall it makes. */
static void
test_types(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct user_action_cookie cookie;
    uint64_t stub[16];
    struct ofpbuf buf;

    ovs_assert(fb_upcall_classify(NULL) == FB_UC_OTHER);
    for (int type = 0; type <= USER_ACTION_COOKIE_CONTROLLER + 1; type++) {
        enum fb_upcall_type expected
            = (type == USER_ACTION_COOKIE_SLOW_PATH ? FB_UC_SLOW_PATH
               : type == USER_ACTION_COOKIE_SFLOW ? FB_UC_SFLOW
               : type == USER_ACTION_COOKIE_FLOW_SAMPLE ? FB_UC_FLOW_SAMPLE
               : type == USER_ACTION_COOKIE_IPFIX ? FB_UC_IPFIX
               : type == USER_ACTION_COOKIE_CONTROLLER ? FB_UC_CONTROLLER
               : FB_UC_OTHER);

        memset(&cookie, 0, sizeof cookie);
        cookie.type = type;
        ofpbuf_use_stub(&buf, stub, sizeof stub);
        nl_msg_put_unspec(&buf, 1, &cookie, sizeof cookie);
        ovs_assert(fb_upcall_classify(buf.data) == expected);
        ofpbuf_uninit(&buf);
    }
    ofpbuf_use_stub(&buf, stub, sizeof stub);
    nl_msg_put_unspec(&buf, 1, &cookie, 1);
    ovs_assert(fb_upcall_classify(buf.data) == FB_UC_OTHER);
    ofpbuf_uninit(&buf);
}

/* Plays a handler's upcalls: a batch of 3, a full one, one upcall of which
 * nothing comes, and errors. */
static void *
play_handler(void *dp_)
{
    struct fb_thread *t = fb_thread_self(fb_recording_epoch());
    int dp = *(int *) dp_;

    for (int i = 0; i < 3; i++) {
        fb_upcalls_received(t, dp, FB_UC_MISS, 1000 + i);
    }
    fb_upcalls_drained(t, dp, EAGAIN);
    fb_upcalls_batch_done(t, dp, 2000);
    for (int i = 0; i < FB_UPCALL_MAX_BATCH; i++) {
        fb_upcalls_received(t, dp, FB_UC_SLOW_PATH, 3000);
    }
    fb_upcalls_batch_done(t, dp, 3500);
    fb_upcalls_received(t, dp, FB_UC_MISS, 5000);
    fb_upcalls_drained(t, dp, EAGAIN);
    fb_upcalls_received(t, dp, FB_UC_MISS, 6000);
    fb_upcalls_batch_done(t, dp, 6100);
    fb_upcalls_batch_done(t, dp, 6200);
    for (int error = 1; error <= FB_ERRNO_SLOTS + 2; error++) {
        fb_upcalls_drained(t, dp, error);
        fb_upcalls_put_failed(t, dp, EEXIST);
    }
    return NULL;
}

/* Returns '*counter'. */
static uint64_t
get(ATOMIC(uint64_t) *counter)
{
    uint64_t n;

    atomic_read_relaxed(counter, &n);
    return n;
}

/* What a handler did is there when it is gone, and added up. */
static void
test_handlers(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = fb_datapath_add("test@handlers");
    struct fb_upcall_stats **copies, *sum;
    unsigned int epoch;
    size_t n;

    ovs_assert(!fb_recording_start(-1));
    epoch = fb_recording_epoch();
    for (int i = 0; i < 2; i++) {
        xpthread_join(ovs_thread_create("handler", play_handler, &dp), NULL);
    }
    play_handler(&dp);
    n = fb_upcalls_read(epoch, &copies);
    ovs_assert(n == 2);
    ovs_assert(copies[0]->role == FB_ROLE_MAIN);
    ovs_assert(copies[1]->role == FB_ROLE_HANDLER);
    ovs_assert(!strcmp(copies[1]->name, "gone"));
    sum = fb_upcalls_create(dp, FB_ROLE_OTHER, "all");
    for (size_t i = 0; i < n; i++) {
        fb_upcalls_add(sum, copies[i]);
    }
    ovs_assert(get(&sum->n_types[FB_UC_MISS]) == 3 * 5);
    ovs_assert(get(&sum->n_types[FB_UC_SLOW_PATH]) == 3 * 64);
    ovs_assert(get(&sum->n_batches) == 3 * 3);
    ovs_assert(get(&sum->batched) == 3 * (3 + 64 + 1));
    ovs_assert(get(&sum->batch_max) == 64 && get(&sum->n_full) == 3);
    ovs_assert(get(&sum->n_dropped) == 3);
    ovs_assert(fb_hist_count(&sum->latency) == 3 * (3 + 64 + 1));
    ovs_assert(fb_hist_max(&sum->latency) == 1000);
    ovs_assert(fb_hist_min(&sum->latency) == 100);
    ovs_assert(get(&sum->errors.n[0]) == 3);
    ovs_assert(get(&sum->errors.n[FB_ERRNO_SLOTS]) == 3 * 2);
    ovs_assert(get(&sum->put_errors.n[0]) == 3 * (FB_ERRNO_SLOTS + 2));
    free(sum);
    fb_upcalls_free(copies, n);

    fb_recording_clear();
    ovs_assert(!fb_upcalls_read(fb_recording_epoch(), &copies));
    fb_upcalls_free(copies, 0);
    play_handler(&dp);
    n = fb_upcalls_read(fb_recording_epoch(), &copies);
    ovs_assert(n == 1 && get(&copies[0]->n_types[FB_UC_MISS]) == 5);
    fb_upcalls_free(copies, n);
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "law", NULL, 0, 0, test_law, OVS_RO },
    { "triggers", NULL, 0, 0, test_triggers, OVS_RO },
    { "events", NULL, 0, 0, test_events, OVS_RO },
    { "verdicts", NULL, 0, 0, test_verdicts, OVS_RO },
    { "types", NULL, 0, 0, test_types, OVS_RO },
    { "handlers", NULL, 0, 0, test_handlers, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_AUTO;
