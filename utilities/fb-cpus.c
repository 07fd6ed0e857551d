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

#include "fb-cpus.h"

/* The generator's CPUs, one for each of its threads; and those for others:
 * what this process may use and the generator does not, or everything if the
 * generator uses all. */
static int generator[CPU_SETSIZE];
static size_t n_generator;
static cpu_set_t all;
static cpu_set_t others;

/* Gives 'n' threads of the generator, or a guest, a CPU each, from the last of
 * those that this process may use down, and binds the calling thread, the
 * first, to its own, unless there is only one.  Returns the number of CPUs
 * that were given, which is 0 if nothing was bound, or otherwise 'n' if that
 * is at most fb_cpus_count().  The main thread only. */
size_t
fb_cpus_take(size_t n)
{
    if (n_generator) {
        return n_generator;
    }
    /* Fails where there are more than CPU_SETSIZE CPUs. */
    if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < 2) {
        return 0;
    }

    others = all;
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && n_generator < n; cpu--) {
        if (CPU_ISSET(cpu, &all)) {
            generator[n_generator++] = cpu;
            CPU_CLR(cpu, &others);
        }
    }
    if (!CPU_COUNT(&others)) {
        others = all;
    }
    fb_cpus_bind(0);
    return n_generator;
}

/* Returns the CPU of thread number 'i' of the generator, from 0, or -1 if it
 * is bound to none. */
int
fb_cpus_generator(size_t i)
{
    return i < n_generator ? generator[i] : -1;
}

/* Binds the calling thread, number 'i' of the generator, to its CPU, if it has
 * one. */
void
fb_cpus_bind(size_t i)
{
    cpu_set_t mine;

    if (i < n_generator) {
        CPU_ZERO(&mine);
        CPU_SET(generator[i], &mine);
        sched_setaffinity(0, sizeof mine, &mine);
    }
}

/* Keeps the calling process, a child of the one that called fb_cpus_take(),
 * off the generator's CPUs.  May be called between fork() and exec(). */
void
fb_cpus_leave(void)
{
    if (n_generator) {
        sched_setaffinity(0, sizeof others, &others);
    }
}

/* Stores in '*cpus' the CPUs that this process and its children may use, the
 * generator's among them. */
void
fb_cpus_get_all(cpu_set_t *cpus)
{
    if (n_generator) {
        *cpus = all;
    } else if (sched_getaffinity(0, sizeof *cpus, cpus)) {
        CPU_ZERO(cpus);
    }
}

/* Stores in '*cpus' those of fb_cpus_get_all() on which no thread of the
 * generator sends, if they can be told: a single CPU is the generator's. */
void
fb_cpus_get_others(cpu_set_t *cpus)
{
    fb_cpus_get_all(cpus);
    for (size_t i = 0; i < n_generator; i++) {
        CPU_CLR(generator[i], cpus);
    }
    if (!n_generator && CPU_COUNT(cpus) == 1) {
        CPU_ZERO(cpus);
    }
}

/* Returns the number of CPUs that this process may use, at least 1. */
size_t
fb_cpus_count(void)
{
    cpu_set_t cpus;

    fb_cpus_get_all(&cpus);
    return CPU_COUNT(&cpus) ? CPU_COUNT(&cpus) : 1;
}

/* Returns the number of the CPU that is best for a PMD thread, which keeps it
 * busy: another than the generator's, and the last of those, because daemons
 * tend to be started on the first.  Before fb_cpus_take(), or if there is only
 * one, returns the last that this process may use, or -1 if that cannot be
 * told. */
int
fb_cpus_pmd(void)
{
    cpu_set_t cpus;
    int cpu = CPU_SETSIZE - 1;

    fb_cpus_get_others(&cpus);
    if (!CPU_COUNT(&cpus)) {
        fb_cpus_get_all(&cpus);
    }
    while (cpu >= 0 && !CPU_ISSET(cpu, &cpus)) {
        cpu--;
    }
    return cpu;
}
