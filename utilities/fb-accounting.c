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

#include "fb-accounting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "fb-hostfile.h"
#include "fb-process.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Returns the name of 'accounting' in results. */
const char *
fb_accounting_name(enum fb_accounting accounting)
{
    switch (accounting) {
    case FB_ACCOUNTING_TICK:
        return "tick";
    case FB_ACCOUNTING_TICK_IRQ:
        return "tick-irq";
    case FB_ACCOUNTING_EXACT:
        return "exact";
    case FB_ACCOUNTING_UNKNOWN:
    default:
        return "unknown";
    }
}

/* Is 'option' on in 'config', a kernel's configuration? */
static bool
is_on(const char *config, const char *option)
{
    char *line = xasprintf("\n%s=y\n", option);
    bool on = (!strncmp(config, line + 1, strlen(line + 1))
               || strstr(config, line));
    free(line);
    return on;
}

/* Returns what 'config', the configuration of a kernel that has full dynticks
 * on some CPU if 'nohz_full', makes of CPU time. */
enum fb_accounting
fb_accounting_parse(const char *config, bool nohz_full)
{
    if (is_on(config, "CONFIG_VIRT_CPU_ACCOUNTING_NATIVE")
        || (is_on(config, "CONFIG_VIRT_CPU_ACCOUNTING_GEN") && nohz_full)) {
        return FB_ACCOUNTING_EXACT;
    } else if (is_on(config, "CONFIG_IRQ_TIME_ACCOUNTING")) {
        return FB_ACCOUNTING_TICK_IRQ;
    } else if (is_on(config, "CONFIG_TICK_CPU_ACCOUNTING")
               || is_on(config, "CONFIG_VIRT_CPU_ACCOUNTING_GEN")) {
        return FB_ACCOUNTING_TICK;
    }
    return FB_ACCOUNTING_UNKNOWN;
}

/* Returns the running kernel's configuration, or NULL.  The caller must free
 * it. */
static char *
read_config(void)
{
    static const char gzipped[] = "/proc/config.gz";
    const char *const argv[] = { "gzip", "-dc", gzipped, NULL };
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct utsname u;

    if (!access(gzipped, R_OK)) {
        char *error = fb_process_run(&(struct fb_process_spec) {
            .argv = argv, .netns_fd = -1 }, &ds);
        if (!error) {
            return ds_steal_cstr(&ds);
        }
        free(error);
    }
    ds_destroy(&ds);

    uname(&u);
    char *name = xasprintf("/boot/config-%s", u.release);
    char *config = fb_hostfile_read(name);
    free(name);
    if (!config) {
        name = xasprintf("/lib/modules/%s/config", u.release);
        config = fb_hostfile_read(name);
        free(name);
    }
    return config;
}

/* Returns how the running kernel books CPU time, and stores in '*nohz_full'
 * whether it has full dynticks on some CPU. */
enum fb_accounting
fb_accounting_find(bool *nohz_full)
{
    enum fb_accounting accounting = FB_ACCOUNTING_UNKNOWN;
    char *cpus = fb_hostfile_read_line("/sys/devices/system/cpu/nohz_full");
    /* With none the kernel prints "(null)", or nothing. */
    *nohz_full = cpus && *cpus >= '0' && *cpus <= '9';
    free(cpus);

    char *config = read_config();
    if (config) {
        accounting = fb_accounting_parse(config, *nohz_full);
        free(config);
    }
    return accounting;
}
