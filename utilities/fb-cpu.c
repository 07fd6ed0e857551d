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

#include "fb-cpu.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "fb-clock.h"
#include "fb-cpus.h"
#include "fb-load.h"
#include "fb-spinner.h"
#include "util.h"

/* Who sleeps for more than this share of a trial leaves its CPU to others,
 * unwatched. */
#define MAX_SLEEP_SHARE 0.01

/* All clocks, read once. */
struct reading {
    uint64_t ns;                /* When the tight ones were read. */
    uint64_t spare_ns;          /* The spinner's. */
    uint64_t spinner_ns;        /* CPU time of the spinner... */
    uint64_t process_ns;        /* ...and of this process without it. */
    uint64_t stat_ns;           /* When /proc/stat was read. */
    struct fb_procstat stat;
    uint64_t tasks_ns;          /* When the threads were read. */
    struct fb_task_times tasks;
};

/* What reads the clocks. */
struct fb_cpu_meter {
    cpu_set_t cpus;             /* CPUs that the run may use. */
    struct fb_spinner *spinner; /* On those without the generator's, or
                                 * NULL. */
    struct fb_tasks *tasks;
    pid_t vswitchd;             /* Of the DUT that is loaded; 0 if none. */
    struct reading before;      /* Read by fb_cpu_meter_begin(). */
};

/* Prepares for measuring, while the machine has nothing to do, after the
 * generator got its CPUs.  'spin' says whether there shall be a spinner.
 * Stores the meter in '*meterp', for the caller to destroy with
 * fb_cpu_meter_destroy().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_cpu_meter_create(bool spin, struct fb_cpu_meter **meterp)
{
    struct fb_cpu_meter *meter = xzalloc(sizeof *meter);
    cpu_set_t watched;

    fb_cpus_get_all(&meter->cpus);
    fb_cpus_get_others(&watched);
    char *error = fb_tasks_create(&meter->tasks);
    if (!error && spin) {
        error = fb_spinner_create(&watched, &meter->spinner);
    }
    if (error) {
        fb_cpu_meter_destroy(meter);
        meter = NULL;
    }
    *meterp = meter;
    return error;
}

/* Frees 'meter', which may be null. */
void
fb_cpu_meter_destroy(struct fb_cpu_meter *meter)
{
    if (meter) {
        fb_spinner_destroy(meter->spinner);
        fb_tasks_destroy(meter->tasks);
        free(meter);
    }
}

/* Returns the number of CPUs that 'meter' sees. */
size_t
fb_cpu_meter_n_cpus(const struct fb_cpu_meter *meter)
{
    return CPU_COUNT(&meter->cpus);
}

/* Does 'meter' have a spinner? */
bool
fb_cpu_meter_spins(const struct fb_cpu_meter *meter)
{
    return meter->spinner != NULL;
}

/* Returns the CPU time, in CPUs, that the spinner of 'meter' saw in use when
 * nothing was done. */
double
fb_cpu_meter_floor(const struct fb_cpu_meter *meter)
{
    return (meter->spinner
            ? (fb_spinner_floor(meter->spinner)
               * fb_spinner_n_cpus(meter->spinner))
            : 0);
}

/* Reads the clocks that take no time to read. */
static void
read_tight(const struct fb_cpu_meter *meter, struct reading *r)
{
    struct timespec ts;

    r->ns = fb_clock_gettime_ns();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    r->process_ns = ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
    if (meter->spinner) {
        r->spare_ns = fb_spinner_spare_ns(meter->spinner);
        r->spinner_ns = fb_spinner_used_ns(meter->spinner);
        r->process_ns -= MIN(r->spinner_ns, r->process_ns);
    }
}

/* Adds the context switches of the calling thread, the generator, to
 * 'times'. */
static void
add_own_switches(struct fb_task_times *times)
{
    struct rusage usage;
    if (!getrusage(RUSAGE_THREAD, &usage)) {
        times->voluntary += usage.ru_nvcsw;
        times->involuntary += usage.ru_nivcsw;
    }
}

/* Reads the other clocks. */
static char *
read_wide(const struct fb_cpu_meter *meter, struct reading *r)
{
    r->tasks_ns = fb_clock_gettime_ns();
    fb_tasks_read(meter->tasks, meter->vswitchd, &r->tasks);
    add_own_switches(&r->tasks);
    r->stat_ns = fb_clock_gettime_ns();
    return fb_procstat_read(&meter->cpus, &r->stat);
}

/* Has 'meter' note the beginning of a trial of a DUT whose ovs-vswitchd is
 * process 'vswitchd', or which has none if that is 0.  The load must follow at
 * once.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_cpu_meter_begin(struct fb_cpu_meter *meter, pid_t vswitchd)
{
    meter->vswitchd = vswitchd;
    if (meter->spinner) {
        fb_spinner_start(meter->spinner);
    }
    char *error = read_wide(meter, &meter->before);
    if (error && meter->spinner) {
        fb_spinner_stop(meter->spinner);
    }
    read_tight(meter, &meter->before);
    return error;
}

/* Returns 'a' - 'b', or 0 if that is negative: threads may have ended. */
static uint64_t
rise(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Stores in '*usage' what is between 'before' and 'after' for the clocks that
 * need not know of a generator. */
static void
subtract(const struct reading *before, const struct reading *after,
         struct fb_cpu_usage *usage)
{
    uint64_t tick_ns = UINT64_C(1000000000) / sysconf(_SC_CLK_TCK);

    usage->window_ns = after->ns - before->ns;
    usage->stat_window_ns = after->stat_ns - before->stat_ns;
    for (int i = 0; i < FB_N_CPU_KINDS; i++) {
        usage->kinds_ns[i] = rise(after->stat.ticks[i],
                                  before->stat.ticks[i]) * tick_ns;
    }
    usage->spinner_ns = rise(after->spinner_ns, before->spinner_ns);
    usage->switches = rise(after->stat.switches, before->stat.switches);
    usage->tasks_window_ns = after->tasks_ns - before->tasks_ns;
    usage->tasks = after->tasks;
    for (int i = 0; i < FB_N_CREWS; i++) {
        usage->tasks.crews[i].ns = rise(after->tasks.crews[i].ns,
                                        before->tasks.crews[i].ns);
    }
    usage->tasks.voluntary = rise(after->tasks.voluntary,
                                  before->tasks.voluntary);
    usage->tasks.involuntary = rise(after->tasks.involuntary,
                                    before->tasks.involuntary);
}

/* Has 'meter' note the end of a trial, right after 'load'.  Stores what the
 * trial took in '*usage'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_cpu_meter_end(struct fb_cpu_meter *meter,
                 const struct fb_load_result *load, struct fb_cpu_usage *usage)
{
    const struct reading *before = &meter->before;
    struct reading after = { .ns = 0 };

    read_tight(meter, &after);
    if (meter->spinner) {
        fb_spinner_stop(meter->spinner);
    }
    char *error = read_wide(meter, &after);
    memset(usage, 0, sizeof *usage);
    if (error) {
        return error;
    }

    subtract(before, &after, usage);
    usage->tasks.voluntary += load->voluntary;
    usage->tasks.involuntary += load->involuntary;
    usage->waited_ns = load->idle_ns;
    /* In a short trial the spinner, whose time is read apart from this
     * process's, can seem to have had more than all of it. */
    usage->generator_ns = rise(after.process_ns,
                               before->process_ns + load->idle_ns);
    if (load->kernel_ns) {
        /* On the same CPU as this thread. */
        usage->generator_ns = MIN(usage->generator_ns + load->kernel_ns,
                                  usage->window_ns);
    }
    if (meter->spinner
        && load->slept_ns <= MAX_SLEEP_SHARE * usage->window_ns) {
        usage->has_spinner = true;
        usage->used_ns = rise(usage->window_ns * CPU_COUNT(&meter->cpus),
                              after.spare_ns - before->spare_ns
                              + load->idle_ns + load->slept_ns);
    }
    return NULL;
}
