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

#include "fb-procstat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-hostfile.h"
#include "util.h"

/* Returns the name of 'kind' in results. */
const char *
fb_cpu_kind_name(enum fb_cpu_kind kind)
{
    static const char *const names[FB_N_CPU_KINDS] = {
        [FB_CPU_USER] = "user",
        [FB_CPU_NICE] = "nice",
        [FB_CPU_SYSTEM] = "system",
        [FB_CPU_IDLE] = "idle",
        [FB_CPU_IOWAIT] = "iowait",
        [FB_CPU_IRQ] = "irq",
        [FB_CPU_SOFTIRQ] = "softirq",
        [FB_CPU_STEAL] = "steal",
    };
    return names[kind];
}

/* Adds the columns of the line at 's', which begins after the CPU's name, to
 * 'stat'.  Returns false if there are too few. */
static bool
add_columns(const char *s, struct fb_procstat *stat)
{
    for (int i = 0; i < FB_N_CPU_KINDS; i++) {
        char *end;
        uint64_t ticks = strtoull(s, &end, 10);
        if (end == s) {
            return false;
        }
        stat->ticks[i] += ticks;
        s = end;
    }
    return true;
}

/* Parses 'text', the contents of /proc/stat, for the CPUs in 'cpus', into
 * '*stat'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_procstat_parse(const char *text, const cpu_set_t *cpus,
                  struct fb_procstat *stat)
{
    int n_found = 0;
    bool has_switches = false;

    memset(stat, 0, sizeof *stat);
    while (*text) {
        int cpu, n = 0;
        if (!strncmp(text, "cpu", 3) && text[3] != ' '
            && sscanf(text, "cpu%d %n", &cpu, &n) == 1 && n > 0) {
            if (cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, cpus)) {
                if (!add_columns(text + n, stat)) {
                    return xasprintf("/proc/stat: CPU %d has too few columns",
                                     cpu);
                }
                n_found++;
            }
        } else if (sscanf(text, "ctxt %"SCNu64, &stat->switches) == 1) {
            has_switches = true;
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    if (n_found < CPU_COUNT(cpus) || !has_switches) {
        return xasprintf("/proc/stat: has %d of %d CPUs%s", n_found,
                         CPU_COUNT(cpus),
                         has_switches ? "" : " and no context switches");
    }
    return NULL;
}

/* Reads /proc/stat, for the CPUs in 'cpus', into '*stat'.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_procstat_read(const cpu_set_t *cpus, struct fb_procstat *stat)
{
    char *text = fb_hostfile_read("/proc/stat");
    if (!text) {
        return xasprintf("/proc/stat: cannot be read (%s)",
                         ovs_strerror(errno));
    }
    char *error = fb_procstat_parse(text, cpus, stat);
    free(text);
    return error;
}
