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

#include <stdlib.h>

#include "fb-dut.h"
#include "fb-experiment-fit.h"
#include "fb-extra-ports.h"
#include "fb-json-read.h"
#include "fb-probe.h"
#include "fb-traffic.h"
#include "openvswitch/json.h"
#include "timeval.h"
#include "util.h"

/* The experiment "interface-stats": idle veth pairs on a bridge, and how long
 * ovs-vswitchd's main thread takes to read the statistics of all, which it
 * does every 5 seconds.
 *
 * A sweep is asked for by changing other_config:stats-update-interval between
 * 5,000 and 5,001 ms, upon which ovs-vswitchd makes one at once.  (Source:
 * run_stats_update() in OVS's vswitchd/bridge.c.) */

/* Ports that the DUT has by itself, but for the one that goes with the
 * bridge: the generator's and one sink's. */
#define OWN_PAIRS 2

/* Longest time for a sweep to end, in ms. */
#define SWEEP_PATIENCE_MS 30000

/* Time from one sweep to the next, in ms, unless one changes it. */
#define SWEEP_INTERVAL_MS 5000

/* Indexes of the columns. */
enum {
    COL_SWEEP,
    COL_PER_INTERFACE,
    COL_READ,
    COL_SHARE,
    COL_INTERFACES,
    N_COLUMNS
};

static const struct fb_column columns[N_COLUMNS] = {
    [COL_SWEEP] = { "sweep_ms", "sweep ms", 2, true },
    [COL_PER_INTERFACE] = { "us_per_interface", "us/interface", 2, true },
    [COL_READ] = { "read_pct", "of it reading %", 1, false },
    [COL_SHARE] = { "main_thread_pct", "of the main thread's 5 s, %", 2,
                    false },
    [COL_INTERFACES] = { "interfaces", "interfaces", 0, false },
};

/* A sweep. */
struct sweep {
    double ms;                  /* How long it took... */
    double read_ms;             /* ...and of that, reading. */
    double n;                   /* Interfaces. */
};

/* Only Open vSwitch sweeps.  Ports of types of their own take too much memory
 * each for so many. */
static const char *
check(const struct fb_dut_kind *kind)
{
    return (!kind->datapath_type ? "it reads no statistics unless it is asked"
            : kind->port_type ? "it has memory for few such ports"
            : NULL);
}

/* Has the DUT make sweep number 'i' and stores what it was like in '*sweep'.
 * '*count' and '*read_ns' are the numbers of sweeps and the time of reading
 * before it, and then after it. */
static char *
sweep_once(struct fb_experiment *e, unsigned int i, double *count,
           double *read_ns, struct sweep *sweep)
{
    char *setting = xasprintf("other_config:stats-update-interval=%d",
                              SWEEP_INTERVAL_MS + (i % 2 == 0));
    const char *const argv[] = {
        "ovs-vsctl", "--timeout=60", "set", "Open_vSwitch", ".", setting, NULL
    };
    long long int deadline = time_msec() + SWEEP_PATIENCE_MS;

    char *error = fb_sandbox_run(e->dut->sandbox, argv, NULL, NULL);
    free(setting);
    while (!error) {
        struct json *json;

        error = fb_probe_read(e->dut, "fanbench/ports", &json);
        const struct json *sweeps = fb_json_member(json, "sweeps");
        double n = fb_json_number(sweeps, "count");
        if (n > *count) {
            double read = fb_json_number(sweeps, "read_ns");

            *sweep = (struct sweep) {
                .ms = fb_json_number(sweeps, "last_ns") / 1e6,
                .read_ms = (read - *read_ns) / (n - *count) / 1e6,
                .n = fb_json_number(sweeps, "last_interfaces"),
            };
            *count = n;
            *read_ns = read;
            json_destroy(json);
            return NULL;
        }
        json_destroy(json);
        if (!error && time_msec() > deadline) {
            error = xasprintf("no sweep over the statistics has ended in "
                              "%d s", SWEEP_PATIENCE_MS / 1000);
        }
        fb_experiment_sleep(10);
    }
    return error;
}

/* Adds the point of 'n' 'sweeps' with 'pairs' veth pairs to the result, and
 * the sweeps to 'samples'. */
static void
add_point(struct fb_experiment *e, unsigned int pairs,
          const struct sweep sweeps[], size_t n,
          struct fb_fit_samples *samples)
{
    struct fb_estimate *figures = fb_experiment_result_add(
        e->result, e->label, NULL, pairs, NULL);
    double *x[N_COLUMNS];

    for (size_t j = 0; j < N_COLUMNS; j++) {
        x[j] = xcalloc(n, sizeof *x[j]);
    }
    for (size_t i = 0; i < n; i++) {
        const struct sweep *s = &sweeps[i];

        x[COL_SWEEP][i] = s->ms;
        x[COL_PER_INTERFACE][i] = s->ms * 1e3 / s->n;
        x[COL_READ][i] = 100 * s->read_ms / s->ms;
        x[COL_SHARE][i] = 100 * s->ms / SWEEP_INTERVAL_MS;
        x[COL_INTERFACES][i] = s->n;
        fb_fit_add(samples, s->n, s->ms * 1e3);
    }
    for (size_t j = 0; j < N_COLUMNS; j++) {
        figures[j] = fb_experiment_median(x[j], n);
        free(x[j]);
    }
}

/* Measures with 'pairs' veth pairs, of which 'ports' are all but the DUT's
 * own. */
static char *
measure(struct fb_experiment *e, struct fb_extra_ports *ports,
        unsigned int pairs, struct fb_fit_samples *samples)
{
    unsigned int trials = e->parameters->trials;
    struct sweep *sweeps = xcalloc(trials, sizeof *sweeps);
    size_t n_before = ports->n;
    double count = 0;
    double read_ns = 0;

    fb_experiment_progress(e, "%u veth pairs: attaching", pairs);
    char *error = fb_extra_ports_create(ports, pairs - OWN_PAIRS);
    if (!error && ports->n > n_before) {
        error = fb_extra_ports_attach(ports, n_before, ports->n - n_before);
    }
    if (!error) {
        error = fb_probe_start(e->dut, "--no-flows");
    }
    for (unsigned int i = 0; !error && i < trials; i++) {
        fb_experiment_progress(e, "%u veth pairs: sweep %u of %u", pairs,
                               i + 1, trials);
        error = sweep_once(e, i, &count, &read_ns, &sweeps[i]);
    }
    if (!error) {
        error = fb_probe_stop(e->dut);
    }
    if (!error) {
        add_point(e, pairs, sweeps, trials, samples);
    }
    free(sweeps);
    return error;
}

/* Measures on one DUT. */
static char *
run(struct fb_experiment *e)
{
    const struct fb_experiment_parameters *p = e->parameters;
    struct fb_traffic traffic = { .n_flows = 0 };
    struct fb_fit_samples samples = { .n = 0 };
    struct fb_extra_ports ports = { .n = 0 };
    char *error = NULL;

    fb_sizes_init(&traffic.sizes, 64);
    for (size_t i = 0; !error && i < p->n_values; i++) {
        if (!i || p->values[i] < p->values[i - 1]) {
            fb_extra_ports_close(&ports);
            error = fb_experiment_build(e, OWN_PAIRS - 1, &traffic);
            if (!error) {
                error = fb_extra_ports_open(&ports, e->dut);
            }
        }
        if (!error) {
            error = measure(e, &ports, p->values[i], &samples);
        }
    }
    fb_extra_ports_close(&ports);
    fb_fit_finish(&samples, e->result, e->label, NULL, "sweep us",
                  "interface");
    return error;
}

const struct fb_experiment_class fb_experiment_interface_stats = {
    .varies = "veth pairs",
    .min = OWN_PAIRS,
    .max = 5000,
    .mem_kb = 400,
    .here = { .values = "64,128,256,512,1024", .trials = 20 },
    .guest = { .values = "64,128,256,512,1024", .trials = 10 },
    .quick = { .values = "64,256", .trials = 6 },
    .full_here_s = 0.2,
    .full_guest_s = 0.5,
    .columns = columns,
    .n_columns = N_COLUMNS,
    .check = check,
    .run = run,
};
