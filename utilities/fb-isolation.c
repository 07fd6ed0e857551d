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

#include "fb-isolation.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-cpus.h"
#include "fb-figure-json.h"
#include "fb-finding.h"
#include "fb-hostfile.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "svec.h"
#include "util.h"

/* Turbo is off if the first is 1 (Intel), or the second is 0 (others). */
#define NO_TURBO "/sys/devices/system/cpu/intel_pstate/no_turbo"
#define BOOST "/sys/devices/system/cpu/cpufreq/boost"

/* What was changed, in the folder of a run: lines with a setting's former
 * value, a tab, and its file. */
#define JOURNAL "tuned"

/* Returns the file with the governor of 'cpu'.  The caller must free it. */
static char *
governor_name(int cpu)
{
    return xasprintf("/sys/devices/system/cpu/cpu%d/cpufreq/"
                     "scaling_governor", cpu);
}

/* Parses 'list', such as "0-3,6", into '*cpus'.  Returns false if it is none
 * or has CPUs beyond CPU_SETSIZE. */
static bool
parse_cpu_list(const char *list, cpu_set_t *cpus)
{
    CPU_ZERO(cpus);
    while (*list) {
        char *end;
        unsigned long int first = strtoul(list, &end, 10);
        unsigned long int last = first;

        if (end == list) {
            return false;
        }
        if (*end == '-') {
            list = end + 1;
            last = strtoul(list, &end, 10);
        }
        if (last >= CPU_SETSIZE || first > last) {
            return false;
        }
        for (; first <= last; first++) {
            CPU_SET(first, cpus);
        }
        list = end + (*end == ',');
        if (*end && *end != ',') {
            return false;
        }
    }
    return CPU_COUNT(cpus) > 0;
}

/* Returns 'cpus' as parse_cpu_list() takes them.  The caller must free it. */
static char *
format_cpu_list(const cpu_set_t *cpus)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, cpus)) {
            ds_put_format(&ds, "%s%d", ds.length ? "," : "", i);
        }
    }
    return ds_steal_cstr(&ds);
}

/* Removes the generator's CPUs from '*cpus'.  Returns true if one was there
 * and another is left. */
static bool
without_generator(cpu_set_t *cpus)
{
    int n = CPU_COUNT(cpus);

    for (size_t i = 0; fb_cpus_generator(i) >= 0; i++) {
        CPU_CLR(fb_cpus_generator(i), cpus);
    }
    return CPU_COUNT(cpus) > 0 && CPU_COUNT(cpus) < n;
}

/* Calls 'cb' with the file that has the affinity of each interrupt, its
 * contents and 'aux'. */
static void
for_each_irq(void (*cb)(const char *name, const char *list, void *aux),
             void *aux)
{
    DIR *dir = fb_hostfile_opendir("/proc/irq");
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        if (isdigit((unsigned char) entry->d_name[0])) {
            char *name = xasprintf("/proc/irq/%s/smp_affinity_list",
                                   entry->d_name);
            char *list = fb_hostfile_read_line(name);
            if (list) {
                cb(name, list, aux);
            }
            free(list);
            free(name);
        }
    }
    if (dir) {
        closedir(dir);
    }
}

/* for_each_irq() callback: counts in the size_t 'n_' those that may come to
 * the generator. */
static void
count_irq(const char *name OVS_UNUSED, const char *list, void *n_)
{
    size_t *n = n_;
    cpu_set_t cpus;

    if (parse_cpu_list(list, &cpus)) {
        int all = CPU_COUNT(&cpus);
        without_generator(&cpus);
        *n += CPU_COUNT(&cpus) < all;
    }
}

/* Returns the governor of all CPUs of the run, "mixed", or NULL.  The caller
 * must free it. */
static char *
read_governor(void)
{
    char *governor = NULL;
    cpu_set_t cpus;

    fb_cpus_get_all(&cpus);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        char *name = CPU_ISSET(i, &cpus) ? governor_name(i) : NULL;
        char *g = name ? fb_hostfile_read_line(name) : NULL;

        if (g && governor && strcmp(g, governor)) {
            free(governor);
            governor = xstrdup("mixed");
        } else if (g && !governor) {
            governor = xstrdup(g);
        }
        free(g);
        free(name);
    }
    return governor;
}

/* Does a process called "irqbalance" run? */
static bool
irqbalance_runs(void)
{
    DIR *dir = fb_hostfile_opendir("/proc");
    struct dirent *entry;
    bool runs = false;

    while (dir && !runs && (entry = readdir(dir)) != NULL) {
        if (isdigit((unsigned char) entry->d_name[0])) {
            char *name = xasprintf("/proc/%s/comm", entry->d_name);
            char *comm = fb_hostfile_read_line(name);
            runs = comm && !strcmp(comm, "irqbalance");
            free(comm);
            free(name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    return runs;
}

/* Reads the present state into '*i', but for 'n_tuned'.  The generator must
 * have its CPUs. */
static void
read_state(struct fb_isolation *i)
{
    long long int x;

    i->governor = read_governor();
    i->turbo = (fb_hostfile_read_number(NO_TURBO, &x) ? !x
                : fb_hostfile_read_number(BOOST, &x) ? x != 0
                : -1);
    i->irqbalance = irqbalance_runs();
    i->n_irqs = 0;
    for_each_irq(count_irq, &i->n_irqs);
}

/* Frees what 'i' holds. */
void
fb_isolation_destroy(struct fb_isolation *i)
{
    free(i->governor);
}

/* Adds findings about 'i' to 'findings'.  'pinned' says that the user wants
 * CPUs apart. */
static void
judge(const struct fb_isolation *i, bool pinned, struct fb_findings *findings)
{
    if (i->governor && strcmp(i->governor, "performance")) {
        fb_findings_add(
            findings, FB_WARNING, "governor", "use --tune, or \"cpupower "
            "frequency-set -g performance\"", "the frequency governor is "
            "\"%s\": the CPUs' speed depends on the load", i->governor);
    }
    if (i->turbo == 1 && i->governor) {
        fb_findings_add(
            findings, FB_INFO, "turbo", "use --tune",
            "turbo is on: the CPUs' speed depends on their temperature and on "
            "what the others do");
    }
    if (pinned && i->n_irqs) {
        fb_findings_add(
            findings, FB_INFO, "interrupts", "use --tune",
            "%"PRIuSIZE" interrupts may come to a CPU of the generator",
            i->n_irqs);
    }
    if (pinned && i->irqbalance) {
        fb_findings_add(
            findings, FB_WARNING, "irqbalance", "stop it for the time of the "
            "run: systemctl stop irqbalance",
            "irqbalance runs, which moves interrupts between CPUs at its own "
            "time");
    }
}

/* Returns 'i' as JSON. */
struct json *
fb_isolation_to_json(const struct fb_isolation *i)
{
    struct json *json = json_object_create();
    int pmd = fb_cpus_pmd();

    json_object_put(json, "governor", fb_string_to_json(i->governor));
    json_object_put(json, "turbo", i->turbo < 0 ? json_null_create()
                    : json_boolean_create(i->turbo));
    json_object_put(json, "irqbalance", json_boolean_create(i->irqbalance));
    json_object_put(json, "interrupts_on_generator",
                    json_integer_create(i->n_irqs));
    json_object_put(json, "tuned", json_integer_create(i->n_tuned));
    json_object_put(json, "pmd_cpu", pmd >= 0 ? json_integer_create(pmd)
                    : json_null_create());
    return json;
}

/* Writes 'value' to the file 'name' of the host.  Returns 0 or a positive
 * errno. */
static int
write_setting(const char *name, const char *value)
{
    char *path = fb_hostfile_name(name);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    int error = fd < 0 ? errno : 0;

    if (fd >= 0) {
        error = write(fd, value, strlen(value)) < 0 ? errno : 0;
        close(fd);
    }
    free(path);
    return error;
}

/* What tune() works on. */
struct tuning {
    int fd;                     /* Of the journal. */
    size_t n;                   /* Settings changed. */
    char *error;                /* Of the journal, or NULL. */
};

/* Changes the file 'name' from 'old' to 'value', unless that cannot be: of
 * some interrupts the kernel does not let go. */
static void
change(struct tuning *tuning, const char *name, const char *old,
       const char *value)
{
    if (tuning->error || !strcmp(old, value)) {
        return;
    }
    char *line = xasprintf("%s\t%s\n", old, name);
    size_t len = strlen(line);
    if (write(tuning->fd, line, len) != len || fsync(tuning->fd)) {
        tuning->error = xasprintf("cannot write down what --tune changes (%s)",
                                  ovs_strerror(errno));
    } else {
        tuning->n += !write_setting(name, value);
    }
    free(line);
}

/* for_each_irq() callback: moves an interrupt away from the generator.
 * 'tuning_' is a struct tuning. */
static void
move_irq(const char *name, const char *list, void *tuning_)
{
    cpu_set_t cpus;

    if (parse_cpu_list(list, &cpus) && without_generator(&cpus)) {
        char *new = format_cpu_list(&cpus);
        change(tuning_, name, list, new);
        free(new);
    }
}

/* Changes the setting 'name', if there is one, to 'value'. */
static void
change_to(struct tuning *tuning, const char *name, const char *value)
{
    char *old = fb_hostfile_read_line(name);
    if (old) {
        change(tuning, name, old, value);
    }
    free(old);
}

/* Sets the governor of the CPUs of the run to "performance", switches turbo
 * off and moves interrupts away from the generator's CPUs, as far as that can
 * be.  Stores in '*n_tuned' how many settings that changed. */
static char *
tune(const char *rundir, size_t *n_tuned)
{
    char *journal = xasprintf("%s/%s", rundir, JOURNAL);
    struct tuning tuning = {
        .fd = open(journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600),
    };
    cpu_set_t cpus;

    free(journal);
    if (tuning.fd < 0) {
        return xasprintf("%s: cannot be written (%s)", rundir,
                         ovs_strerror(errno));
    }
    fb_cpus_get_all(&cpus);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &cpus)) {
            char *name = governor_name(i);
            change_to(&tuning, name, "performance");
            free(name);
        }
    }
    change_to(&tuning, NO_TURBO, "1");
    change_to(&tuning, BOOST, "0");
    for_each_irq(move_irq, &tuning);
    close(tuning.fd);
    *n_tuned = tuning.n;
    return tuning.error;
}

/* Finds out what on this host may disturb the CPUs of a run and stores it in
 * '*isolation', for the caller to destroy, and adds what to say of it to
 * 'findings'.  The generator must have its CPUs.  'pinned' says that the user
 * wants CPUs apart.
 *
 * If 'tune_dir' is nonnull, mends what can be mended for the time of the run
 * first; that is the folder of the run, for fb_isolation_undo(). */
char *
fb_isolation_begin(const char *tune_dir, bool pinned,
                   struct fb_isolation *isolation,
                   struct fb_findings *findings)
{
    char *error = (tune_dir ? tune(tune_dir, &isolation->n_tuned) : NULL);

    read_state(isolation);
    judge(isolation, pinned || tune_dir, findings);
    return error;
}

/* Puts back what tune() has changed for the run in 'rundir', the
 * last change first.  A setting that somebody else has changed meanwhile is
 * put back, too.  Returns how many could not be. */
size_t
fb_isolation_undo(const char *rundir)
{
    char *journal = xasprintf("%s/%s", rundir, JOURNAL);
    struct svec lines = SVEC_EMPTY_INITIALIZER;
    char *line = NULL;
    size_t allocated = 0, n_failed = 0;

    FILE *stream = fopen(journal, "re");
    while (stream && getline(&line, &allocated, stream) > 0) {
        line[strcspn(line, "\n")] = '\0';
        svec_add(&lines, line);
    }
    free(line);
    for (size_t i = 0; i < lines.n; i++) {
        char *old = lines.names[lines.n - 1 - i];
        char *name = strchr(old, '\t');
        if (name) {
            *name++ = '\0';
            char *now = fb_hostfile_read_line(name);
            n_failed += (now && strcmp(now, old)
                         && write_setting(name, old));
            free(now);
        }
    }
    svec_destroy(&lines);
    if (stream) {
        fclose(stream);
        if (!n_failed) {
            unlink(journal);
        }
    }
    free(journal);
    return n_failed;
}
