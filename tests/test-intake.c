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


/* Tests of how events get to the flow ledger. */

#include <config.h>
#undef NDEBUG
#include "fanbench-config.h"

#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-intake.h"
#include "fb-ledger-life.h"
#include "fb-ledger.h"
#include "fb-recording.h"
#include "fb-thread.h"
#include "fb-wake.h"
#include "ovs-thread.h"
#include "plugin-test.h"
#include "util.h"

/* Threads that have events at once: more than there are rings.  Flows of each,
 * and events of each flow. */
enum { N_THREADS = 70, N_FLOWS = 40, N_EVENTS = 50 };

/* Threads that end and are replaced, as often. */
enum { N_GENERATIONS = 3 };

/* Set when the threads that take events are to end. */
static atomic_bool done = false;

/* Begins a recording of one datapath, with an empty ledger. */
static void
begin(void)
{
    fb_thread_init();
    fb_intake_init();
    ovs_assert(fb_datapath_add("test@intake") == 0);
    ovs_assert(!fb_recording_start(-1));
}

/* Returns flow 'i' of thread 'thread'. */
static struct fb_flow_id
make_id(unsigned int thread, unsigned int i)
{
    uint64_t n = thread * UINT64_C(1000) + i;

    return (struct fb_flow_id) {
        .ufid = { n * UINT64_C(0x9e3779b97f4a7c15), n },
        .pmd_id = thread,
        .dp = 0,
    };
}

/* Reports that a miss of the flow 'id' was translated, with 'n_words' words of
 * what it matches. */
static void
miss(const struct fb_flow_id *id, size_t n_words)
{
    struct fb_flow_event *event = fb_intake_begin();

    *event = (struct fb_flow_event) {
        .epoch = fb_recording_epoch(),
        .kind = FB_EV_TRANSLATED,
        .dp = id->dp,
        .ufid = { id->ufid[0], id->ufid[1] },
        .pmd_id = id->pmd_id,
        .start = fb_clock_ticks(),
        .n_words = n_words,
    };
    event->end = event->start + 1;
    for (size_t i = 0; i < n_words; i++) {
        event->words[i] = 0;
    }
    fb_intake_end(event);
}

/* Returns the number of upcalls of the flow 'id', 0 if it is not known. */
static uint32_t
count_upcalls(const struct fb_flow_id *id)
{
    struct fb_ledger *ledger = fb_ledger_get(fb_recording_get()->epoch);
    struct fb_flow_record *record = fb_ledger_find(ledger, id);

    return record ? fb_ledger_count(&record->upcalls) : 0;
}

/* Has some events of each flow of the thread '*thread_', of all lengths. */
static void *
have_events(void *thread_)
{
    unsigned int thread = *(unsigned int *) thread_;

    for (unsigned int i = 0; i < N_FLOWS * N_EVENTS; i++) {
        struct fb_flow_id id = make_id(thread, i % N_FLOWS);

        miss(&id, i % (FB_EVENT_WORDS + 1));
    }
    return NULL;
}

/* Takes events until 'done'. */
static void *
take_events(void *aux OVS_UNUSED)
{
    bool stop;

    do {
        fb_intake_drain(UINT64_MAX);
        atomic_read_relaxed(&done, &stop);
    } while (!stop);
    return NULL;
}

/* However many threads there are, that come and go and have more events
 * than there is room for, while others take them: each counts once, or is said
 * to be missing. */
static void
test_threads(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    pthread_t takers[2], threads[N_THREADS];
    unsigned int numbers[N_THREADS];
    struct fb_ledger *ledger;
    uint32_t total = 0;

    begin();
    for (size_t i = 0; i < ARRAY_SIZE(takers); i++) {
        takers[i] = ovs_thread_create("taker", take_events, NULL);
    }
    for (int generation = 0; generation < N_GENERATIONS; generation++) {
        for (unsigned int i = 0; i < N_THREADS; i++) {
            numbers[i] = i;
            threads[i] = ovs_thread_create("pmd", have_events, &numbers[i]);
        }
        for (unsigned int i = 0; i < N_THREADS; i++) {
            xpthread_join(threads[i], NULL);
        }
    }
    atomic_store_relaxed(&done, true);
    for (size_t i = 0; i < ARRAY_SIZE(takers); i++) {
        xpthread_join(takers[i], NULL);
    }
    ovs_assert(fb_intake_drain(UINT64_MAX));
    for (unsigned int i = 0; i < N_THREADS * N_FLOWS; i++) {
        struct fb_flow_id id = make_id(i / N_FLOWS, i % N_FLOWS);

        total += count_upcalls(&id);
        ovs_assert(count_upcalls(&id) <= N_EVENTS * N_GENERATIONS);
    }
    /* A thread may be kept from the CPU while it adds a flow. */
    ledger = fb_ledger_get(fb_recording_epoch());
    total += fb_ledger_count(&ledger->n_contended);
    ovs_assert(total == N_THREADS * N_FLOWS * N_EVENTS * N_GENERATIONS);
}

/* What was reported before a new recording is no part of it, and what was
 * reported before the end of one is. */
static void
test_recordings(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_flow_id id = make_id(1, 1);

    begin();
    miss(&id, 0);
    ovs_assert(!count_upcalls(&id));
    ovs_assert(!fb_recording_stop());
    ovs_assert(fb_intake_drain(UINT64_MAX));
    ovs_assert(count_upcalls(&id) == 1);

    ovs_assert(!fb_recording_start(-1));
    miss(&id, 0);
    fb_recording_clear();
    ovs_assert(fb_intake_drain(UINT64_MAX));
    ovs_assert(!count_upcalls(&id));
    miss(&id, 0);
    ovs_assert(fb_intake_drain(UINT64_MAX));
    ovs_assert(count_upcalls(&id) == 1);
}

/* Events wait until there are many, then someone is told.  Without time for
 * it, nothing is done. */
static void
test_wake(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_flow_id id = make_id(1, 1);
    struct fb_wake wake;
    unsigned int n = 0;

    begin();
    ovs_assert(fb_wake_init(&wake));
    fb_intake_set_wake(&wake);
    while (!fb_wake_wait(&wake, 0)) {
        miss(&id, FB_EVENT_WORDS);
        n++;
        ovs_assert(n < 1000);
    }
    ovs_assert(n > 10);
    ovs_assert(!fb_intake_drain(0));
    ovs_assert(!count_upcalls(&id));
    ovs_assert(fb_intake_drain(UINT64_MAX));
    ovs_assert(count_upcalls(&id) == n);
    fb_intake_set_wake(NULL);

    /* Whoever is woken up before he waits does not wait, but once. */
    fb_wake_up(&wake);
    fb_wake_up(&wake);
    ovs_assert(fb_wake_wait(&wake, -1));
    ovs_assert(!fb_wake_wait(&wake, 1));
    fb_wake_destroy(&wake);
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "threads", NULL, 0, 0, test_threads, OVS_RO },
    { "recordings", NULL, 0, 0, test_recordings, OVS_RO },
    { "wake", NULL, 0, 0, test_wake, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_AUTO;
