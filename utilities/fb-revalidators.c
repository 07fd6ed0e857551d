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

#include "fb-experiment.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fb-dut.h"
#include "fb-json-read.h"
#include "fb-many-flows.h"
#include "fb-probe.h"
#include "openvswitch/json.h"
#include "timeval.h"
#include "util.h"

/* The experiment "revalidators": many flows, and rounds over them with more
 * and more revalidators.
 *
 * What the flow limit would do, were it not out of the way, is told by what
 * becomes of it in each round, in percent of itself.  (OVS lowers it after
 * rounds of over 1.3 s.)
 *
 * Two kinds of rounds are measured: those in which nothing has changed, so
 * that flows are only dumped and their counters read, and those after a change
 * of the OpenFlow table, in which each flow is translated anew. */

/* Longest time for a round of the kind that is wanted to end, in ms. */
#define ROUND_PATIENCE_MS 120000

/* Indexes of the columns. */
enum {
    COL_ROUND,
    COL_PER_FLOW,
    COL_DUMP,
    COL_LOCK_WAIT,
    COL_NETLINK,
    COL_REVALIDATION,
    COL_OPERATIONS,
    COL_SWEEP,
    COL_BARRIER,
    COL_PAUSE,
    COL_LIMIT,
    COL_FLOWS,
    N_COLUMNS
};

static const struct fb_column columns[N_COLUMNS] = {
    [COL_ROUND] = { "round_ms", "round ms", 1, true },
    [COL_PER_FLOW] = { "thread_us_per_flow", "threads' us/flow", 2, true },
    [COL_DUMP] = { "dump_pct", "dump %", 1, false },
    [COL_LOCK_WAIT] = { "lock_wait_pct", "of it lock wait %", 1, false },
    [COL_NETLINK] = { "netlink_pct", "of it netlink %", 1, false },
    [COL_REVALIDATION] = { "revalidation_pct", "revalidation %", 1, false },
    [COL_OPERATIONS] = { "operations_pct", "flow operations %", 1, false },
    [COL_SWEEP] = { "sweep_pct", "ukey sweep %", 1, false },
    [COL_BARRIER] = { "barrier_pct", "barrier wait %", 1, false },
    [COL_PAUSE] = { "pause_pct", "paused %", 1, false },
    [COL_LIMIT] = { "flow_limit_kept_pct", "flow limit after, %", 1, false },
    [COL_FLOWS] = { "flows", "flows", 0, false },
};

/* For the phases, their members in what the probe says of a round. */
static const char *const members[N_COLUMNS] = {
    [COL_DUMP] = "dump_ns",
    [COL_LOCK_WAIT] = "lock_wait_ns",
    [COL_NETLINK] = "netlink_ns",
    [COL_REVALIDATION] = "revalidation_ns",
    [COL_OPERATIONS] = "operations_ns",
    [COL_SWEEP] = "sweep_ns",
    [COL_BARRIER] = "barrier_ns",
    [COL_PAUSE] = "pause_ns",
};

/* Kinds of rounds: without a change of the OpenFlow table and after one. */
static const char *const variants[] = { "unchanged", "translated" };

/* Only Open vSwitch has revalidators. */
static const char *
check(const struct fb_dut_kind *kind)
{
    return kind->datapath_type ? NULL : "it has no revalidators";
}

/* Has rounds come by a change of the OpenFlow table only.  Where they come
 * often, OVS does not translate flows without packets anew but deletes them,
 * once a round takes half the time between two (should_revalidate()). */
#define NO_ROUNDS "max-revalidator=3600000"

/* Sets the number of revalidators to 'threads', for which OVS deletes all
 * flows, and brings the flows back. */
static char *
set_threads(struct fb_experiment *e, unsigned int threads)
{
    char *setting = xasprintf("n-revalidator-threads=%u", threads);
    char *when = xasprintf("%u threads", threads);
    const char *settings[] = { setting, FB_MANY_FLOWS_ROUNDS };

    fb_experiment_progress(e, "%s", when);
    char *error = fb_many_flows_configure(e, settings, ARRAY_SIZE(settings));
    if (!error) {
        error = fb_many_flows_install(e, e->parameters->flows, when);
    }
    free(setting);
    free(when);
    return error;
}

/* Changes the OpenFlow table, which makes the next round translate every flow
 * anew, with a rule that no packet meets. */
static char *
change_rules(struct fb_experiment *e, unsigned int i)
{
    char *rule = xasprintf("priority=1,dl_type=0x88b6,dl_vlan=%u,"
                           "actions=drop\n", 1 + i % 4000);

    char *error = fb_sandbox_ofctl(e->dut->sandbox, "add-flows",
                                   e->dut->bridge, rule);
    free(rule);
    return error;
}

/* Says whether 'round' is one to count: one in which flows were translated
 * anew if 'changed', else one in which they were not. */
static bool
is_wanted(const struct json *round, bool changed)
{
    return (fb_json_number(round, "requests") > 0) == changed;
}

/* Returns how many of 'rounds' are wanted, see is_wanted(). */
static size_t
count_wanted(const struct json *rounds, bool changed)
{
    size_t n = 0;

    for (size_t i = 0; i < fb_json_size(rounds); i++) {
        n += is_wanted(fb_json_at(rounds, i), changed);
    }
    return n;
}

/* Makes and watches rounds, and stores what the probe says of them in
 * '*rounds', for the caller to destroy. */
static char *
watch_rounds(struct fb_experiment *e, unsigned int threads, bool changed,
             struct json **rounds)
{
    unsigned int trials = e->parameters->trials;
    long long int deadline = 0;
    size_t n_before = SIZE_MAX;

    for (;;) {
        char *error = fb_probe_read(e->dut, "fanbench/rounds", rounds);
        if (error) {
            return error;
        }
        size_t n = count_wanted(fb_json_member(*rounds, "rounds"), changed);
        if (n >= trials) {
            return NULL;
        }
        json_destroy(*rounds);
        *rounds = NULL;

        if (n != n_before) {
            n_before = n;
            deadline = time_msec() + ROUND_PATIENCE_MS;
            fb_experiment_progress(e, "%u threads: %s, round %"PRIuSIZE" of "
                                   "%u", threads, variants[changed], n + 1,
                                   trials);
            error = changed ? change_rules(e, n) : NULL;
            if (error) {
                return error;
            }
        } else if (time_msec() > deadline) {
            return xasprintf("no round has ended in %d s",
                             ROUND_PATIENCE_MS / 1000);
        }
        fb_experiment_sleep(20);
    }
}

/* Returns the figure of 'column' of 'round'. */
static double
get_figure(const struct json *round, int column)
{
    double thread = fb_json_number(round, "thread_ns");
    double flows = fb_json_number(round, "flows");

    switch (column) {
    case COL_ROUND:
        return fb_json_number(round, "duration_ns") / 1e6;
    case COL_PER_FLOW:
        return thread / flows / 1e3;
    case COL_LIMIT:
        return 100 * (fb_json_number(round, "flow_limit_after")
                      / fb_json_number(round, "flow_limit_before"));
    case COL_FLOWS:
        return flows;
    default:
        return 100 * fb_json_number(round, members[column]) / thread;
    }
}

/* Adds the point of 'rounds' to the result. */
static void
add_point(struct fb_experiment *e, unsigned int threads, bool changed,
          const struct json *rounds, struct json *probe)
{
    struct fb_estimate *figures = fb_experiment_result_add(
        e->result, e->label, variants[changed], threads, probe);
    size_t size = fb_json_size(rounds);
    double *x = xcalloc(size, sizeof *x);

    for (int column = 0; column < N_COLUMNS; column++) {
        size_t n = 0;

        for (size_t i = 0; i < size; i++) {
            const struct json *round = fb_json_at(rounds, i);
            if (is_wanted(round, changed)) {
                x[n++] = get_figure(round, column);
            }
        }
        figures[column] = fb_experiment_median(x, n);
    }
    free(x);
    if (figures[COL_FLOWS].median < e->parameters->flows) {
        fb_experiment_result_add_finding(
            e->result, FB_VOID, "flows-gone", NULL,
            "%s: with %u threads, rounds saw only %.0f of %u flows", e->label,
            threads, figures[COL_FLOWS].median, e->parameters->flows);
    }
}

/* Measures rounds with 'threads' revalidators. */
static char *
measure(struct fb_experiment *e, unsigned int threads, bool changed)
{
    const char *settings[] = { changed ? NO_ROUNDS : FB_MANY_FLOWS_ROUNDS };
    struct json *rounds = NULL;
    struct json *probe = NULL;

    char *error = fb_many_flows_configure(e, settings, 1);
    if (!error) {
        error = fb_probe_start(e->dut, "--no-flows");
    }
    if (!error) {
        error = watch_rounds(e, threads, changed, &rounds);
    }
    if (!error) {
        error = fb_probe_read(e->dut, "fanbench/revalidators", &probe);
    }
    if (!error) {
        add_point(e, threads, changed, fb_json_member(rounds, "rounds"),
                  probe);
        error = fb_probe_stop(e->dut);
    }
    json_destroy(rounds);
    return error;
}

/* Measures on one DUT. */
static char *
run(struct fb_experiment *e)
{
    const struct fb_experiment_parameters *p = e->parameters;

    char *error = fb_many_flows_build(e, p->flows);
    for (size_t i = 0; !error && i < p->n_values; i++) {
        error = set_threads(e, p->values[i]);
        if (!error) {
            error = measure(e, p->values[i], false);
        }
        if (!error) {
            error = measure(e, p->values[i], true);
        }
    }
    return error;
}

const struct fb_experiment_class fb_experiment_revalidators = {
    .varies = "revalidators",
    .min = 1,
    .max = 128,
    .here = {
        .values = "1,2,4,8,16,32,64,128", .flows = 200000, .trials = 10,
    },
    .guest = {
        .values = "1,2,4,8,16,32,64,128", .flows = 20000, .trials = 10,
    },
    .quick = { .values = "1,4,16", .flows = 5000, .trials = 6 },
    .full = { .flows = 200000 },
    .full_here_s = 4,
    .full_guest_s = 10,
    .columns = columns,
    .n_columns = N_COLUMNS,
    .check = check,
    .run = run,
};
