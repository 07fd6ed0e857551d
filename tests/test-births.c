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

/* Tests of how many flow set-ups are recorded by flow.  Time is what they say
 * it is. */

#include <config.h>
#undef NDEBUG
#include "fanbench-config.h"

#include "fb-births.h"
#include "fb-clock.h"
#include "ovs-thread.h"
#include "plugin-test.h"
#include "util.h"

/* A second in ticks: the tests' clock counts ns. */
#define SEC UINT64_C(1000000000)

/* When the tests begin. */
#define START (1000 * SEC)

/* Set-ups per second that are recorded, and what a thread may have too much of
 * at one time. */
enum { PER_SECOND = 1000, SLACK = 16 };

/* Has one set-up at 'now' for 'share'.  Returns true if it is recorded. */
static bool
set_up(struct fb_births_share *share, uint64_t now)
{
    if (fb_births_admit(share, now)) {
        fb_births_record(share);
        return true;
    }
    return false;
}

/* Has 'n' set-ups for 'share', evenly between 'from' and 'to'.  Returns how
 * many are recorded. */
static unsigned int
set_up_many(struct fb_births_share *share, unsigned int n, uint64_t from,
            uint64_t to)
{
    unsigned int recorded = 0;

    for (unsigned int i = 0; i < n; i++) {
        recorded += set_up(share, from + (to - from) * i / n);
    }
    return recorded;
}

/* Checks that 'n' is 'expected', or up to 'slack' more or less. */
static void
check_near(unsigned int n, unsigned int expected, unsigned int slack)
{
    if (n + slack < expected || n > expected + slack) {
        ovs_fatal(0, "%u set-ups were recorded, not %u +- %u", n, expected,
                  slack);
    }
}

/* In a storm, a second's worth and then as many per second as asked for; after
 * a pause, however long, a second's worth again. */
static void
test_storm(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_births_share share = { .left = 0 };
    uint64_t t = START;

    fb_births_configure(PER_SECOND);
    ovs_assert(fb_births_begin() == PER_SECOND);
    check_near(set_up_many(&share, 5000, t, t + 1), PER_SECOND, SLACK);
    check_near(set_up_many(&share, 5000, t + 1, t + 2), 0, 0);
    check_near(set_up_many(&share, 400000, t, t + 10 * SEC), 10 * PER_SECOND,
               SLACK);
    t += 10 * SEC;
    for (int i = 1; i <= 4; i++) {
        /* Evenly: so each part of a second has its part of them. */
        check_near(set_up_many(&share, 10000, t, t + SEC / 4),
                   PER_SECOND / 4, SLACK);
        t += SEC / 4;
    }
    t += 100 * SEC;
    check_near(set_up_many(&share, 5000, t, t + 1), PER_SECOND, SLACK);
}

/* Below the rate, each is recorded. */
static void
test_quiet(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_births_share share = { .left = 0 };

    fb_births_configure(PER_SECOND);
    fb_births_begin();
    ovs_assert(set_up_many(&share, 60 * 990, START, START + 60 * SEC)
               == 60 * 990);
    /* All at once, once a second. */
    fb_births_begin();
    for (uint64_t i = 0; i < 10; i++) {
        ovs_assert(set_up_many(&share, 900, START + (100 + i) * SEC,
                               START + (100 + i) * SEC + 1) == 900);
    }
}

/* A batch is recorded as a whole, and then paid for. */
static void
test_batches(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_births_share share = { .left = 0 };
    unsigned int recorded = 0;

    fb_births_configure(PER_SECOND);
    fb_births_begin();
    for (uint64_t t = START; t < START + 20 * SEC; t += SEC / 1000) {
        if (fb_births_admit(&share, t)) {
            for (int i = 0; i < 64; i++) {
                fb_births_record(&share);
                recorded++;
            }
        }
    }
    check_near(recorded, 21 * PER_SECOND, 64 + SLACK);
}

/* There may be no limit, or hardly anything. */
static void
test_extremes(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_births_share share = { .left = 0 };

    fb_births_configure(0);
    ovs_assert(fb_births_begin() == 0);
    ovs_assert(set_up_many(&share, 1000000, START, START + 1) == 1000000);

    share = (struct fb_births_share) { .left = 0 };
    fb_births_configure(1);
    ovs_assert(fb_births_begin() == 1);
    ovs_assert(set_up_many(&share, 1000, START, START + 1) == 1);
    ovs_assert(set_up_many(&share, 100000, START, START + 50 * SEC) == 49);

    share = (struct fb_births_share) { .left = 0 };
    fb_births_configure(INT_MAX);
    ovs_assert(fb_births_begin() == INT_MAX);
    ovs_assert(set_up_many(&share, 1000000, START, START + 1) == 1000000);
}

enum { N_THREADS = 8 };

/* A thread has set-ups, all at the same time.  Stores in '*recorded_' how many
 * are recorded. */
static void *
storm_main(void *recorded_)
{
    struct fb_births_share share = { .left = 0 };
    unsigned int *recorded = recorded_;

    *recorded = set_up_many(&share, 100000, START, START + 1);
    return NULL;
}

/* Threads share the budget, and what none of them uses is no more than a
 * little for each. */
static void
test_threads(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    pthread_t threads[N_THREADS];
    unsigned int recorded[N_THREADS], sum = 0;

    fb_births_configure(PER_SECOND);
    fb_births_begin();
    for (size_t i = 0; i < N_THREADS; i++) {
        threads[i] = ovs_thread_create("storm", storm_main, &recorded[i]);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        xpthread_join(threads[i], NULL);
        sum += recorded[i];
    }
    check_near(sum, PER_SECOND, N_THREADS * SLACK);
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "storm", NULL, 0, 0, test_storm, OVS_RO },
    { "quiet", NULL, 0, 0, test_quiet, OVS_RO },
    { "batches", NULL, 0, 0, test_batches, OVS_RO },
    { "extremes", NULL, 0, 0, test_extremes, OVS_RO },
    { "threads", NULL, 0, 0, test_threads, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_GETTIME;
