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

#ifndef FB_PROCSTAT_H
#define FB_PROCSTAT_H 1

/* What the kernel books the time of CPUs as, from /proc/stat.
 *
 * Without IRQ_TIME_ACCOUNTING, or full dynticks, the kernel books a whole tick
 * as whatever it happens to interrupt at its end: a sample, not a measurement.
 * See fb-accounting.h.
 *
 * Functions are pure but for reading the file. */

#include <sched.h>
#include <stdint.h>

#include "compiler.h"

/* Kinds of time, in the order of the columns.  See proc(5). */
enum fb_cpu_kind {
    FB_CPU_USER,
    FB_CPU_NICE,                /* Of threads with a nice value above 0. */
    FB_CPU_SYSTEM,
    FB_CPU_IDLE,
    FB_CPU_IOWAIT,              /* Idle, and a thread waits for a disk. */
    FB_CPU_IRQ,
    FB_CPU_SOFTIRQ,
    FB_CPU_STEAL,               /* Of a virtual machine: not given to it. */
    FB_N_CPU_KINDS
};

const char *fb_cpu_kind_name(enum fb_cpu_kind);

/* A reading. */
struct fb_procstat {
    uint64_t ticks[FB_N_CPU_KINDS]; /* Of 1/sysconf(_SC_CLK_TCK) s, since
                                     * boot, over the CPUs asked for. */
    uint64_t switches;          /* Context switches since boot, all CPUs. */
};

char *fb_procstat_parse(const char *text, const cpu_set_t *,
                        struct fb_procstat *) OVS_WARN_UNUSED_RESULT;
char *fb_procstat_read(const cpu_set_t *, struct fb_procstat *)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-procstat.h */
