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

#ifndef FB_CPU_H
#define FB_CPU_H 1

/* The CPU time that a trial takes, by three clocks, and its context switches.
 *
 * - The spinner (fb-spinner.h) sees what is left over on each CPU.  On the
 *   generator's CPUs, where it would disturb the generator, the generator's
 *   own loop between frames does the same (fb-idle.h); at the maximum rate
 *   those have nothing to spare.
 * - /proc/stat (fb-procstat.h) is what the kernel books time as.
 * - The times of threads (fb-tasks.h) are what the scheduler gave to each.
 *
 * The clocks are read around the load and never while it lasts.  Only the
 * spinner runs meanwhile.
 *
 * For the main thread, which sends the load. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "compiler.h"
#include "fb-procstat.h"
#include "fb-tasks.h"

/* What a trial took.  Each clock has a window of its own, from before the load
 * until after it, because they cannot be read at one instant. */
struct fb_cpu_usage {
    /* The spinner's and the generator's clocks. */
    uint64_t window_ns;         /* The tightest window. */
    uint64_t used_ns;           /* CPU time in use on all CPUs by the spinner,
                                 * without the generator's waiting; valid only
                                 * if 'has_spinner'. */
    bool has_spinner;           /* False if there was no spinner, or if the
                                 * generator slept, so that nobody saw who used
                                 * its CPU. */
    uint64_t generator_ns;      /* CPU time of this process, spinner apart,
                                 * without the generator's waiting; and that
                                 * of what sends instead of it. */

    /* /proc/stat. */
    uint64_t stat_window_ns;
    uint64_t kinds_ns[FB_N_CPU_KINDS]; /* The spinner is in FB_CPU_NICE. */
    uint64_t spinner_ns;        /* Part of these that was the spinner's... */
    uint64_t waited_ns;         /* ...and in which the generator waited. */
    uint64_t switches;          /* Context switches on the whole machine. */

    /* Threads. */
    uint64_t tasks_window_ns;
    struct fb_task_times tasks; /* In the window.  Numbers of threads are those
                                 * at its end. */
};

struct fb_cpu_meter;
struct fb_load_result;

char *fb_cpu_meter_create(bool spin, struct fb_cpu_meter **)
    OVS_WARN_UNUSED_RESULT;
void fb_cpu_meter_destroy(struct fb_cpu_meter *);
size_t fb_cpu_meter_n_cpus(const struct fb_cpu_meter *);
bool fb_cpu_meter_spins(const struct fb_cpu_meter *);
double fb_cpu_meter_floor(const struct fb_cpu_meter *);

char *fb_cpu_meter_begin(struct fb_cpu_meter *, pid_t vswitchd)
    OVS_WARN_UNUSED_RESULT;
char *fb_cpu_meter_end(struct fb_cpu_meter *, const struct fb_load_result *,
                       struct fb_cpu_usage *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-cpu.h */
