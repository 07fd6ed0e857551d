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

#include "fb-doctor-ovs.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-appctl.h"
#include "fb-doctor.h"
#include "fb-hostfile.h"
#include "fb-task.h"
#include "lib/vswitch-idl.h"
#include "util.h"

/* Returns the number that follows 'key' in 'text', which may be null; 0 if
 * there is none. */
uint64_t
fb_doctor_ovs_number(const char *text, const char *key)
{
    const char *p = text ? strstr(text, key) : NULL;
    return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

/* Finds the line of 'counter' in 'coverage', as coverage/show prints it:
 *
 *     NAME   1.0/sec  2.000/sec  3.0000/sec   total: 4
 *
 * with averages over 5 s, a minute and an hour.  Stores that over an hour in
 * '*hour' and returns the total. */
static uint64_t
read_coverage(const char *coverage, const char *counter, double *hour)
{
    size_t len = strlen(counter);

    *hour = 0;
    for (const char *line = coverage; line; line = strchr(line, '\n')) {
        unsigned long long int total;

        line += *line == '\n';
        if (!strncmp(line, counter, len) && line[len] == ' ') {
            if (sscanf(line + len, " %*f/sec %*f/sec %lf/sec total: %llu",
                       hour, &total) == 2) {
                return total;
            }
            return 0;
        }
    }
    return 0;
}

/* Returns how often per second 'counter' rose between the samples. */
double
fb_doctor_ovs_coverage(const struct fb_doctor *doctor,
                       const struct fb_doctor_ovs *e, const char *counter)
{
    double hour;
    uint64_t first = read_coverage(e->first.coverage, counter, &hour);
    uint64_t second = read_coverage(e->second.coverage, counter, &hour);
    return fb_doctor_rate(doctor, first, second);
}

/* Returns how often 'counter' rose in the last hour, by Open vSwitch's own
 * average. */
double
fb_doctor_ovs_coverage_hour(const struct fb_doctor_ovs *e,
                            const char *counter)
{
    double hour;
    read_coverage(e->second.coverage, counter, &hour);
    return hour * 3600;
}

/* Stores in '*textp' what 'command' of ovs-vswitchd prints, for the caller to
 * free(), or NULL, and then says why. */
static void
ask(struct fb_doctor *doctor, struct fb_doctor_ovs *e, const char *command,
    char **textp)
{
    *textp = NULL;
    if (e->host.rpc) {
        char *error = fb_appctl(e->host.rpc, textp, command, NULL);
        if (error) {
            fb_doctor_add_unread(doctor, "%s", error);
            free(error);
        }
    }
}

/* Adds the thread in 'dir' to its kind in 's'. */
static void
add_thread(struct fb_ovs_sample *s, const char *dir)
{
    struct fb_task task;

    if (fb_task_read(dir, &task)) {
        struct fb_ovs_crew *crew
            = (!strncmp(task.name, "handler", 7) ? &s->handlers
               : !strncmp(task.name, "revalidator", 11) ? &s->revalidators
               : !strncmp(task.name, "pmd-", 4) ? &s->pmds
               : !strncmp(task.name, "ovs-vswitchd", 12) ? &s->main
               : NULL);
        if (crew) {
            crew->n++;
            crew->run_ns += task.run_ns ? task.run_ns : task.cpu_ns;
            crew->wait_ns += task.wait_ns;
            s->has_threads = true;
        }
    }
}

/* Reads the threads of ovs-vswitchd. */
static void
read_threads(const struct fb_ovs_host *host, struct fb_ovs_sample *s)
{
    char *name = xasprintf("/proc/%ld/task", (long int) host->pid);
    DIR *dir = host->pid ? fb_hostfile_opendir(name) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        if (isdigit((unsigned char) entry->d_name[0])) {
            char *task = xasprintf("%s/%s", name, entry->d_name);
            add_thread(s, task);
            free(task);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(name);
}

/* Takes a sample. */
static void
sample(struct fb_doctor *doctor, struct fb_doctor_ovs *e,
       struct fb_ovs_sample *s)
{
    ask(doctor, e, "dpctl/show", &s->datapaths);
    ask(doctor, e, "upcall/show", &s->upcalls);
    ask(doctor, e, "coverage/show", &s->coverage);
    read_threads(&e->host, s);
}

/* Fills in the rest of '*dp' from its part of upcall/show in 'upcalls'. */
static void
parse_upcalls(const char *upcalls, struct fb_ovs_dp *dp)
{
    char *head = xasprintf("%s:\n", dp->name);
    const char *part = upcalls ? strstr(upcalls, head) : NULL;

    if (part) {
        dp->limit = fb_doctor_ovs_number(part, "(limit ");
        dp->max_flows = fb_doctor_ovs_number(part, "(max ");
        dp->dump_ms = fb_doctor_ovs_number(part, "dump duration : ");
    }
    free(head);
}

/* Stores the datapaths that 's' shows in '*dpsp' and returns their number. */
static size_t
parse_datapaths(const struct fb_ovs_sample *s, struct fb_ovs_dp **dpsp)
{
    size_t n = 0;

    *dpsp = NULL;
    for (const char *p = s->datapaths; p && *p; p += strcspn(p, "\n"),
         p += *p == '\n') {
        /* A name starts a line and ends with a colon. */
        size_t len = strcspn(p, "\n");
        if (isspace((unsigned char) *p) || !len || p[len - 1] != ':') {
            continue;
        }
        *dpsp = xrealloc(*dpsp, (n + 1) * sizeof **dpsp);
        struct fb_ovs_dp *dp = &(*dpsp)[n++];
        memset(dp, 0, sizeof *dp);
        ovs_strlcpy(dp->name, p, MIN(len, sizeof dp->name));

        const char *end = strstr(p, "\n  port ");
        char *part = xmemdup0(p, end ? end - p : strlen(p));
        dp->kernel = !strncmp(dp->name, "system@", strlen("system@"));
        dp->hit = fb_doctor_ovs_number(part, "lookups: hit:");
        dp->missed = fb_doctor_ovs_number(part, " missed:");
        dp->lost = fb_doctor_ovs_number(part, " lost:");
        dp->flows = fb_doctor_ovs_number(part, "  flows: ");
        dp->mask_lookups = fb_doctor_ovs_number(part, "masks: hit:");
        dp->masks = fb_doctor_ovs_number(part, " total:");
        free(part);
        parse_upcalls(s->upcalls, dp);
    }
    return n;
}

/* Returns what 'dp', of the second sample, was in the first one, or NULL if it
 * was not there. */
const struct fb_ovs_dp *
fb_doctor_ovs_before(const struct fb_doctor_ovs *e,
                     const struct fb_ovs_dp *dp)
{
    for (size_t i = 0; i < e->n_dps[0]; i++) {
        if (!strcmp(e->dps[0][i].name, dp->name)) {
            return &e->dps[0][i];
        }
    }
    return NULL;
}

/* Says what there is. */
static void
add_examined(struct fb_doctor *doctor, struct fb_doctor_ovs *e)
{
    const struct fb_ovs_host *host = &e->host;
    size_t n_bridges = 0;
    char *version = NULL;

    if (host->rpc_error) {
        fb_doctor_add_unread(doctor, "ovs-vswitchd: %s", host->rpc_error);
    }
    if (host->idl_error && (host->pid || doctor->config->db)) {
        fb_doctor_add_unread(doctor, "Open vSwitch's database: %s",
                             host->idl_error);
    }
    if (!host->pid && !host->idl) {
        fb_doctor_add_examined(doctor, "no Open vSwitch in %s",
                               host->rundir);
        return;
    }
    if (host->idl) {
        const struct ovsrec_bridge *br;
        OVSREC_BRIDGE_FOR_EACH (br, host->idl) {
            n_bridges++;
        }
    }
    ask(doctor, e, "version", &version);
    if (version) {
        version[strcspn(version, "\n")] = '\0';
    }
    fb_doctor_add_examined(doctor, "%s in %s, %"PRIuSIZE" bridge%s",
                           version ? version : "Open vSwitch", host->rundir,
                           n_bridges, n_bridges == 1 ? "" : "s");
    free(version);
}

/* Takes the first sample. */
static void *
begin(struct fb_doctor *doctor)
{
    struct fb_doctor_ovs *e = xzalloc(sizeof *e);

    fb_ovs_host_open(&e->host, doctor->config->db);
    add_examined(doctor, e);
    sample(doctor, e, &e->first);
    return e;
}

/* Takes the second sample. */
static void
end(struct fb_doctor *doctor, void *e_)
{
    struct fb_doctor_ovs *e = e_;

    sample(doctor, e, &e->second);
    ask(doctor, e, "memory/show", &e->memory);
    e->n_dps[0] = parse_datapaths(&e->first, &e->dps[0]);
    e->n_dps[1] = parse_datapaths(&e->second, &e->dps[1]);
    for (size_t i = 0; i < e->n_dps[1]; i++) {
        /* Without the kernel's module, OVS 3.1 never answers this. */
        if (e->dps[1][i].kernel && !e->dispatch) {
            ask(doctor, e, "dpif-netlink/dispatch-mode", &e->dispatch);
        }
    }
    if (e->host.pid && !e->second.has_threads) {
        fb_doctor_add_unread(doctor, "ovs-vswitchd's threads: process %ld is "
                             "not visible here", (long int) e->host.pid);
    }
}

/* Frees what 's' holds. */
static void
destroy_sample(struct fb_ovs_sample *s)
{
    free(s->datapaths);
    free(s->upcalls);
    free(s->coverage);
}

/* Frees 'e_'. */
static void
destroy(void *e_)
{
    struct fb_doctor_ovs *e = e_;

    destroy_sample(&e->first);
    destroy_sample(&e->second);
    free(e->memory);
    free(e->dispatch);
    free(e->dps[0]);
    free(e->dps[1]);
    fb_ovs_host_close(&e->host);
    free(e);
}

/* The probe comes first: what it has found, since when, is not said again. */
static const struct fb_doctor_check checks[] = {
    { "ovs-down", "ovs-vswitchd's PID file and socket",
      "a database but no ovs-vswitchd", fb_check_down },
    { "probe", "fanbench/show", "what the probe has found", fb_check_probe },
    { "upcalls-lost", "dpctl/show, twice",
      "packets lost on the way to ovs-vswitchd", fb_check_lost },
    { "many-upcalls", "dpctl/show, twice",
      "100 misses, and 20 % of packets", fb_check_misses },
    { "flows-over-limit", "upcall/show, coverage/show, twice",
      "flows refused or thrown out", fb_check_flow_limit },
    { "flow-limit-reduced", "coverage/show",
      "the limit lowered in the last hour", fb_check_limit_reduced },
    { "slow-rounds", "upcall/show, twice", "a round of 1 s",
      fb_check_rounds },
    { "many-masks", "dpctl/show, twice", "8 masks tried for each packet",
      fb_check_masks },
    { "handlers", "ovs-vswitchd's threads",
      "none, or fewer than asked for", fb_check_handlers },
    { "dispatch-mode", "dpif-netlink/dispatch-mode", "per-vport dispatch",
      fb_check_dispatch },
    { "revalidators", "ovs-vswitchd's threads, coverage/show, twice",
      "busy for 70 % of the time, or starved for 25 %",
      fb_check_revalidators },
    { "slow-path", "dpctl/dump-flows, up to 5,000 flows; coverage/show",
      "flows that ovs-vswitchd forwards", fb_check_slow_path },
    { "mac-table-full", "fdb/stats-show, coverage/show, twice",
      "addresses thrown out to learn others", fb_check_mac_table },
    { "mac-moves", "coverage/show, twice",
      "addresses that change ports 10 times a second", fb_check_mac_moves },
    { "mirrors", "the database", "mirrors", fb_check_mirrors },
    { "datapath-type", "the database, generic netlink",
      "a datapath that its ports do not fit", fb_check_datapath_type },
    { "interface-errors", "the database", "interfaces that do not work",
      fb_check_interface_errors },
    { "statistics-sweeps", "coverage/show, threads, twice",
      "200 interfaces read a second, and 10 % of a CPU",
      fb_check_statistics },
    { "rules-to-own-port", "OpenFlow, up to 10,000 rules",
      "rules that send packets back to their port", fb_check_rules },
};

const struct fb_doctor_area fb_doctor_ovs = {
    .name = "ovs",
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
    .begin = begin,
    .end = end,
    .destroy = destroy,
};
