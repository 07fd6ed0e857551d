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

#include <stdint.h>
#include <stdlib.h>

#include "fatal-signal.h"
#include "fb-appctl.h"
#include "fb-clock.h"
#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-experiment-fit.h"
#include "fb-extra-ports.h"
#include "fb-json-read.h"
#include "fb-probe.h"
#include "fb-traffic.h"
#include "openvswitch/json.h"
#include "timeval.h"
#include "util.h"

/* The experiment "port-churn": ports are added to a switch that has some
 * already, and deleted again, one at a time and CHURN at a time, with and
 * without load.
 *
 * The veth pairs exist before and after: only attaching and detaching them is
 * timed, by the clock of who asks for it: ovs-vsctl, which waits until
 * ovs-vswitchd has done it, or rtnetlink, whose requests are sent together in
 * a batch.  For an Open vSwitch, the probe says how much of that ovs-vswitchd
 * took, and how much of this was spent in the datapath: sending the kernel
 * requests and receiving its answers. */

/* Ports that are added and deleted. */
#define CHURN 128

/* Singly, as many are timed as there are trials; batches, fewer. */
#define TRIALS_PER_BATCH 8

/* Most ports beforehand, so that a Linux bridge, which has room for 1,024,
 * holds these, its own two and CHURN more. */
#define MAX_BEFORE (1024 - 2 - CHURN)

/* Longest time, in ms, until the probe has seen what ovs-vswitchd has done. */
#define PROBE_PATIENCE_MS 10000

/* Indexes of the columns. */
enum {
    COL_TIME,
    COL_VSWITCHD,
    COL_DATAPATH,
    N_COLUMNS
};

static const struct fb_column columns[N_COLUMNS] = {
    [COL_TIME] = { "ms_per_port", "ms/port", 3, true },
    [COL_VSWITCHD] = { "vswitchd_ms_per_port", "ovs-vswitchd ms/port", 3,
                       false },
    [COL_DATAPATH] = { "datapath_pct", "of it in the datapath %", 1, false },
};

/* What is done, in what ways. */
enum {
    DELETE = 1 << 0,            /* Not added, but deleted. */
    BATCH = 1 << 1,             /* All at once. */
    LOADED = 1 << 2,            /* Under load. */
    N_VARIANTS = 1 << 3
};
static const char *const variants[N_VARIANTS] = {
    [0] = "add singly",
    [DELETE] = "delete singly",
    [BATCH] = "add 128 at once",
    [BATCH | DELETE] = "delete 128 at once",
    [LOADED] = "add singly, loaded",
    [LOADED | DELETE] = "delete singly, loaded",
    [LOADED | BATCH] = "add 128 at once, loaded",
    [LOADED | BATCH | DELETE] = "delete 128 at once, loaded",
};

/* What was measured in one way. */
struct times {
    double *ms;                 /* Of each change: ms per port... */
    size_t n;                   /* ...so many. */
    size_t n_ports;             /* Ports changed, in all... */
    double operations;          /* ...in so many of the datapath's calls... */
    double ns;                  /* ...and ovs-vswitchd's time for them... */
    double datapath_ns;         /* ...and of that, in the datapath. */
};

/* An experiment on one DUT. */
struct churn {
    struct fb_experiment *e;
    struct fb_extra_ports ports;
    unsigned int before;        /* Ports beforehand. */
    struct times times[N_VARIANTS]; /* With these. */
    struct fb_fit_samples samples[N_VARIANTS]; /* With any number. */
};

/* A wire has no ports, and ports of types of their own take too much memory
 * each for so many. */
static const char *
check(const struct fb_dut_kind *kind)
{
    return (!kind->attach ? "it has no ports"
            : kind->port_type ? "it has memory for few such ports"
            : NULL);
}

/* Stores in '*times' the sums that the probe has of changes of ports. */
static char *
read_changes(struct churn *c, struct times *times)
{
    struct json *json;

    char *error = fb_probe_read(c->e->dut, "fanbench/ports", &json);
    const struct json *classes = fb_json_member(json, "port_changes");
    *times = (struct times) { .n = 0 };
    for (size_t i = 0; i < fb_json_size(classes); i++) {
        const struct json *class = fb_json_at(classes, i);

        times->operations += fb_json_number(class, "operations");
        times->ns += fb_json_number(class, "time_ns");
        times->datapath_ns += fb_json_number(class, "operations_ns");
    }
    json_destroy(json);
    return error;
}

/* Adds to 'times' what the probe has seen of the 'n' ports that were just
 * added or deleted, once that is all. */
static char *
take_changes(struct churn *c, size_t n, struct times *times)
{
    long long int deadline = time_msec() + PROBE_PATIENCE_MS;

    for (;;) {
        struct times seen;

        char *error = read_changes(c, &seen);
        if (!error && seen.operations >= n) {
            times->n_ports += n;
            times->operations += seen.operations;
            times->ns += seen.ns;
            times->datapath_ns += seen.datapath_ns;
            return NULL;
        } else if (!error && time_msec() > deadline) {
            error = xasprintf("ovs-vswitchd changed only %.0f of %"PRIuSIZE" "
                              "ports", seen.operations, n);
        }
        if (error) {
            return error;
        }
        fb_experiment_sleep(10);
    }
}

/* Adds or deletes, as 'variant' says, the 'n' ports from 'first' on, and notes
 * how long it took. */
static char *
change(struct churn *c, int variant, size_t first, size_t n)
{
    bool ovs = c->e->dut->sandbox != NULL;
    struct times *times = &c->times[variant];

    char *error = (ovs ? fb_appctl(fb_sandbox_rpc(c->e->dut->sandbox), NULL,
                                   "fanbench/clear", NULL)
                   : NULL);
    if (error) {
        return error;
    }
    uint64_t start = fb_clock_gettime_ns();
    error = (variant & DELETE
             ? fb_extra_ports_detach(&c->ports, first, n)
             : fb_extra_ports_attach(&c->ports, first, n));
    double ms = (fb_clock_gettime_ns() - start) / 1e6 / n;
    if (!error) {
        times->ms = xrealloc(times->ms, (times->n + 1) * sizeof *times->ms);
        times->ms[times->n++] = ms;
        fb_fit_add(&c->samples[variant], variant & DELETE ? first + n : first,
                   ms);
        error = ovs ? take_changes(c, n, times) : NULL;
    }
    fatal_signal_run();
    return error;
}

/* Adds the points of what was measured to the result, and forgets it. */
static void
add_points(struct churn *c)
{
    for (int variant = 0; variant < N_VARIANTS; variant++) {
        struct times *times = &c->times[variant];
        struct fb_estimate *figures = fb_experiment_result_add(
            c->e->result, c->e->label, variants[variant], c->before, NULL);

        figures[COL_TIME] = fb_experiment_median(times->ms, times->n);
        if (times->n_ports) {
            figures[COL_VSWITCHD].median = times->ns / times->n_ports / 1e6;
            figures[COL_DATAPATH].median = (100 * times->datapath_ns
                                            / times->ns);
        }
        free(times->ms);
        *times = (struct times) { .n = 0 };
    }
}

/* Adds ports one at a time and deletes them again, then in batches. */
static char *
churn(struct churn *c, int loaded)
{
    size_t n = MIN(CHURN, c->e->parameters->trials);
    size_t n_batches = DIV_ROUND_UP(n, TRIALS_PER_BATCH);
    char *error = NULL;

    for (size_t i = 0; !error && i < n; i++) {
        fb_experiment_progress(c->e, "%u ports, %s: %"PRIuSIZE, c->before,
                               variants[loaded], i + 1);
        error = change(c, loaded, c->before + i, 1);
    }
    for (size_t i = n; !error && i-- > 0;) {
        fb_experiment_progress(c->e, "%u ports, %s: %"PRIuSIZE, c->before,
                               variants[loaded | DELETE], i + 1);
        error = change(c, loaded | DELETE, c->before + i, 1);
    }
    for (size_t i = 0; !error && i < n_batches; i++) {
        fb_experiment_progress(c->e, "%u ports, %s: %"PRIuSIZE, c->before,
                               variants[loaded | BATCH], i + 1);
        error = change(c, loaded | BATCH, c->before, CHURN);
        if (!error) {
            error = change(c, loaded | BATCH | DELETE, c->before, CHURN);
        }
    }
    return error;
}

/* Measures with 'c->before' ports, of which the 'attached' first are attached
 * already, beside the DUT's own. */
static char *
measure(struct churn *c, unsigned int attached)
{
    fb_experiment_progress(c->e, "%u ports: attaching", c->before);
    char *error = fb_extra_ports_create(&c->ports, c->before + CHURN);
    if (!error && c->before > attached) {
        error = fb_extra_ports_attach(&c->ports, attached,
                                      c->before - attached);
    }
    if (!error) {
        error = churn(c, 0);
    }
    if (!error) {
        fb_background_start(&c->e->load, c->e->dut);
        error = churn(c, LOADED);
        int retval = fb_background_stop(&c->e->load);
        if (!error && retval) {
            error = xasprintf("sending failed (%s)", ovs_strerror(retval));
        }
    }
    if (!error) {
        add_points(c);
    }
    return error;
}

/* Builds the DUT of 'c' and starts its probe. */
static char *
build(struct churn *c)
{
    struct fb_traffic traffic = { .n_flows = 0 };

    fb_extra_ports_close(&c->ports);
    fb_sizes_init(&traffic.sizes, 64);
    char *error = fb_experiment_build(c->e, 1, &traffic);
    if (!error) {
        error = fb_extra_ports_open(&c->ports, c->e->dut);
    }
    if (!error && c->e->dut->sandbox) {
        error = fb_probe_start(c->e->dut, "--no-flows");
    }
    return error;
}

/* Measures on one DUT. */
static char *
run(struct fb_experiment *e)
{
    const struct fb_experiment_parameters *p = e->parameters;
    struct churn c = { .e = e };
    char *error = NULL;

    fb_cpus_take(1);
    for (size_t i = 0; !error && i < p->n_values; i++) {
        bool fresh = !i || p->values[i] < p->values[i - 1];

        error = fresh ? build(&c) : NULL;
        c.before = p->values[i];
        if (!error) {
            error = measure(&c, fresh ? 0 : p->values[i - 1]);
        }
    }
    fb_extra_ports_close(&c.ports);
    for (int variant = 0; variant < N_VARIANTS; variant++) {
        free(c.times[variant].ms);
        fb_fit_finish(&c.samples[variant], e->result, e->label,
                      variants[variant], "ms/port", "port before");
    }
    return error;
}

const struct fb_experiment_class fb_experiment_port_churn = {
    .varies = "ports before",
    .min = 0,
    .max = MAX_BEFORE,
    .mem_kb = 400,
    .here = { .values = "0,128,256,512", .trials = 64 },
    .guest = { .values = "0,128,256,512", .trials = 32 },
    .quick = { .values = "0,128", .trials = 8 },
    .full = { .trials = CHURN },
    .full_here_s = 0.4,
    .full_guest_s = 0.8,
    .columns = columns,
    .n_columns = N_COLUMNS,
    .check = check,
    .run = run,
};
