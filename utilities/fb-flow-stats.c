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

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-cpus.h"
#include "fb-dut.h"
#include "fb-experiment-fit.h"
#include "fb-hostfile.h"
#include "fb-json-read.h"
#include "fb-many-flows.h"
#include "fb-probe.h"
#include "openvswitch/json.h"
#include "timeval.h"
#include "util.h"

/* The experiment "flow-stats": the kernel datapath keeps counters of each flow
 * for each CPU that has seen a packet of it, in the slab cache
 * "sw_flow_stats".  With more and more flows, each CPU in turn sends a packet
 * of each, and the objects that the cache has gained are counted.
 *
 * The kernel may have merged the cache with others of the same object size, so
 * that what these gain meanwhile counts, too; and it counts the slabs that
 * CPUs hold as full.  Both are a few slabs of many.  The kernel of a guest is
 * told not to merge, and to watch this cache, so that CPUs hold no slabs of
 * it: there the number is exact. */

/* Folder of what the kernel says of the cache. */
#define CACHE "/sys/kernel/slab/sw_flow_stats/"

/* Longest time for a round to end, in ms. */
#define ROUND_PATIENCE_MS 120000

/* Flows that the model is told for, and CPUs. */
#define MODEL_FLOWS 200000.0

/* Indexes of the columns. */
enum {
    COL_CPUS,
    COL_OBJECTS,
    COL_PER_FLOW,
    COL_KIB,
    COL_DUMP,
    COL_DUMP_PER_FLOW,
    N_COLUMNS
};

static const struct fb_column columns[N_COLUMNS] = {
    [COL_CPUS] = { "cpus", "CPUs", 0, false },
    [COL_OBJECTS] = { "objects", "statistics", 0, false },
    [COL_PER_FLOW] = { "objects_per_flow", "statistics/flow", 3, false },
    [COL_KIB] = { "kib", "KiB", 0, false },
    [COL_DUMP] = { "dump_ms", "dump ms", 2, true },
    [COL_DUMP_PER_FLOW] = { "dump_us_per_flow", "dump us/flow", 3, false },
};

/* Only the kernel datapath has them. */
static const char *
check(const struct fb_dut_kind *kind)
{
    return (kind->datapath_type && !strcmp(kind->datapath_type, "system")
            ? NULL : "only the kernel datapath keeps statistics by CPU");
}

/* Stores in '*n' the number that the kernel gives for 'name' of the cache. */
static char *
read_cache(const char *name, long long int *n)
{
    char *path = xasprintf(CACHE "%s", name);
    char *error = NULL;

    /* Of "objects", what follows is the share of each NUMA node. */
    char *line = fb_hostfile_read_line(path);
    if (!line || sscanf(line, "%lld", n) != 1) {
        error = xasprintf("%s cannot be read: this needs a kernel with "
                          "CONFIG_SLUB_DEBUG", path);
    }
    free(line);
    free(path);
    return error;
}

/* Binds the calling thread to the CPU 'cpu'. */
static char *
bind_to(int cpu)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    return (sched_setaffinity(0, sizeof cpus, &cpus)
            ? xasprintf("CPU %d: cannot be used (%s)", cpu,
                        ovs_strerror(errno))
            : NULL);
}

/* Waits until the probe has seen as many rounds as there are to be trials and
 * stores how long the dumps took, in all and for each of 'flows' flows, in
 * 'figures'. */
static char *
time_dumps(struct fb_experiment *e, unsigned int flows,
           struct fb_estimate *figures)
{
    unsigned int trials = e->parameters->trials;
    double *ms = xcalloc(trials, sizeof *ms);
    struct json *json = NULL;
    long long int deadline = time_msec() + ROUND_PATIENCE_MS;

    char *error = fb_probe_start(e->dut, "--no-flows");
    while (!error) {
        error = fb_probe_read(e->dut, "fanbench/rounds", &json);
        const struct json *rounds = fb_json_member(json, "rounds");
        if (fb_json_size(rounds) >= trials) {
            for (unsigned int i = 0; i < trials; i++) {
                ms[i] = fb_json_number(fb_json_at(rounds, i), "dump_ns") / 1e6;
            }
            figures[COL_DUMP] = fb_experiment_median(ms, trials);
            for (unsigned int i = 0; i < trials; i++) {
                ms[i] *= 1e3 / flows;
            }
            figures[COL_DUMP_PER_FLOW] = fb_experiment_median(ms, trials);
            error = fb_probe_stop(e->dut);
            break;
        }
        json_destroy(json);
        json = NULL;
        if (!error && time_msec() > deadline) {
            error = xasprintf("no round has ended in %d s",
                              ROUND_PATIENCE_MS / 1000);
        }
        fb_experiment_sleep(20);
    }
    json_destroy(json);
    free(ms);
    return error;
}

/* Adds the point of 'figures', for 'flows' flows that 'n_cpus' CPUs have
 * touched, and for which the cache has gained 'objects' of 'size' bytes, to
 * the result and to 'samples'. */
static void
add_point(struct fb_experiment *e, unsigned int flows, int n_cpus,
          double objects, double size, const struct fb_estimate *figures,
          struct fb_fit_samples *samples)
{
    struct fb_estimate *f = fb_experiment_result_add(e->result, e->label, NULL,
                                                     flows, NULL);

    f[COL_CPUS].median = n_cpus;
    f[COL_OBJECTS].median = objects;
    f[COL_PER_FLOW].median = objects / flows;
    f[COL_KIB].median = objects * size / 1024;
    f[COL_DUMP] = figures[COL_DUMP];
    f[COL_DUMP_PER_FLOW] = figures[COL_DUMP_PER_FLOW];
    fb_fit_add(samples, (double) flows * n_cpus, objects * size);
}

/* Has the CPU 'cpu' touch all of the 'flows' flows. */
static char *
touch(struct fb_experiment *e, unsigned int flows, int cpu)
{
    char *when = xasprintf("CPU %d", cpu);

    char *error = bind_to(cpu);
    if (!error) {
        error = fb_many_flows_install(e, flows, when);
    }
    if (!error) {
        error = fb_many_flows_touch(e, flows);
    }
    free(when);
    return error;
}

/* Measures with 'flows' flows, which the 'cpus' touch one after another, and
 * adds samples of objects by flows and CPUs to 'samples'. */
static char *
measure(struct fb_experiment *e, unsigned int flows, const cpu_set_t *cpus,
        struct fb_fit_samples *samples)
{
    long long int before, after, size;
    int n_cpus = 0;

    char *error = fb_many_flows_build(e, flows);
    if (!error) {
        error = read_cache("object_size", &size);
    }
    if (!error) {
        error = read_cache("objects", &before);
    }
    for (int cpu = 0; !error && cpu < CPU_SETSIZE; cpu++) {
        struct fb_estimate figures[N_COLUMNS];

        if (!CPU_ISSET(cpu, cpus)) {
            continue;
        }
        error = touch(e, flows, cpu);
        if (!error) {
            error = read_cache("objects", &after);
        }
        if (!error) {
            error = time_dumps(e, flows, figures);
        }
        if (!error) {
            add_point(e, flows, ++n_cpus, after - before, size, figures,
                      samples);
        }
    }
    return error;
}

/* Returns the bytes for each flow and CPU that the first and the last of
 * 'samples' tell: by their difference, which leaves out what does not depend
 * on the number of flows, or by the last alone if they have as many. */
static double
get_bytes(const struct fb_fit_samples *samples)
{
    size_t last = samples->n - 1;
    double x = samples->x[last] - samples->x[0];

    return (x ? (samples->y[last] - samples->y[0]) / x
            : samples->y[last] / samples->x[last]);
}

/* Adds to the result what many CPUs would take, at 'bytes' for each flow and
 * CPU, of which 'n' were there. */
static void
tell_model(struct fb_experiment *e, double bytes, int n)
{
    double mib = bytes * MODEL_FLOWS / 1024 / 1024;

    fb_experiment_result_add_finding(
        e->result, FB_INFO, "model", NULL,
        "%s: at %.1f bytes for each flow and CPU, statistics of %.0f flows "
        "that all CPUs have seen take %.0f MiB with 64 CPUs, %.0f MiB with "
        "128, %.0f MiB with 256%s", e->label, bytes, MODEL_FLOWS, 64 * mib,
        128 * mib, 256 * mib,
        n > 1 ? "" : "; this kernel has one CPU only, so that the growth with "
        "CPUs is the model's, not measured");
}

/* Measures on one DUT. */
static char *
run(struct fb_experiment *e)
{
    const struct fb_experiment_parameters *p = e->parameters;
    struct fb_fit_samples samples = { .n = 0 };
    char *error = NULL;
    cpu_set_t cpus;

    fb_cpus_get_all(&cpus);
    for (size_t i = 0; !error && i < p->n_values; i++) {
        error = measure(e, p->values[i], &cpus, &samples);
        sched_setaffinity(0, sizeof cpus, &cpus);
    }
    if (!error) {
        tell_model(e, get_bytes(&samples), CPU_COUNT(&cpus));
    }
    fb_fit_finish(&samples, e->result, e->label, NULL, "bytes",
                  "flow and CPU");
    return error;
}

const struct fb_experiment_class fb_experiment_flow_stats = {
    .varies = "flows",
    .min = 1,
    .max = 1000000,
    .mem_kb = 6,
    .kernel_args = "slab_nomerge slub_debug=U,sw_flow,sw_flow_stats",
    .here = { .values = "10000,50000,100000,200000", .trials = 10 },
    .guest = { .values = "2000,5000,10000,20000", .trials = 10 },
    .quick = { .values = "1000,5000", .trials = 6 },
    .full = { .values = "10000,50000,100000,200000" },
    .full_here_s = 1,
    .full_guest_s = 5,
    .columns = columns,
    .n_columns = N_COLUMNS,
    .check = check,
    .run = run,
};
