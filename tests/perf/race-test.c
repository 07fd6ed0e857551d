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

/* usage: race-test [ROUNDS]
 *
 * The recorder with everything at once: revalidators that go through rounds
 * together, threads that count and end and are replaced, and a main thread
 * that meanwhile starts, stops, clears and shows.  Meant to be built with
 * -fsanitize=thread (make check-tsan), it also checks that what a recording
 * shows never shrinks and is complete in the end. */

#undef NDEBUG
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-json.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-revalidator.h"
#include "fb-rounds.h"
#include "fb-snapshot.h"
#include "fb-text.h"
#include "fb-thread.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "ovs-atomic.h"
#include "ovs-thread.h"
#include "util.h"

/* Threads of each kind. */
enum { N_REVALIDATORS = 4, N_COUNTERS = 4 };

/* Events that a counting thread counts before it ends. */
enum { N_EVENTS = 2000 };

/* The rounds to go through. */
static unsigned int n_rounds = 300;

/* What revalidators wait for, and the dump of the present round. */
static struct ovs_barrier barrier;
static char dumps[2];
static atomic_uint round_no = 0;

/* Set when all threads are to end. */
static atomic_bool done = false;

static int dp;

/* Waits at the barrier, as the probe of ovs_barrier_block() has it. */
static void
block(void)
{
    unsigned int epoch = fb_recording_epoch();

    if (epoch) {
        struct fb_thread *t = fb_thread_self(epoch);
        bool counts = fb_revalidator_barrier_begin(t, &barrier,
                                                   fb_clock_ticks());

        ovs_barrier_block(&barrier);
        if (counts) {
            fb_revalidator_barrier_end(t, &barrier, fb_clock_ticks());
        }
    } else {
        ovs_barrier_block(&barrier);
    }
}

/* Takes flows from the dump until there are no more. */
static void
revalidate(const void *dump)
{
    unsigned int epoch = fb_recording_epoch();
    uint64_t now = fb_clock_ticks();
    struct fb_thread *t;

    if (!epoch) {
        return;
    }
    t = fb_thread_self(epoch);
    fb_revalidator_joins(t, dump, now, fb_clock_ticks());
    for (int i = 0; i < 20; i++) {
        if (fb_revalidator_next_begin(t, fb_clock_ticks())) {
            fb_revalidator_next_end(t, fb_clock_ticks(), 5);
        }
        fb_revalidator_ops_begin(t, fb_clock_ticks());
        fb_record_add(fb_thread_record(t, dp), FB_C_OP(FB_OP_DEL), 1);
        fb_revalidator_ops_end(t, fb_clock_ticks(), 1);
    }
    fb_revalidator_leaves(t, fb_clock_ticks(), fb_clock_ticks());
}

/* A revalidator.  'leader_' is not null for the one that leads. */
static void *
revalidator_main(void *leader_)
{
    for (unsigned int i = 0; i < n_rounds; i++) {
        const void *dump = &dumps[i % ARRAY_SIZE(dumps)];
        unsigned int epoch = fb_recording_epoch();

        if (leader_ && epoch) {
            fb_revalidator_leads(fb_thread_self(epoch), dp, dump,
                                 fb_clock_ticks(), fb_clock_ticks());
        }
        block();
        revalidate(dump);
        block();
        block();
        if (leader_) {
            epoch = fb_recording_epoch();
            if (epoch) {
                fb_revalidator_ends(fb_thread_self(epoch), fb_clock_ticks(),
                                    0);
            }
            atomic_store_relaxed(&round_no, i + 1);
        }
    }
    return NULL;
}

/* Counts some events, then ends, so that its record is given back. */
static void *
count_events(void *aux OVS_UNUSED)
{
    for (size_t i = 0; i < N_EVENTS; i++) {
        unsigned int epoch = fb_recording_epoch();

        if (epoch) {
            fb_record_add(fb_thread_record(fb_thread_self(epoch), dp),
                          FB_C_MISS, 1);
        }
    }
    return NULL;
}

/* Keeps one counting thread after another alive until 'done'.  Stores in
 * '*n_threadsp' how many there were. */
static void *
replace_counters(void *n_threadsp_)
{
    unsigned int *n_threadsp = n_threadsp_;
    bool stop = false;

    while (!stop) {
        xpthread_join(ovs_thread_create("handler", count_events, NULL), NULL);
        (*n_threadsp)++;
        atomic_read_relaxed(&done, &stop);
    }
    return NULL;
}

/* Renders everything there is to show.  Returns the misses shown. */
static uint64_t
show(void)
{
    unsigned int epoch = fb_recording_get()->epoch;
    struct fb_snapshot *s = fb_snapshot_take();
    struct ds ds = DS_EMPTY_INITIALIZER;
    uint64_t misses = s->dps[dp].total.n[FB_C_MISS];
    struct fb_round *rounds;
    size_t n;

    n = fb_rounds_history(epoch, -1, SIZE_MAX, &rounds);
    fb_text_status(s, &ds);
    fb_text_show(s, &ds);
    fb_text_rounds(s, rounds, n, &ds);
    json_destroy(fb_json_show(s));
    json_destroy(fb_json_rounds(s, rounds, n));
    ds_destroy(&ds);
    free(rounds);
    fb_snapshot_free(s);
    return misses;
}

/* Starts, stops, clears and shows until all rounds are over. */
static void
control(void)
{
    unsigned int i = 0, rounds;
    uint64_t last = 0;

    do {
        uint64_t misses = show();

        ovs_assert(misses >= last);
        last = misses;
        if (i % 5 == 4) {
            if (i % 2) {
                fb_recording_clear();
            } else if (fb_recording_stop()) {
                ovs_assert(!fb_recording_start(-1));
            }
            last = 0;
        }
        i++;
        atomic_read_relaxed(&round_no, &rounds);
    } while (rounds < n_rounds);
}

/* Nothing is lost when only threads come and go. */
static void
check_complete(void)
{
    pthread_t threads[N_COUNTERS];

    fb_recording_stop();
    ovs_assert(!fb_recording_start(-1));
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
        threads[i] = ovs_thread_create("handler", count_events, NULL);
    }
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
        xpthread_join(threads[i], NULL);
    }
    ovs_assert(show() == N_COUNTERS * N_EVENTS);
    ovs_assert(!fb_record_n_refused());
}

int
main(int argc, char *argv[])
{
    pthread_t revalidators[N_REVALIDATORS], counters[N_COUNTERS];
    unsigned int n_threads[N_COUNTERS] = { 0 };
    unsigned int total = 0;

    set_program_name(argv[0]);
    if (argc > 2 || (argc == 2 && !str_to_uint(argv[1], 10, &n_rounds))) {
        ovs_fatal(0, "usage: %s [ROUNDS]", program_name);
    }
    fb_clock_init(FB_CLOCK_AUTO);
    fb_thread_init();
    dp = fb_datapath_add("test@race");
    ovs_barrier_init(&barrier, N_REVALIDATORS);
    ovs_assert(!fb_recording_start(-1));

    for (size_t i = 0; i < N_REVALIDATORS; i++) {
        revalidators[i] = ovs_thread_create("revalidator", revalidator_main,
                                            !i ? argv : NULL);
    }
    for (size_t i = 0; i < N_COUNTERS; i++) {
        counters[i] = ovs_thread_create("replacer", replace_counters,
                                        &n_threads[i]);
    }
    control();
    atomic_store_relaxed(&done, true);
    for (size_t i = 0; i < N_REVALIDATORS; i++) {
        xpthread_join(revalidators[i], NULL);
    }
    for (size_t i = 0; i < N_COUNTERS; i++) {
        xpthread_join(counters[i], NULL);
        total += n_threads[i];
    }
    check_complete();
    printf("%u rounds, %u threads that ended\n", n_rounds, total);
    return 0;
}
