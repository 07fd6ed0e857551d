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

#include "fb-throttle.h"

#include <stdlib.h>
#include <unistd.h>

#include "fb-hostfile.h"
#include "fb-result.h"
#include "util.h"

/* Folder of the CPUs. */
#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"

/* A frequency that varies by more than this, relatively, is told. */
#define FREQUENCY_MARGIN 0.1

/* Stores the number that 'file' of 'cpu' begins with in '*number'.  Returns
 * false if there is none. */
static bool
read_cpu_number(int cpu, const char *file, long long int *number)
{
    char *name = xasprintf(CPU_DIR"%s", cpu, file);
    bool found = fb_hostfile_read_number(name, number);

    free(name);
    return found;
}

/* Returns how often CPUs, or packages of them, were throttled.  A package's
 * events are counted by each of its CPUs, which does not matter: only whether
 * they become more does. */
static long long int
count_events(void)
{
    static const char *const files[] = {
        "thermal_throttle/core_throttle_count",
        "thermal_throttle/package_throttle_count",
    };
    long int n_cpus = sysconf(_SC_NPROCESSORS_CONF);
    long long int sum = 0;
    long long int n;

    for (int cpu = 0; cpu < n_cpus; cpu++) {
        for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
            sum += read_cpu_number(cpu, files[i], &n) ? n : 0;
        }
    }
    return sum;
}

/* Returns the CPU whose frequency is read: the generator's, as 'e' says, or
 * CPU 0 if it has none of its own. */
static int
get_cpu(const struct fb_environment *e)
{
    return e->n_generator_cpus ? e->generator_cpus[0] : 0;
}

/* Looks at how fast CPUs are.  That which 'e' says is the generator's must
 * have been busy until now, since idle CPUs are clocked down. */
void
fb_throttle_look(struct fb_throttle *t, const struct fb_environment *e)
{
    long long int khz;

    t->last = count_events();
    if (!t->looked) {
        t->first = t->last;
        t->looked = true;
    }
    if (read_cpu_number(get_cpu(e), "cpufreq/scaling_cur_freq", &khz)
        && khz > 0) {
        t->min_khz = t->min_khz ? MIN(t->min_khz, khz) : khz;
        t->max_khz = MAX(t->max_khz, khz);
    }
}

/* Adds findings to 'result' about what 't' has seen. */
void
fb_throttle_judge(const struct fb_throttle *t, struct fb_result *result)
{
    if (t->last > t->first) {
        fb_result_add_finding(
            result, FB_VOID, "throttled",
            "cool it better, or have it use less power, and run it again",
            "CPUs were throttled for heat or power: their counters in "
            "thermal_throttle rose by %lld during the run",
            t->last - t->first);
    }
    if (t->max_khz - t->min_khz > FREQUENCY_MARGIN * t->max_khz) {
        fb_result_add_finding(
            result, FB_WARNING, "frequency",
            "cpupower frequency-set -g performance, and no turbo",
            "CPU %d ran at between %.0f and %.0f MHz: blocks are comparable, "
            "times per packet are a mixture", get_cpu(&result->environment),
            t->min_khz / 1e3, t->max_khz / 1e3);
    }
}
