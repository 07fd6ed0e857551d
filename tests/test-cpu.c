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
#include "fanbench-test.h"
#include "fb-accounting.h"
#include "fb-backend.h"
#include "fb-clock.h"
#include "fb-dut-build.h"
#include "fb-dut.h"
#include "fb-generator.h"
#include "fb-idle.h"
#include "fb-load.h"
#include "fb-pace.h"
#include "fb-procstat.h"
#include "fb-spinner.h"
#include "fb-stats.h"
#include "fb-tasks.h"
#include "fb-traffic.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* What fake_clock() says next, and how much later the time after that is. */
static uint64_t fake_now = 1000;
static uint64_t fake_step = 10;

/* A clock that moves only when it is looked at. */
static uint64_t
fake_clock(void)
{
    return fake_now += fake_step;
}

/* Spare time is what lies between looks that are close together: not an
 * interruption, not work, and not the time since something else was done. */
static void
test_idle(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_idle idle;

    fb_idle_init(&idle, fake_clock);
    CHECK(idle.gap == 10 * FB_IDLE_FACTOR && !idle.total);
    for (int i = 0; i < 11; i++) {
        fb_idle_look(&idle, fake_clock());
    }
    CHECK(idle.total == 100);

    fake_now += 10 * FB_IDLE_FACTOR;
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 100);
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110);
    fake_now += 10 * FB_IDLE_FACTOR - fake_step;
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110 + 10 * FB_IDLE_FACTOR);

    fb_idle_work(&idle);
    fb_idle_look(&idle, fake_clock());
    CHECK(idle.total == 110 + 10 * FB_IDLE_FACTOR);

    /* A look that takes longer than others. */
    fake_now += 2000;
    fb_idle_look_within(&idle, fake_clock(), 2009);
    CHECK(idle.total == 110 + 10 * FB_IDLE_FACTOR);
    fake_now += 2000;
    fb_idle_look_within(&idle, fake_clock(), 2010);
    CHECK(idle.total == 2120 + 10 * FB_IDLE_FACTOR);

    /* A clock too coarse to see one look. */
    fake_step = 0;
    fb_idle_init(&idle, fake_clock);
    CHECK(idle.gap == FB_IDLE_FACTOR);
}

/* /proc/stat: only the CPUs asked for, only their lines, all columns. */
static void
test_procstat(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const char text[] =
        "cpu  111 222 333 444 555 666 777 888 9 9\n"
        "cpu0 1 2 3 4 5 6 7 8 0 0\n"
        "cpu1 10 20 30 40 50 60 70 80 0 0\n"
        "cpu12 100 200 300 400 500 600 700 800 0 0\n"
        "intr 5 0 0\n"
        "ctxt 12345\n";
    struct fb_procstat stat;
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET(1, &cpus);
    CPU_SET(12, &cpus);
    CHECK(!fb_procstat_parse(text, &cpus, &stat));
    for (int i = 0; i < FB_N_CPU_KINDS; i++) {
        CHECK(stat.ticks[i] == 110 * (i + 1));
    }
    CHECK(stat.switches == 12345);

    CPU_SET(2, &cpus);
    char *error = fb_procstat_parse(text, &cpus, &stat);
    CHECK(error && strstr(error, "has 2 of 3 CPUs"));
    free(error);
    CPU_CLR(2, &cpus);
    error = fb_procstat_parse("cpu1 1 2 3\nctxt 1\n", &cpus, &stat);
    CHECK(error && strstr(error, "CPU 1 has too few columns"));
    free(error);
    error = fb_procstat_parse("cpu1 1 1 1 1 1 1 1 1\n"
                              "cpu12 1 1 1 1 1 1 1 1\n", &cpus, &stat);
    CHECK(error && strstr(error, "no context switches"));
    free(error);

    /* The real one. */
    CHECK(!sched_getaffinity(0, sizeof cpus, &cpus));
    CHECK(!fb_procstat_read(&cpus, &stat));
    CHECK(stat.ticks[FB_CPU_USER] && stat.switches);
}

/* The kernel's ways to book time, by its configuration. */
static void
test_accounting(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const char tick[] = "CONFIG_TICK_CPU_ACCOUNTING=y\n"
        "# CONFIG_IRQ_TIME_ACCOUNTING is not set\n";
    static const char irq[] = "CONFIG_X=y\nCONFIG_TICK_CPU_ACCOUNTING=y\n"
        "CONFIG_IRQ_TIME_ACCOUNTING=y\n";
    static const char gen[] = "CONFIG_VIRT_CPU_ACCOUNTING_GEN=y\n";

    CHECK(fb_accounting_parse(tick, false) == FB_ACCOUNTING_TICK);
    CHECK(fb_accounting_parse(irq, false) == FB_ACCOUNTING_TICK_IRQ);
    CHECK(fb_accounting_parse(gen, false) == FB_ACCOUNTING_TICK);
    CHECK(fb_accounting_parse(gen, true) == FB_ACCOUNTING_EXACT);
    CHECK(fb_accounting_parse("CONFIG_HZ=100\n", false)
          == FB_ACCOUNTING_UNKNOWN);
}

/* Threads are known by their names, as Open vSwitch gives them. */
static void
test_crews(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    CHECK(fb_crew_of_thread("ovs-vswitchd", true) == FB_CREW_MAIN);
    CHECK(fb_crew_of_thread("handler3", false) == FB_CREW_HANDLERS);
    CHECK(fb_crew_of_thread("revalidator12", false) == FB_CREW_REVALIDATORS);
    CHECK(fb_crew_of_thread("pmd-c01/id:7", false) == FB_CREW_PMDS);
    CHECK(fb_crew_of_thread("urcu2", false) == FB_CREW_OTHERS);
}

/* Keeps the CPU busy for 'ns', in user space. */
static void
burn(void *aux OVS_UNUSED, uint64_t ns)
{
    uint64_t end = fb_clock_gettime_ns() + ns;
    while (fb_clock_gettime_ns() < end) {
        continue;
    }
}

/* What keeps a CPU busy does so in each of these, in ns. */
#define PERIOD_NS 10000000

/* Pairs of a known use and of none, and how long each is watched. */
#define N_PAIRS 9
#define WATCH_NS 500000000

/* Something that keeps a CPU busy. */
struct burner {
    void (*burn)(void *aux, uint64_t ns); /* ...for so long... */
    void *aux;                  /* ...given this. */
};

/* The one in user space. */
static const struct burner user_burner = { burn, NULL };

/* Returns the share of this CPU that a spinner sees in use while 'burner' has
 * 'busy_ns' of each PERIOD_NS, or a little more, for 'duration_ns', and stores
 * the share that it really had in '*used'. */
static double
watch_burner(struct fb_spinner *spinner, const struct burner *burner,
             uint64_t busy_ns, uint64_t duration_ns, double *used)
{
    uint64_t burnt = 0;

    fb_spinner_start(spinner);
    uint64_t start = fb_clock_gettime_ns();
    uint64_t spare = fb_spinner_spare_ns(spinner);
    uint64_t now = start;

    while ((now = fb_clock_gettime_ns()) - start < duration_ns) {
        if (burner->burn) {
            burner->burn(burner->aux, busy_ns);
        }
        uint64_t took = fb_clock_gettime_ns() - now;
        burnt += took;
        xnanosleep(PERIOD_NS - MIN(took, PERIOD_NS));
    }
    spare = fb_spinner_spare_ns(spinner) - spare;
    fb_spinner_stop(spinner);
    *used = (double) burnt / (now - start);
    return 1 - (double) spare / (now - start);
}

/* Binds this thread to the first CPU that it may use, and makes a spinner
 * there. */
static struct fb_spinner *
make_spinner(void)
{
    struct fb_spinner *spinner;
    cpu_set_t cpus;

    CHECK(!sched_getaffinity(0, sizeof cpus, &cpus));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &cpus)) {
        cpu++;
    }
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    CHECK(!sched_setaffinity(0, sizeof cpus, &cpus));
    CHECK(!fb_spinner_create(&cpus, &spinner));
    CHECK(fb_spinner_n_cpus(spinner) == 1);
    CHECK(fb_spinner_floor(spinner) >= 0 && fb_spinner_floor(spinner) <= 1);
    return spinner;
}

/* Has 'burner' use as many percent of a CPU as the first argument in 'ctx'
 * says, and checks that 'spinner' sees that to within the percent of the
 * second.
 *
 * What it sees while nobody uses anything is the clock's zero, which others on
 * this machine raise now and then: so there are several pairs of a use and of
 * none right after it, and the median pair counts.  What others take while
 * 'burner' is at it is part of what that used already. */
static void
check_burner(const struct ovs_cmdl_context *ctx, struct fb_spinner *spinner,
             const struct burner *burner)
{
    static const struct burner none = { NULL, NULL };
    double share = atof(ctx->argv[1]) / 100;
    double errors[N_PAIRS];
    struct fb_estimate e;

    for (size_t i = 0; i < N_PAIRS; i++) {
        double used, unused;
        double seen = watch_burner(spinner, burner, PERIOD_NS * share,
                                   WATCH_NS, &used);
        double floor = watch_burner(spinner, &none, 0, WATCH_NS, &unused);

        errors[i] = seen - used - floor * (1 - used);
        printf("%.2f %% of a CPU used, %.2f %% seen, %.2f %% of them without "
               "it\n", 100 * used, 100 * seen, 100 * floor);
    }
    CHECK(!fb_stats_median(errors, N_PAIRS, &e));
    printf("the median pair is %.2f %% of a CPU off\n", 100 * e.median);
    CHECK(fabs(e.median) <= atof(ctx->argv[2]) / 100);
}

/* "cpu-spinner [PERCENT MARGIN]": a thread that uses PERCENT of a CPU, which
 * the spinner must see to within MARGIN percent of the CPU.  Without
 * arguments: one that uses 60 % is told from one that uses nothing, on a
 * machine that may have other things to do. */
static void
test_spinner(struct ovs_cmdl_context *ctx)
{
    struct fb_spinner *spinner = make_spinner();
    cpu_set_t cpus;
    double used;

    if (ctx->argc > 1) {
        check_burner(ctx, spinner, &user_burner);
    } else {
        CHECK(watch_burner(spinner, &user_burner, PERIOD_NS * 0.6, 300000000,
                           &used) > 0.55);
        /* It can have had no more than there was, and it stands still. */
        CHECK(fb_spinner_used_ns(spinner) > 0);
        xnanosleep(20000000);
        uint64_t spare = fb_spinner_spare_ns(spinner);
        burn(NULL, 20000000);
        CHECK(fb_spinner_spare_ns(spinner) - spare < 1000000);
    }
    fb_spinner_destroy(spinner);

    CPU_ZERO(&cpus);
    CHECK(!fb_spinner_create(&cpus, &spinner));
    CHECK(!fb_spinner_spare_ns(spinner) && !fb_spinner_floor(spinner));
    fb_spinner_destroy(spinner);
}

/* Keeps the CPU busy for 'ns' by frames that go through the veth pair of the
 * wire 'dut_', whose sink's end receives them in softirq. */
static void
burn_softirq(void *dut_, uint64_t ns)
{
    static const struct fb_pace_spec max = { .rate = 0 };
    static const volatile sig_atomic_t stop;
    const struct fb_dut *dut = dut_;
    struct fb_load_result result;

    CHECK(!fb_generator_run(dut->generator, &max, ns, &stop, &result));
}

/* Returns how often this machine's CPUs have received packets in softirq, and
 * does not care which of them. */
static uint64_t
count_net_rx(void)
{
    FILE *file = fopen("/proc/softirqs", "re");
    char line[8192];
    uint64_t n = 0;

    CHECK(file);
    while (fgets(line, sizeof line, file)) {
        char *p = strstr(line, "NET_RX:");
        if (p) {
            char *end;
            for (p += strlen("NET_RX:"); ; p = end) {
                uint64_t x = strtoull(p, &end, 10);
                if (end == p) {
                    break;
                }
                n += x;
            }
        }
    }
    fclose(file);
    return n;
}

/* "cpu-softirq [PERCENT MARGIN]": like "cpu-spinner", but what uses the CPU is
 * a softirq, which many kernels book to whoever was interrupted or to nobody.
 * Needs root. */
static void
test_softirq(struct ovs_cmdl_context *ctx)
{
    struct fb_traffic traffic = { .pattern = FB_PATTERN_UNIFORM };
    const struct fb_dut_config config = {
        .n_destinations = 1,
        .traffic = &traffic,
        .backend = &fb_backend_sendmmsg,
        .n_threads = 1,
        .rundir = ".",
    };
    struct burner burner = { burn_softirq, NULL };
    struct fb_dut *dut;

    fb_sizes_init(&traffic.sizes, 64);
    char *error = fb_dut_create(&fb_dut_wire, "wire", &config, &dut);
    if (error) {
        ovs_fatal(0, "%s", error);
    }
    burner.aux = dut;
    struct fb_spinner *spinner = make_spinner();
    uint64_t n = count_net_rx();
    double used;

    if (ctx->argc > 1) {
        check_burner(ctx, spinner, &burner);
    } else {
        CHECK(watch_burner(spinner, &burner, PERIOD_NS * 0.6, 300000000,
                           &used) > 0.55);
    }
    /* One for each batch of 64 at least, of which a burst has many. */
    CHECK(count_net_rx() - n > 300);
    fb_spinner_destroy(spinner);
    fb_dut_destroy(dut);
}

const struct ovs_cmdl_command test_cpu_commands[] = {
    { "cpu-accounting", NULL, 0, 0, test_accounting, OVS_RO },
    { "cpu-crews", NULL, 0, 0, test_crews, OVS_RO },
    { "cpu-idle", NULL, 0, 0, test_idle, OVS_RO },
    { "cpu-procstat", NULL, 0, 0, test_procstat, OVS_RO },
    { "cpu-softirq", "[PERCENT MARGIN]", 0, 2, test_softirq, OVS_RO },
    { "cpu-spinner", "[PERCENT MARGIN]", 0, 2, test_spinner, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
