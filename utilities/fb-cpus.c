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

/* The generator's CPU, or -1; and all others that this process may use. */
static int generator = -1;
static cpu_set_t others;

/* Binds the calling thread, the generator's or a guest's, to the last of the
 * CPUs that it may use, unless that is the only one.  Returns its number, or
 * -1 if nothing was bound.  The main thread only. */
int
fb_cpus_take(void)
{
    cpu_set_t allowed, mine;

    if (generator >= 0) {
        return generator;
    }
    /* Fails where there are more than CPU_SETSIZE CPUs. */
    if (sched_getaffinity(0, sizeof allowed, &allowed)
        || CPU_COUNT(&allowed) < 2) {
        return -1;
    }

    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &allowed)) {
        last--;
    }
    CPU_ZERO(&mine);
    CPU_SET(last, &mine);
    if (sched_setaffinity(0, sizeof mine, &mine)) {
        return -1;
    }
    generator = last;
    others = allowed;
    CPU_CLR(last, &others);
    return generator;
}

/* Keeps the calling process, a child of the one that called fb_cpus_take(),
 * off the generator's CPU.  May be called between fork() and exec(). */
void
fb_cpus_leave(void)
{
    if (generator >= 0) {
        sched_setaffinity(0, sizeof others, &others);
    }
}

/* Stores in '*cpus' the CPUs that this process and its children may use, the
 * generator's among them. */
void
fb_cpus_get_all(cpu_set_t *cpus)
{
    if (generator >= 0) {
        *cpus = others;
        CPU_SET(generator, cpus);
    } else if (sched_getaffinity(0, sizeof *cpus, cpus)) {
        CPU_ZERO(cpus);
    }
}
