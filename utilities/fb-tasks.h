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

#ifndef FB_TASKS_H
#define FB_TASKS_H 1

/* The CPU time of threads, by what they are for: those of an ovs-vswitchd, and
 * the kernel's own that do its network work.
 *
 * Times are the scheduler's, to the nanosecond (/proc/PID/task/TID/schedstat).
 * Interrupts and softirqs that happened to interrupt a thread are in them
 * unless the kernel has IRQ_TIME_ACCOUNTING.
 *
 * For single-threaded use. */

#include <stdint.h>
#include <sys/types.h>

#include "compiler.h"

/* What threads are for. */
enum fb_crew {
    FB_CREW_MAIN,               /* ovs-vswitchd's main thread. */
    FB_CREW_HANDLERS,           /* Its handlers. */
    FB_CREW_REVALIDATORS,       /* Its revalidators. */
    FB_CREW_PMDS,               /* Its PMD threads. */
    FB_CREW_OTHERS,             /* Its other threads: RCU and more. */
    FB_CREW_KSOFTIRQD,          /* The kernel's ksoftirqd/N. */
    FB_CREW_KWORKERS,           /* The kernel's kworker/N. */
    FB_N_CREWS
};

const char *fb_crew_name(enum fb_crew);
enum fb_crew fb_crew_of_thread(const char *comm, bool is_main);

/* A reading, of threads that live. */
struct fb_task_times {
    struct {
        uint64_t ns;            /* CPU time since the threads began. */
        unsigned int n;         /* Number of threads. */
    } crews[FB_N_CREWS];
    uint64_t voluntary;         /* Context switches of ovs-vswitchd's threads
                                 * that they asked for... */
    uint64_t involuntary;       /* ...and that they did not. */
};

struct fb_tasks;

char *fb_tasks_create(struct fb_tasks **) OVS_WARN_UNUSED_RESULT;
void fb_tasks_destroy(struct fb_tasks *);
void fb_tasks_read(const struct fb_tasks *, pid_t vswitchd,
                   struct fb_task_times *);

#endif /* fb-tasks.h */
