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

#ifndef FB_TASK_H
#define FB_TASK_H 1

/* What the kernel tells of a thread.  Any thread. */

#include <stdbool.h>
#include <stdint.h>

/* A thread, by /proc. */
struct fb_task {
    char name[32];              /* "revalidator12", ...; the kernel keeps 15
                                 * characters of it, for workers more. */
    uint64_t cpu_ns;            /* User and system time, in the kernel's
                                 * clock ticks' resolution. */
    uint64_t run_ns;            /* Time on a CPU, exact; 0 if unknown. */
    uint64_t wait_ns;           /* Time ready to run, without a CPU; 0 if
                                 * unknown. */
};

bool fb_task_read(const char *dir, struct fb_task *);

#endif /* fb-task.h */
