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

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util.h"

/* The generator's CPUs, one for each of its threads; and those for others:
 * what this process may use and the generator does not, or everything if the
 * generator uses all. */
static int generator[CPU_SETSIZE];
static size_t n_generator;
static cpu_set_t all;
static cpu_set_t others;

/* The CPUs to use, the generator's first; none for all that this process
 * may. */
static int order[CPU_SETSIZE];
static size_t n_order;

/* Adds CPU 'cpu', which must be one of 'allowed', to 'order'. */
static char *
add_to_order(unsigned long int cpu, const cpu_set_t *allowed)
{
    if (cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, allowed)) {
        return xasprintf("CPU %lu is not one that this process may use", cpu);
    }
    for (size_t i = 0; i < n_order; i++) {
        if (order[i] == cpu) {
            return xasprintf("CPU %lu is there twice", cpu);
        }
    }
    order[n_order++] = cpu;
    return NULL;
}

/* Has the run use the CPUs in 'list' only, such as "3,0-2": the first for the
 * generator, one for each of its threads, the last for a PMD thread, and all
 * but the generator's for daemons.  Before fb_cpus_take().
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_cpus_limit(const char *list)
{
    char *error = NULL;
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed)) {
        return xasprintf("CPUs cannot be told (%s)", ovs_strerror(errno));
    }
    n_order = 0;
    for (const char *p = list; !error; p++) {
        char *end;
        unsigned long int first = strtoul(p, &end, 10);
        unsigned long int last = first;

        if (isdigit((unsigned char) *p) && *end == '-') {
            p = end + 1;
            last = strtoul(p, &end, 10);
        }
        if (!isdigit((unsigned char) *p) || (*end && *end != ',')
            || first > last) {
            return xstrdup("not a list of CPUs like 3,0-2");
        }
        for (; !error && first <= last; first++) {
            error = add_to_order(first, &allowed);
        }
        p = end;
        if (!*p) {
            break;
        }
    }
    return (error ? error
            : n_order < 2 ? xstrdup("needs at least two CPUs") : NULL);
}

/* Stores in '*cpus' those of 'order'. */
static void
get_order(cpu_set_t *cpus)
{
    CPU_ZERO(cpus);
    for (size_t i = 0; i < n_order; i++) {
        CPU_SET(order[i], cpus);
    }
}

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

    if (n_order) {
        get_order(&all);
    }
    others = all;
    while (n_generator < MIN(n, n_order)) {
        CPU_CLR(order[n_generator], &others);
        generator[n_generator] = order[n_generator];
        n_generator++;
    }
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && n_generator < n; cpu--) {
        if (!n_order && CPU_ISSET(cpu, &all)) {
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
    } else if (n_order) {
        get_order(cpus);
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

    if (n_order) {
        return order[n_order - 1];
    }
    fb_cpus_get_others(&cpus);
    if (!CPU_COUNT(&cpus)) {
        fb_cpus_get_all(&cpus);
    }
    while (cpu >= 0 && !CPU_ISSET(cpu, &cpus)) {
        cpu--;
    }
    return cpu;
}
