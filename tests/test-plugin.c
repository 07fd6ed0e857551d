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

/* Unit tests of the plugin's recorder, one sub-command a property. */

#undef NDEBUG
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-clock.h"
#include "fb-datapath.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-revalidator.h"
#include "fb-rounds.h"
#include "fb-snapshot.h"
#include "fb-thread.h"
#include "ovs-thread.h"
#include "plugin-test.h"
#include "util.h"

/* Threads and events in the tests with many threads. */
enum { N_THREADS = 8, N_EVENTS = 100000 };

/* The clock never runs backward in a thread and agrees with CLOCK_MONOTONIC.
 * The bound, 5 %, is far beyond any calibration error: it tells a right rate
 * from a wrong one, on a busy machine too. */
static void
test_clock(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const enum fb_clock_source sources[] = {
        FB_CLOCK_GETTIME, FB_CLOCK_AUTO,
    };

    for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
        uint64_t start, start_ns, last, ns, wall;

        fb_clock_init(sources[i]);
        start_ns = fb_clock_gettime_ns();
        start = last = fb_clock_ticks();
        do {
            uint64_t now = fb_clock_ticks();

            ovs_assert(now >= last);
            last = now;
            wall = fb_clock_gettime_ns() - start_ns;
        } while (wall < 50 * 1000 * 1000);
        fb_clock_calibrate();
        ns = fb_clock_to_ns(last - start);
        printf("%s: %lld ns in %lld ns\n", fb_clock_name(),
               (long long int) ns, (long long int) wall);
        ovs_assert(ns <= wall + wall / 20);
        ovs_assert(fb_clock_to_ns(0) == 0);
    }
    ovs_assert(fb_clock_since(5, 7) == 2 && fb_clock_since(7, 5) == 0);
}

/* Counts N_EVENTS events, then ends. */
static void *
count_events(void *dp_)
{
    int *dp = dp_;

    for (size_t i = 0; i < N_EVENTS; i++) {
        unsigned int epoch = fb_recording_epoch();
        struct fb_thread *thread = fb_thread_self(epoch);

        fb_record_add(fb_thread_record(thread, *dp), FB_C_MISS, 1);
    }
    return NULL;
}

/* Returns the misses in a snapshot, taken now, of datapath 'dp', and how many
 * of them handlers counted in '*handlers'. */
static uint64_t
read_misses(int dp, uint64_t *handlers)
{
    struct fb_snapshot *s = fb_snapshot_take();
    uint64_t n = s->dps[dp].total.n[FB_C_MISS];

    *handlers = s->dps[dp].roles[FB_ROLE_HANDLER].n[FB_C_MISS];
    fb_snapshot_free(s);
    return n;
}

/* A reader sees the counts of threads grow only, and in the end all of them,
 * of threads that live and of those that are gone, each once. */
static void
test_records(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = fb_datapath_add("test@records");
    pthread_t threads[N_THREADS];
    uint64_t last, n, handlers;

    ovs_assert(!fb_recording_start(-1));
    ovs_assert(fb_recording_start(-1) == EALREADY);
    for (size_t i = 0; i < N_THREADS; i++) {
        threads[i] = ovs_thread_create(i % 2 ? "handler" : "pmd-c",
                                       count_events, &dp);
    }
    for (last = 0; last < N_THREADS * N_EVENTS; last = n) {
        n = read_misses(dp, &handlers);
        ovs_assert(n >= last && n <= N_THREADS * N_EVENTS && handlers <= n);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        xpthread_join(threads[i], NULL);
    }
    ovs_assert(read_misses(dp, &handlers) == N_THREADS * N_EVENTS);
    ovs_assert(handlers == N_THREADS * N_EVENTS / 2);

    /* Stopping keeps what was counted, clearing forgets it. */
    ovs_assert(!fb_recording_stop());
    ovs_assert(fb_recording_stop() == EALREADY);
    ovs_assert(read_misses(dp, &handlers) == N_THREADS * N_EVENTS);
    fb_recording_clear();
    ovs_assert(read_misses(dp, &handlers) == 0);

    /* A new recording begins with nothing, also for a thread that took part
     * in the old one. */
    ovs_assert(!fb_recording_start(-1));
    count_events(&dp);
    ovs_assert(read_misses(dp, &handlers) == N_EVENTS && !handlers);
    fb_recording_clear();
    ovs_assert(read_misses(dp, &handlers) == 0);
    count_events(&dp);
    ovs_assert(read_misses(dp, &handlers) == N_EVENTS);
}

/* When no record is free, threads go uncounted and that is said. */
static void
test_full(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static struct fb_record *records[FB_MAX_RECORDS];
    int dp = fb_datapath_add("test@full");
    uint64_t handlers;

    ovs_assert(!fb_recording_start(-1));
    for (size_t i = 0; i < FB_MAX_RECORDS; i++) {
        records[i] = fb_record_claim(dp, FB_ROLE_OTHER, "x");
        ovs_assert(records[i]);
        ovs_assert(!((uintptr_t) records[i] % CACHE_LINE_SIZE));
    }
    ovs_assert(!fb_record_claim(dp, FB_ROLE_OTHER, "x"));
    ovs_assert(fb_record_n_refused() == 1);
    count_events(&dp);
    ovs_assert(fb_record_n_refused() == 2);
    ovs_assert(read_misses(dp, &handlers) == 0);

    /* A record that is given back serves another, whose counts start at 0. */
    fb_record_renew(records[0], fb_recording_epoch());
    fb_record_add(records[0], FB_C_MISS, 7);
    fb_record_release(records[0]);
    ovs_assert(read_misses(dp, &handlers) == 7);
    ovs_assert(fb_record_claim(dp, FB_ROLE_OTHER, "y") == records[0]);
    ovs_assert(read_misses(dp, &handlers) == 7);
    fb_record_renew(records[0], fb_recording_epoch());
    ovs_assert(read_misses(dp, &handlers) == 7);
}

/* Datapaths are found by full name, by short name if that is clear, and not
 * when they are gone. */
static void
test_datapaths(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int a, b, dp;

    ovs_assert(fb_datapath_parse("ovs", &dp) == ENODEV);
    a = fb_datapath_add("system@ovs");
    ovs_assert(!fb_datapath_parse("ovs", &dp) && dp == a);
    b = fb_datapath_add("netdev@ovs");
    ovs_assert(fb_datapath_parse("ovs", &dp) == ENOTUNIQ);
    ovs_assert(!fb_datapath_parse("netdev@ovs", &dp) && dp == b);
    fb_datapath_remove("system@ovs");
    ovs_assert(!fb_datapath_parse("ovs", &dp) && dp == b);
    ovs_assert(fb_datapath_parse("system@ovs", &dp) == ENODEV);
    ovs_assert(fb_datapath_add("system@ovs") == a);
    for (int i = fb_datapath_count(); i < FB_MAX_DATAPATHS; i++) {
        char *name = xasprintf("test@%d", i);

        ovs_assert(fb_datapath_add(name) == i);
        free(name);
    }
    ovs_assert(fb_datapath_add("test@one-too-many") == -1);
    ovs_assert(fb_datapath_find("test@one-too-many") == -1);
}

/* Takes the calling thread through one round of 'dump' with known times.
 * 'base' is when it starts, in ticks. */
static void
play_round(int dp, const void *dump, uint64_t base)
{
    struct fb_thread *t = fb_thread_self(fb_recording_epoch());
    static int barrier, pause_barrier;

    fb_revalidator_leads(t, dp, dump, base, base + 10);
    if (fb_revalidator_barrier_begin(t, &barrier, base + 10)) {
        fb_revalidator_barrier_end(t, &barrier, base + 12);
        ovs_assert(fb_revalidator_barrier_begin(t, &pause_barrier, base + 12));
        fb_revalidator_barrier_end(t, &pause_barrier, base + 15);
    }
    fb_revalidator_joins(t, dump, base + 15, base + 20);
    if (fb_revalidator_next_begin(t, base + 20)) {
        fb_revalidator_next_end(t, base + 50, 7);
    }
    fb_revalidator_ops_begin(t, base + 150);
    fb_revalidator_ops_end(t, base + 350, 3);
    if (fb_revalidator_next_begin(t, base + 360)) {
        fb_revalidator_next_end(t, base + 370, 0);
    }
    fb_revalidator_leaves(t, base + 370, base + 375);
    if (fb_revalidator_barrier_begin(t, &barrier, base + 375)) {
        fb_revalidator_barrier_end(t, &barrier, base + 400);
    }
    fb_revalidator_ops_begin(t, base + 440);
    fb_revalidator_ops_end(t, base + 500, 2);
    if (fb_revalidator_barrier_begin(t, &barrier, base + 600)) {
        fb_revalidator_barrier_end(t, &barrier, base + 700);
    }
    fb_revalidator_ends(t, base + 800, 0);
}

/* Each tick of a round is accounted for, in the right phase. */
static void
test_rounds(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = fb_datapath_add("test@rounds");
    int other = fb_datapath_add("test@other");
    struct fb_round_totals totals[FB_MAX_DATAPATHS];
    struct fb_round *rounds;
    uint64_t *w;
    size_t n;

    ovs_assert(!fb_recording_start(-1));
    play_round(dp, &totals, 1000);
    n = fb_rounds_history(fb_recording_epoch(), -1, 10, &rounds);
    ovs_assert(n == 1 && rounds->id == 1 && rounds->dp == dp);
    ovs_assert(rounds->start == 1000 && rounds->duration == 800);
    ovs_assert(rounds->n_threads == 1);
    w = rounds->work.n;
    ovs_assert(w[FB_W_FLOWS] == 7 && w[FB_W_BATCHES] == 1);
    ovs_assert(w[FB_W_OPS] == 5);
    ovs_assert(w[FB_W_DUMP] == 10 + 5 + 30 + 10 + 5 + 100);
    ovs_assert(w[FB_W_BARRIER] == 2 + 25 + 100);
    ovs_assert(w[FB_W_PAUSE] == 3);
    ovs_assert(w[FB_W_REVALIDATION] == 100 + 10);
    ovs_assert(w[FB_W_OPERATIONS] == 200 + 60);
    ovs_assert(w[FB_W_SWEEP] == 40 + 100);
    ovs_assert(w[FB_W_THREAD] == 800);
    free(rounds);

    /* The history holds the latest; the totals hold all. */
    for (int i = 0; i < FB_ROUNDS_HISTORY + 10; i++) {
        play_round(i % 2 ? dp : other, &totals, 10000 + 1000 * i);
    }
    n = fb_rounds_history(fb_recording_epoch(), -1, SIZE_MAX, &rounds);
    ovs_assert(n == FB_ROUNDS_HISTORY);
    ovs_assert(rounds[0].id == 12 && rounds[n - 1].id == n + 11);
    free(rounds);
    n = fb_rounds_history(fb_recording_epoch(), other, 3, &rounds);
    ovs_assert(n == 3 && rounds[0].dp == other && rounds[2].dp == other);
    ovs_assert(rounds[0].id == rounds[2].id - 4);
    free(rounds);
    fb_rounds_totals(fb_recording_epoch(), totals);
    ovs_assert(totals[other].n == FB_ROUNDS_HISTORY / 2 + 5);
    ovs_assert(totals[dp].n == FB_ROUNDS_HISTORY / 2 + 6);
    ovs_assert(totals[dp].work.n[FB_W_THREAD] == 800 * totals[dp].n);

    /* Clearing forgets. */
    fb_recording_clear();
    n = fb_rounds_history(fb_recording_epoch(), -1, SIZE_MAX, &rounds);
    ovs_assert(!n);
    free(rounds);
    play_round(dp, &totals, 5);
    n = fb_rounds_history(fb_recording_epoch(), -1, SIZE_MAX, &rounds);
    ovs_assert(n == 1 && rounds->id == 1);
    free(rounds);
}

/* Events of a round whose begin was not seen are ignored; so is a round that
 * was cut by a new recording. */
static void
test_midway(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = fb_datapath_add("test@midway");
    struct fb_round *rounds;
    static int barrier, dump;
    struct fb_thread *t;

    ovs_assert(!fb_recording_start(-1));
    t = fb_thread_self(fb_recording_epoch());
    fb_revalidator_joins(t, &dump, 10, 20);
    ovs_assert(!fb_revalidator_next_begin(t, 20));
    fb_revalidator_ops_begin(t, 30);
    fb_revalidator_ops_end(t, 40, 1);
    fb_revalidator_leaves(t, 50, 60);
    ovs_assert(!fb_revalidator_barrier_begin(t, &barrier, 60));
    fb_revalidator_ends(t, 70, 0);

    fb_revalidator_leads(t, dp, &dump, 100, 110);
    ovs_assert(fb_revalidator_barrier_begin(t, &barrier, 110));
    fb_revalidator_barrier_end(t, &barrier, 120);
    fb_recording_clear();
    t = fb_thread_self(fb_recording_epoch());
    fb_revalidator_joins(t, &dump, 130, 140);
    ovs_assert(!fb_revalidator_next_begin(t, 140));
    fb_revalidator_leaves(t, 150, 160);
    fb_revalidator_ends(t, 170, 0);
    ovs_assert(!fb_rounds_history(fb_recording_epoch(), -1, SIZE_MAX,
                                  &rounds));
    free(rounds);

    play_round(dp, &dump, 200);
    ovs_assert(fb_rounds_history(fb_recording_epoch(), -1, SIZE_MAX,
                                 &rounds) == 1);
    ovs_assert(rounds->work.n[FB_W_THREAD] == 800);
    free(rounds);
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "clock", NULL, 0, 0, test_clock, OVS_RO },
    { "records", NULL, 0, 0, test_records, OVS_RO },
    { "full", NULL, 0, 0, test_full, OVS_RO },
    { "datapaths", NULL, 0, 0, test_datapaths, OVS_RO },
    { "rounds", NULL, 0, 0, test_rounds, OVS_RO },
    { "midway", NULL, 0, 0, test_midway, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_AUTO;
