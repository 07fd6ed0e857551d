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

#include "fb-doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "fb-host.h"
#include "fb-hostfile.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Of a CPU's time in a sample, as a share. */

/* Taken away by the hypervisor: more than the 1.5 % by which two builds of one
 * topology differ anyway (see "verdict" in ovs-fanbench(8)). */
#define MAX_STEAL 0.015

/* Used by ksoftirqd, to which the kernel hands over what softirqs did not get
 * done in 2 ms or 10 rounds (MAX_SOFTIRQ_TIME and MAX_SOFTIRQ_RESTART in
 * kernel/softirq.c), and which then competes with ordinary processes.  That
 * happens now and then on any machine; how much of it is too much is a
 * convention. */
#define MAX_KSOFTIRQD 0.1

/* In softirqs: the CPU is full from there on, as what is left goes into the
 * interrupts that raise them. */
#define MAX_SOFTIRQ 0.9

/* Of all packets, on one CPU, while another has a twentieth at most: the other
 * CPUs could take most of the work.  A convention. */
#define MAX_ONE_CPU 0.9

/* Packets received per second from which on it matters where: a packet's way
 * through a switch takes 1 to 2 us ("run fanout"), so these take a CPU's time
 * for 1 to 2 %. */
#define MIN_PACKET_RATE 10000

/* Receiving is cut short after net.core.netdev_budget_usecs, 2 ms by default:
 * from this rate on, in 2 % of a CPU's time. */
#define MAX_SQUEEZE_RATE 10

/* The kernel's default of net.core.netdev_max_backlog, in packets
 * (net/core/hotdata.c). */
#define DEFAULT_BACKLOG 1000

/* Connections, of the most that there may be: the kernel throws out others
 * early at 95 % (nf_conntrack_core.c), and this is some time before. */
#define MAX_CONNTRACK 0.8

/* What the checks look at. */
struct evidence {
    struct fb_host first;
    struct fb_host second;
};

/* Takes a sample. */
static void
sample(struct fb_doctor *doctor, struct fb_host *host)
{
    struct svec unread = SVEC_EMPTY_INITIALIZER;

    fb_host_read(host, &unread);
    for (size_t i = 0; i < unread.n; i++) {
        fb_doctor_add_unread(doctor, "%s", unread.names[i]);
    }
    svec_destroy(&unread);
}

/* Takes the first sample. */
static void *
begin(struct fb_doctor *doctor)
{
    struct evidence *e = xzalloc(sizeof *e);
    struct utsname u;
    size_t n_online = 0;

    sample(doctor, &e->first);
    for (size_t i = 0; i < e->first.n_cpus; i++) {
        n_online += e->first.cpus[i].online;
    }
    uname(&u);
    fb_doctor_add_examined(doctor, "%s %s, %"PRIuSIZE" CPU%s", u.sysname,
                           u.release, n_online, n_online == 1 ? "" : "s");
    return e;
}

/* Takes the second sample. */
static void
end(struct fb_doctor *doctor, void *e_)
{
    struct evidence *e = e_;
    sample(doctor, &e->second);
}

/* Frees 'e_'. */
static void
destroy(void *e_)
{
    struct evidence *e = e_;

    fb_host_destroy(&e->first);
    fb_host_destroy(&e->second);
    free(e);
}

/* Returns the number of CPUs that are in both samples. */
static size_t
n_cpus(const struct evidence *e)
{
    return MIN(e->first.n_cpus, e->second.n_cpus);
}

/* Returns 'part' of the time that CPU 'i' had between the samples, as a
 * share. */
static double
share(const struct evidence *e, size_t i, uint64_t part)
{
    uint64_t total = e->second.cpus[i].total - e->first.cpus[i].total;
    return total && part <= total ? (double) part / total : 0;
}

/* Returns 'sysctl', a number below /proc/sys, or -1. */
static long long int
read_sysctl(const char *name)
{
    long long int value;
    return fb_hostfile_read_number(name, &value) ? value : -1;
}

/* Packets that were refused because a CPU's receive queue was full. */
static void
check_softnet_drops(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    long long int max = read_sysctl("/proc/sys/net/core/netdev_max_backlog");
    uint64_t before = 0;

    char *fix = xasprintf("sysctl -w net.core.netdev_max_backlog=%lld",
                          MAX(4 * max, 4 * DEFAULT_BACKLOG));
    for (size_t i = 0; i < n_cpus(e); i++) {
        const struct fb_host_cpu *a = &e->first.cpus[i];
        const struct fb_host_cpu *b = &e->second.cpus[i];
        uint32_t rise = b->dropped - a->dropped;

        before += a->dropped;
        if (rise) {
            fb_doctor_add(
                doctor, FB_ERROR, fix,
                "CPU %"PRIuSIZE" drops %.0f packets/s of %.0f because its "
                "receive queue is full (net.core.netdev_max_backlog is %lld): "
                "more come in by veth, tunnels or RPS than it handles.",
                i, rise / doctor->seconds,
                (double) (b->processed - a->processed + rise)
                / doctor->seconds, max);
        }
    }
    free(fix);
    if (before && !fb_doctor_has_found(doctor, doctor->code)) {
        fb_doctor_add(doctor, FB_INFO, NULL,
                      "CPUs' receive queues have dropped %"PRIu64" packets "
                      "since boot, but none now.", before);
    }
}

/* Receiving that is cut short. */
static void
check_softnet_squeezed(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < n_cpus(e); i++) {
        double rate = (e->second.cpus[i].squeezed - e->first.cpus[i].squeezed)
                      / doctor->seconds;
        if (rate >= MAX_SQUEEZE_RATE) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "sysctl -w net.core.netdev_budget=600 "
                "net.core.netdev_budget_usecs=4000, or spread the load over "
                "more CPUs",
                "CPU %"PRIuSIZE" had packets left %.0f times a second when "
                "its time for receiving was over (time_squeeze; "
                "netdev_budget %lld, netdev_budget_usecs %lld).",
                i, rate, read_sysctl("/proc/sys/net/core/netdev_budget"),
                read_sysctl("/proc/sys/net/core/netdev_budget_usecs"));
        }
    }
}

/* A queue that is shorter than usual. */
static void
check_backlog(struct fb_doctor *doctor, const void *e OVS_UNUSED)
{
    long long int max = read_sysctl("/proc/sys/net/core/netdev_max_backlog");

    if (max < 0) {
        fb_doctor_add_unread(doctor, "net.core.netdev_max_backlog (%s)",
                             ovs_strerror(errno));
    } else if (max < DEFAULT_BACKLOG) {
        fb_doctor_add(
            doctor, FB_WARNING, "sysctl -w net.core.netdev_max_backlog=1000",
            "net.core.netdev_max_backlog is %lld, below the kernel's default "
            "of %d: a copy to each of many veth ports, as for a broadcast, "
            "does not fit.", max, DEFAULT_BACKLOG);
    }
}

/* Softirq work that ordinary processes compete with. */
static void
check_ksoftirqd(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < n_cpus(e); i++) {
        double used = fb_doctor_rate(doctor, e->first.cpus[i].ksoftirqd_ns,
                                     e->second.cpus[i].ksoftirqd_ns) / 1e9;
        if (used >= MAX_KSOFTIRQD) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "spread receive queues over more CPUs (ethtool -L, RPS), and "
                "keep busy processes off this one (taskset -p)",
                "ksoftirqd/%"PRIuSIZE" uses %.0f %% of its CPU: softirqs do "
                "not get done in their own time, and packets wait for the "
                "scheduler like any process.", i, used * 100);
        }
    }
}

/* CPUs that have no time left, and packets that are all on one. */
static void
check_softirq(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    double rate = 0, most = 0, least = 1e300;
    size_t busiest = 0;

    for (size_t i = 0; i < n_cpus(e); i++) {
        const struct fb_host_cpu *a = &e->first.cpus[i];
        const struct fb_host_cpu *b = &e->second.cpus[i];
        double softirq = share(e, i, b->softirq - a->softirq);

        if (softirq >= MAX_SOFTIRQ) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "spread receive queues over more CPUs (ethtool -L, "
                "smp_affinity, RPS)",
                "CPU %"PRIuSIZE" spends %.0f %% of its time in softirqs: it "
                "is full.", i, softirq * 100);
        }
        if (a->has_softnet && b->online) {
            double r = (uint32_t) (b->processed - a->processed)
                       / doctor->seconds;
            rate += r;
            if (r > most) {
                most = r;
                busiest = i;
            }
            least = MIN(least, r);
        }
    }
    if (rate >= MIN_PACKET_RATE && most >= rate * MAX_ONE_CPU
        && least < rate * (1 - MAX_ONE_CPU) / 2) {
        fb_doctor_add(
            doctor, FB_INFO,
            "for more throughput: several receive queues (ethtool -L IFNAME "
            "combined N), or RPS (rps_cpus in /sys/class/net)",
            "CPU %"PRIuSIZE" receives %.0f of %.0f packets/s: one CPU is the "
            "limit.", busiest, most, rate);
    }
}

/* Time that the hypervisor takes away. */
static void
check_steal(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    double worst = 0;
    size_t cpu = 0;

    for (size_t i = 0; i < n_cpus(e); i++) {
        double steal = share(e, i, e->second.cpus[i].steal
                                   - e->first.cpus[i].steal);
        if (steal > worst) {
            worst = steal;
            cpu = i;
        }
    }
    if (worst >= MAX_STEAL) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "measure on a host of its own, or have the virtual CPUs pinned; "
            "take more trials",
            "The hypervisor takes away %.1f %% of CPU %"PRIuSIZE"'s time "
            "(steal): times per packet mean that much less.",
            worst * 100, cpu);
    }
}

/* A connection table that is full, or nearly so. */
static void
check_conntrack(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    const struct fb_host_net *net = &e->second.net;
    double rate = fb_doctor_rate(doctor, e->first.net.conntrack_drops,
                                 net->conntrack_drops);

    if (!net->has_conntrack || net->max_conns <= 0) {
        return;
    }
    char *fix = xasprintf("sysctl -w net.netfilter.nf_conntrack_max=%lld",
                          net->max_conns * 4);
    if (rate > 0) {
        fb_doctor_add(doctor, FB_ERROR, fix,
                      "conntrack drops %.0f packets or connections/s: %lld of "
                      "%lld connections.", rate, net->n_conns,
                      net->max_conns);
    } else if (net->n_conns >= net->max_conns * MAX_CONNTRACK) {
        fb_doctor_add(doctor, FB_WARNING, fix,
                      "conntrack has %lld of at most %lld connections; at "
                      "95 %% it begins to throw some out.",
                      net->n_conns, net->max_conns);
    }
    free(fix);
}

/* Softirq time that is charged to others. */
static void
check_accounting(struct fb_doctor *doctor, const void *e OVS_UNUSED)
{
    struct utsname u;

    uname(&u);
    char *name = xasprintf("/boot/config-%s", u.release);
    char *config = fb_hostfile_read(name);
    if (!config) {
        fb_doctor_add_unread(doctor, "how softirq time is accounted (%s: %s)",
                             name, ovs_strerror(errno));
    } else if (!strstr(config, "\nCONFIG_IRQ_TIME_ACCOUNTING=y")
               && !strstr(config, "\nCONFIG_VIRT_CPU_ACCOUNTING_NATIVE=y")) {
        fb_doctor_add(
            doctor, FB_INFO,
            "measure CPU use by what is left over, not by /proc/stat",
            "This kernel is built without IRQ_TIME_ACCOUNTING: softirq time "
            "is charged by the tick, to whom it interrupts or to none.");
    }
    free(config);
    free(name);
}

/* CPUs that change their frequency. */
static void
check_governor(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    char *governor = NULL;
    long long int no_turbo;
    size_t n = 0;

    for (size_t i = 0; i < e->second.n_cpus; i++) {
        char *name = xasprintf("/sys/devices/system/cpu/cpu%"PRIuSIZE
                               "/cpufreq/scaling_governor", i);
        char *g = fb_hostfile_read_line(name);
        free(name);
        if (g && strcmp(g, "performance")) {
            n++;
            free(governor);
            governor = xstrdup(g);
        }
        free(g);
    }
    if (n) {
        fb_doctor_add(
            doctor, FB_WARNING, "cpupower frequency-set -g performance",
            "%"PRIuSIZE" CPU%s the frequency governor \"%s\": speed "
            "depends on load, so that costs at different loads cannot be "
            "compared.", n, n == 1 ? " has" : "s have", governor);
    }
    free(governor);
    if (fb_hostfile_read_number("/sys/devices/system/cpu/intel_pstate/"
                                "no_turbo", &no_turbo) && !no_turbo) {
        fb_doctor_add(
            doctor, FB_INFO,
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
            "Turbo is on: speed depends on temperature and on what the other "
            "cores do.");
    }
}

/* A clock that is slow to read. */
static void
check_clocksource(struct fb_doctor *doctor, const void *e OVS_UNUSED)
{
    char *name = fb_hostfile_read_line("/sys/devices/system/clocksource/"
                                       "clocksource0/current_clocksource");
    if (name && (!strcmp(name, "hpet") || !strcmp(name, "acpi_pm")
                 || !strcmp(name, "jiffies"))) {
        fb_doctor_add(
            doctor, FB_WARNING,
            "boot with tsc=reliable if the TSC can be trusted",
            "The kernel's clock is %s, which takes about a microsecond to "
            "read: packets' time stamps and ovs-vswitchd pay for it.", name);
    }
    free(name);
}

static const struct fb_doctor_check checks[] = {
    { "softnet-drops", "/proc/net/softnet_stat, twice",
      "packets dropped by a CPU's receive queue", check_softnet_drops },
    { "softnet-squeezed", "/proc/net/softnet_stat, twice",
      "receiving cut short 10 times a second", check_softnet_squeezed },
    { "backlog-short", "net.core.netdev_max_backlog",
      "less than 1,000", check_backlog },
    { "ksoftirqd-busy", "CPU time of ksoftirqd, twice",
      "10 % of a CPU", check_ksoftirqd },
    { "softirq-load", "/proc/stat and /proc/net/softnet_stat, twice",
      "90 % of a CPU, or of all packets on one CPU", check_softirq },
    { "steal", "/proc/stat, twice",
      "1.5 % of a CPU's time taken by the hypervisor", check_steal },
    { "conntrack-full", "nf_conntrack_count, _max and drops, twice",
      "drops, or 80 % of the connections", check_conntrack },
    { "cpu-accounting", "the kernel's configuration",
      "no IRQ_TIME_ACCOUNTING", check_accounting },
    { "cpu-frequency", "cpufreq, intel_pstate",
      "a governor other than performance, or turbo", check_governor },
    { "slow-clock", "clocksource", "hpet, acpi_pm or jiffies",
      check_clocksource },
};

const struct fb_doctor_area fb_doctor_host = {
    .name = "host",
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
    .begin = begin,
    .end = end,
    .destroy = destroy,
};
