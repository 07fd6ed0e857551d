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

#ifndef FB_SPINNER_H
#define FB_SPINNER_H 1

/* A clock for CPU use that does not ask the kernel.
 *
 * A thread of the lowest priority there is (SCHED_IDLE) on each CPU looks at a
 * clock over and over.  What it gets is what nobody else wanted; what it does
 * not get was used, be it by threads, interrupts, softirqs or, in a virtual
 * machine, by others on the host, and whatever the kernel books that as.  See
 * fb-idle.h for how it tells.
 *
 * What it costs: a SCHED_IDLE thread has a weight of 3 where an ordinary one
 * has 1,024, so that a CPU that is wanted all the time loses 0.3 % to it.  And
 * no CPU sleeps meanwhile: a thread that wakes up there does so sooner than on
 * a CPU that sleeps, and a core that is shared by two hardware threads is
 * busier.  It works only between fb_spinner_start() and fb_spinner_stop().
 *
 * For the main thread. */

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct fb_spinner;

char *fb_spinner_create(const cpu_set_t *, struct fb_spinner **)
    OVS_WARN_UNUSED_RESULT;
void fb_spinner_destroy(struct fb_spinner *);

void fb_spinner_start(struct fb_spinner *);
void fb_spinner_stop(struct fb_spinner *);

size_t fb_spinner_n_cpus(const struct fb_spinner *);
double fb_spinner_floor(const struct fb_spinner *);
uint64_t fb_spinner_spare_ns(const struct fb_spinner *);
uint64_t fb_spinner_used_ns(const struct fb_spinner *);

#endif /* fb-spinner.h */
