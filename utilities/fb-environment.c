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

#include "fb-environment.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "fanbench-config.h"
#include "fb-accounting.h"
#include "fb-figure-json.h"
#include "fb-guest-init.h"
#include "fb-guest-kind.h"
#include "fb-hostfile.h"
#include "fb-ovs-programs.h"
#include "fb-sandbox.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

#ifdef __x86_64__
/* Returns what the CPU says of itself, which in a guest is more than
 * /proc/cpuinfo does, or NULL.  The caller must free it.  Source: AMD64
 * Architecture Programmer's Manual volume 3, CPUID functions 8000_0002h to
 * 8000_0004h. */
static char *
read_cpu_brand(void)
{
    unsigned int regs[12];
    char brand[sizeof regs + 1];

    for (unsigned int i = 0; i < 3; i++) {
        unsigned int *r = &regs[i * 4];
        if (!__get_cpuid(0x80000002 + i, &r[0], &r[1], &r[2], &r[3])) {
            return NULL;
        }
    }
    memcpy(brand, regs, sizeof regs);
    brand[sizeof regs] = '\0';
    return xstrdup(brand + strspn(brand, " "));
}
#else
/* Returns NULL: other architectures have no such name. */
static char *
read_cpu_brand(void)
{
    return NULL;
}
#endif

/* Returns the model of this machine's CPU.  The caller must free it. */
static char *
read_cpu_model(void)
{
    static const char *const keys[] = { "model name", "Model",
                                        "CPU implementer" };
    char line[512];
    char *model = read_cpu_brand();

    FILE *file = model ? NULL : fopen("/proc/cpuinfo", "re");
    while (file && !model && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        for (size_t i = 0; value && !model && i < ARRAY_SIZE(keys); i++) {
            if (!strncmp(line, keys[i], strlen(keys[i]))) {
                value += strspn(value, ": \t");
                value[strcspn(value, "\n")] = '\0';
                model = xstrdup(value);
            }
        }
    }
    if (file) {
        fclose(file);
    }
    return model ? model : xstrdup("unknown CPU");
}

/* Fills in '*e' with what it is like here, and the Open vSwitch of 'programs'
 * if that is nonnull. */
void
fb_environment_read(struct fb_environment *e,
                    const struct fb_ovs_programs *programs)
{
    struct utsname u;
    char date[32];
    time_t now = time(NULL);
    struct tm tm;

    uname(&u);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));

    e->version = xstrdup(FANBENCH_VERSION);
    e->date = xstrdup(date);
    e->kernel = xasprintf("%s %s", u.sysname, u.release);
    e->cpu = read_cpu_model();
    e->n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (!fb_hostfile_read_number("/proc/sys/net/core/netdev_max_backlog",
                                 &e->max_backlog)) {
        e->max_backlog = -1;
    }
    e->guest = fb_guest_get_kind();
    e->emulated = fb_guest_is_emulated();
    e->ovs_version = programs ? nullable_xstrdup(programs->version) : NULL;
    if (e->guest) {
        /* Its kernel may have its configuration in a module. */
        fb_guest_load_module("configs");
    }
    e->cpus.accounting = fb_accounting_name(
        fb_accounting_find(&e->cpus.nohz_full));
}

/* Appends the CPUs of the generator, if it has some, to 'ds', in words. */
static void
format_cpus(const struct fb_environment *e, struct ds *ds)
{
    for (size_t i = 0; i < e->n_generator_cpus; i++) {
        ds_put_format(ds, "%s%d", i ? "," : e->n_generator_cpus > 1
                      ? " on CPUs " : " on CPU ", e->generator_cpus[i]);
    }
}

/* Appends a line on 'e' to 'ds'. */
void
fb_environment_format(const struct fb_environment *e, struct ds *ds)
{
    ds_put_cstr(ds, e->kernel);
    if (e->guest) {
        ds_put_format(ds, " in a %s guest", e->guest->title);
    }
    ds_put_format(ds, ", %u CPU%s%s (%s)", e->n_cpus, e->n_cpus > 1 ? "s" : "",
                  e->emulated ? " emulated in software" : "", e->cpu);
    if (e->ovs_version) {
        ds_put_format(ds, "; %s", e->ovs_version);
    }
    if (e->iperf3) {
        ds_put_format(ds, "; %s", e->iperf3);
    }
    if (e->generator) {
        ds_put_format(ds, "; %s", e->generator);
        format_cpus(e, ds);
    }
    ds_put_format(ds, "; ovs-fanbench %s, %s\n", e->version, e->date);
}

/* Returns 'e', but for how a load is sent in it, as JSON, which the caller
 * must destroy. */
struct json *
fb_environment_to_json(const struct fb_environment *e)
{
    struct json *json = json_object_create();

    json_object_put_string(json, "version", e->version);
    json_object_put_string(json, "date", e->date);
    json_object_put_string(json, "kernel", e->kernel);
    json_object_put_string(json, "cpu", e->cpu);
    json_object_put(json, "cpus", json_integer_create(e->n_cpus));
    json_object_put(json, "netdev_max_backlog",
                    e->max_backlog < 0 ? json_null_create()
                    : json_integer_create(e->max_backlog));
    json_object_put(json, "guest", json_boolean_create(e->guest));
    json_object_put(json, "guest_kind",
                    fb_string_to_json(e->guest ? e->guest->name : NULL));
    json_object_put(json, "emulated", json_boolean_create(e->emulated));
    json_object_put(json, "ovs", fb_string_to_json(e->ovs_version));
    return json;
}

/* Frees what 'e' holds. */
void
fb_environment_destroy(struct fb_environment *e)
{
    free(e->version);
    free(e->date);
    free(e->kernel);
    free(e->cpu);
    free(e->ovs_version);
    free(e->iperf3);
    fb_isolation_destroy(&e->isolation);
    fb_ceilings_destroy(&e->ceilings);
}
