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

#ifndef FB_CPUS_H
#define FB_CPUS_H 1

/* Each thread of the generator has a CPU to itself, and the daemons of the
 * DUTs have the others; all of them if the generator needs all.
 *
 * Left alone, the scheduler moves whoever is woken by a packet to the CPU that
 * sent it: the userspace datapath to that of the generator, with which it then
 * takes turns.  With a single CPU there is nothing to divide.
 *
 * A guest with its single CPU has one, too.  Each of its system calls is
 * handed from one process of the host's to another and back, which takes
 * several times as long between two CPUs. */

#include <sched.h>

#include <stddef.h>

#include "compiler.h"

char *fb_cpus_limit(const char *list) OVS_WARN_UNUSED_RESULT;
size_t fb_cpus_take(size_t n);
int fb_cpus_generator(size_t i);
void fb_cpus_bind(size_t i);
void fb_cpus_leave(void);
void fb_cpus_get_all(cpu_set_t *);
void fb_cpus_get_others(cpu_set_t *);
size_t fb_cpus_count(void);
int fb_cpus_pmd(void);

#endif /* fb-cpus.h */
