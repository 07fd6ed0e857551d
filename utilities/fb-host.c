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

#include "fb-host.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fb-hostfile.h"
#include "fb-task.h"
#include "util.h"

/* More CPUs than any host has: guards against nonsense in a file. */
#define MAX_CPUS 65536

/* Notes in 'unread' that 'name' cannot be read, by errno. */
static void
add_unread(struct svec *unread, const char *name)
{
    svec_add_nocopy(unread, xasprintf("%s (%s)", name, ovs_strerror(errno)));
}

/* Returns the CPU 'id' of 'host', which may become larger by that. */
static struct fb_host_cpu *
get_cpu(struct fb_host *host, size_t id)
{
    if (id >= host->n_cpus) {
        host->cpus = xrealloc(host->cpus, (id + 1) * sizeof *host->cpus);
        memset(&host->cpus[host->n_cpus], 0,
               (id + 1 - host->n_cpus) * sizeof *host->cpus);
        host->n_cpus = id + 1;
    }
    return &host->cpus[id];
}

/* Reads the CPUs' times.  Source: proc(5); guests' time is in "user", too. */
static void
read_stat(struct fb_host *host, struct svec *unread)
{
    char *text = fb_hostfile_read("/proc/stat");
    char *save = NULL;

    if (!text) {
        add_unread(unread, "/proc/stat");
        return;
    }
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        uint64_t t[8] = { 0 };
        unsigned int id;

        if (sscanf(line, "cpu%u %"SCNu64" %"SCNu64" %"SCNu64" %"SCNu64
                   " %"SCNu64" %"SCNu64" %"SCNu64" %"SCNu64, &id, &t[0],
                   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) < 5
            || id >= MAX_CPUS) {
            continue;
        }
        struct fb_host_cpu *cpu = get_cpu(host, id);
        cpu->online = true;
        cpu->idle = t[3] + t[4];
        cpu->softirq = t[6];
        cpu->steal = t[7];
        for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
            cpu->total += t[i];
        }
    }
    free(text);
}

/* Reads the CPUs' receive queues.  Source: softnet_seq_show() in
 * net/core/net-procfs.c of the kernel; since 5.14 the 13th column is the CPU,
 * before, lines are those of CPUs that are online, in order. */
static void
read_softnet(struct fb_host *host, struct svec *unread)
{
    char *text = fb_hostfile_read("/proc/net/softnet_stat");
    char *save = NULL;
    size_t next = 0;

    if (!text) {
        add_unread(unread, "/proc/net/softnet_stat");
        return;
    }
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        uint32_t t[3];
        unsigned int id;
        int n = sscanf(line, "%"SCNx32" %"SCNx32" %"SCNx32" %*x %*x %*x %*x "
                       "%*x %*x %*x %*x %*x %x", &t[0], &t[1], &t[2], &id);
        if (n < 3) {
            continue;
        } else if (n < 4) {
            while (next < host->n_cpus && !host->cpus[next].online) {
                next++;
            }
            id = next++;
        }
        if (id < MAX_CPUS) {
            struct fb_host_cpu *cpu = get_cpu(host, id);
            cpu->has_softnet = true;
            cpu->processed = t[0];
            cpu->dropped = t[1];
            cpu->squeezed = t[2];
        }
    }
    free(text);
}

/* Reads what the ksoftirqd of each CPU has used. */
static void
read_ksoftirqd(struct fb_host *host, struct svec *unread)
{
    DIR *dir = fb_hostfile_opendir("/proc");
    struct dirent *entry;

    if (!dir) {
        add_unread(unread, "/proc");
        return;
    }
    while ((entry = readdir(dir)) != NULL) {
        struct fb_task task;
        unsigned int id;

        if (!isdigit((unsigned char) entry->d_name[0])) {
            continue;
        }
        char *name = xasprintf("/proc/%s/comm", entry->d_name);
        char *comm = fb_hostfile_read_line(name);
        free(name);
        if (comm && sscanf(comm, "ksoftirqd/%u", &id) == 1
            && id < MAX_CPUS) {
            name = xasprintf("/proc/%s", entry->d_name);
            if (fb_task_read(name, &task)) {
                get_cpu(host, id)->ksoftirqd_ns = (task.run_ns ? task.run_ns
                                                   : task.cpu_ns);
            }
            free(name);
        }
        free(comm);
    }
    closedir(dir);
}

/* Returns the sum over CPUs of the column 'column' in the file 'name', whose
 * first line has the columns' names and whose numbers are hexadecimal. */
static uint64_t
sum_column(const char *name, const char *column)
{
    char *text = fb_hostfile_read(name);
    char *save_line = NULL;
    int index = -1;
    uint64_t sum = 0;

    if (!text) {
        return 0;
    }
    for (char *line = strtok_r(text, "\n", &save_line); line;
         line = strtok_r(NULL, "\n", &save_line)) {
        bool heading = index < 0;
        char *save = NULL;
        int i = 0;

        for (char *word = strtok_r(line, " ", &save); word;
             word = strtok_r(NULL, " ", &save), i++) {
            if (heading && !strcmp(word, column)) {
                index = i;
            } else if (!heading && i == index) {
                sum += strtoull(word, NULL, 16);
            }
        }
        if (index < 0) {
            break;
        }
    }
    free(text);
    return sum;
}

/* Returns the counter 'name' of the group 'group' in /proc/net/netstat, whose
 * groups have one line of names and one of values each; 0 if there is none. */
static uint64_t
read_netstat(const char *group, const char *name)
{
    char *text = fb_hostfile_read("/proc/net/netstat");
    uint64_t value = 0;

    char *names = text ? strstr(text, group) : NULL;
    char *values = names ? strstr(names + 1, group) : NULL;
    if (values) {
        char *save_name = NULL, *save_value = NULL;

        values[-1] = '\0';
        values[strcspn(values, "\n")] = '\0';
        names[strcspn(names, "\n")] = '\0';
        char *n = strtok_r(names, " ", &save_name);
        char *v = strtok_r(values, " ", &save_value);
        while (n && v && strcmp(n, name)) {
            n = strtok_r(NULL, " ", &save_name);
            v = strtok_r(NULL, " ", &save_value);
        }
        value = n && v ? strtoull(v, NULL, 10) : 0;
    }
    free(text);
    return value;
}

/* Reads what is this network namespace's own into '*net'. */
void
fb_host_read_net(struct fb_host_net *net)
{
    net->has_conntrack
        = (fb_hostfile_read_number("/proc/sys/net/netfilter/"
                                   "nf_conntrack_count", &net->n_conns)
           && fb_hostfile_read_number("/proc/sys/net/netfilter/"
                                      "nf_conntrack_max", &net->max_conns));
    net->conntrack_drops = (sum_column("/proc/net/stat/nf_conntrack", "drop")
                            + sum_column("/proc/net/stat/nf_conntrack",
                                         "early_drop"));
    net->ip_csum_errors = read_netstat("IpExt:", "InCsumErrors");
}

/* Fills in '*host', for the caller to destroy with fb_host_destroy(), and adds
 * to 'unread' what could not be read, and why. */
void
fb_host_read(struct fb_host *host, struct svec *unread)
{
    memset(host, 0, sizeof *host);
    read_stat(host, unread);
    read_softnet(host, unread);
    read_ksoftirqd(host, unread);
    fb_host_read_net(&host->net);
}

/* Frees what 'host' holds. */
void
fb_host_destroy(struct fb_host *host)
{
    free(host->cpus);
}
