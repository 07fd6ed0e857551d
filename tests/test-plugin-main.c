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
#include "fanbench-config.h"

/* Unit tests of what the plugin records of the main thread, and of what it
 * finds, one sub-command a property. */

#undef NDEBUG
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fb-clock.h"
#include "fb-crew.h"
#include "fb-datapath.h"
#include "fb-findings.h"
#include "fb-intake.h"
#include "fb-mainloop.h"
#include "fb-op-errors.h"
#include "fb-port-names.h"
#include "fb-ports.h"
#include "fb-record.h"
#include "fb-recording.h"
#include "fb-returns.h"
#include "fb-rounds.h"
#include "fb-snapshot.h"
#include "fb-thread.h"
#include "fb-watch.h"
#include "plugin-test.h"
#include "util.h"

/* A millisecond and a second in ticks: the tests' clock counts ns. */
#define MS UINT64_C(1000000)
#define SEC (1000 * MS)

/* Values of the fake source of figures. */
static uint64_t coverage[FB_N_COVERAGE];
static struct fb_watch_dp_sample sample;
static unsigned int limit;

/* Fake of struct fb_watch_source's member. */
static bool
read_coverage(const char *name, uint64_t *value)
{
    for (size_t i = 0; i < FB_N_COVERAGE; i++) {
        if (!strcmp(name, fb_coverage_names[i])) {
            *value = coverage[i];
            return true;
        }
    }
    return false;
}

/* Fake of struct fb_watch_source's member. */
static bool
read_dp(int dp OVS_UNUSED, struct fb_watch_dp_sample *s)
{
    *s = sample;
    return true;
}

/* Fake of struct fb_watch_source's member. */
static unsigned int
read_limit(int dp OVS_UNUSED)
{
    return limit;
}

/* Fake of struct fb_watch_source's member. */
static void
read_mac(struct fb_mac_table *mac)
{
    *mac = (struct fb_mac_table) { .bridge = "br7", .n = 10, .max = 10 };
}

/* Starts a recording with figures from a fake source, which are not 0, and
 * returns the index of the only datapath. */
static int
start(void)
{
    static const struct fb_watch_source source = {
        .read_coverage = read_coverage,
        .read_dp = read_dp,
        .read_limit = read_limit,
        .read_mac = read_mac,
    };
    static const unsigned int max_idle = 1500;
    int dp = fb_datapath_add("system@main");

    for (size_t i = 0; i < FB_N_COVERAGE; i++) {
        coverage[i] = 1000 + i;
    }
    sample = (struct fb_watch_dp_sample) { .hit = 5000, .missed = 4000,
                                           .lost = 300, .n_flows = 20 };
    limit = 10000;
    fb_watch_set_source(&source);
    fb_returns_init(&max_idle);
    fb_op_errors_count(dp, FB_OP_PUT, EPERM);
    ovs_assert(!fb_recording_start(-1));
    return dp;
}

/* Takes the main thread through an iteration, from 'now' to 'now' + 'ms', of
 * which 'span_ms' belong to 'activity' for 'name'. */
static void
play(uint64_t now, uint64_t ms, enum fb_activity activity, uint64_t span_ms,
     const char *name)
{
    unsigned int epoch = fb_recording_epoch();
    struct fb_span span;
    uint64_t duration;

    fb_mainloop_begin(epoch, now);
    fb_mainloop_enter(&span, epoch, activity, now + MS);
    fb_mainloop_leave(&span, epoch, name, now + MS + span_ms * MS);
    ovs_assert(fb_mainloop_end(epoch, now + ms * MS, &duration));
    ovs_assert(duration == ms * MS);
    fb_ports_iteration(epoch, duration);
}

/* Every tick of an iteration belongs to one activity; the longest are
 * named. */
static void
test_mainloop(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const struct fb_activity_totals *t;
    const struct fb_mainloop *m;
    struct fb_span outer, inner;
    unsigned int epoch;
    uint64_t duration;

    start();
    epoch = fb_recording_epoch();
    ovs_assert(!fb_mainloop_end(epoch, 5, &duration));
    fb_mainloop_begin(epoch, 1000);
    ovs_assert(!fb_mainloop_in_span(epoch));
    fb_mainloop_enter(&outer, epoch, FB_ACT_BRIDGES, 1010);
    fb_mainloop_enter(&inner, epoch, FB_ACT_OPENFLOW, 1020);
    ovs_assert(fb_mainloop_in_span(epoch));
    ovs_assert(fb_mainloop_leave(&inner, epoch, "a", 1050) == 30);
    fb_mainloop_enter(&inner, epoch, FB_ACT_OPENFLOW, 1060);
    ovs_assert(fb_mainloop_leave(&inner, epoch, "b", 1100) == 40);
    ovs_assert(fb_mainloop_leave(&outer, epoch, "br", 1110) == 100);
    ovs_assert(!fb_mainloop_in_span(epoch));
    ovs_assert(fb_mainloop_end(epoch, 1200, &duration) && duration == 200);

    m = fb_mainloop_get(epoch);
    ovs_assert(m->n == 1 && m->busy == 200 && !m->n_holds);
    t = m->activities;
    ovs_assert(t[FB_ACT_BRIDGES].n == 1 && t[FB_ACT_BRIDGES].ticks == 30);
    ovs_assert(t[FB_ACT_OPENFLOW].n == 2 && t[FB_ACT_OPENFLOW].ticks == 70);
    ovs_assert(t[FB_ACT_OPENFLOW].max == 40);
    ovs_assert(!strcmp(t[FB_ACT_OPENFLOW].max_name, "b"));
    ovs_assert(t[FB_ACT_OTHER].ticks == 100);

    /* Hold-ups: the cause is what had most of the time, and the history holds
     * the latest. */
    play(1 * SEC, FB_HOLD_MS - 1, FB_ACT_COMMAND, 5, "c");
    ovs_assert(!m->n_holds);
    for (int i = 0; i < FB_HOLDS_HISTORY + 3; i++) {
        play((2 + i) * SEC, FB_HOLD_MS + i, FB_ACT_COMMAND, 90, "c");
    }
    ovs_assert(m->n_holds == FB_HOLDS_HISTORY + 3);
    ovs_assert(fb_mainloop_n_kept(m) == FB_HOLDS_HISTORY);
    ovs_assert(m->holds[2].start == (2 + FB_HOLDS_HISTORY + 2) * SEC);
    ovs_assert(m->holds[2].cause == FB_ACT_COMMAND
               && m->holds[2].cause_ticks == 90 * MS);
    ovs_assert(t[FB_ACT_COMMAND].hold_since == 2 * SEC);

    /* A span or iteration that a new recording cuts does not count. */
    fb_mainloop_begin(epoch, 10);
    fb_mainloop_enter(&outer, epoch, FB_ACT_COMMAND, 10);
    fb_recording_clear();
    ovs_assert(fb_recording_epoch() != epoch);
    epoch = fb_recording_epoch();
    fb_mainloop_leave(&outer, epoch, "clear", 20);
    ovs_assert(!fb_mainloop_get(epoch));
    ovs_assert(!fb_mainloop_end(epoch, 30, &duration));
    ovs_assert(!fb_mainloop_get(epoch)->n);

    /* What was recorded stays as it is when the recording stops. */
    fb_mainloop_begin(epoch, 40);
    fb_mainloop_enter(&outer, epoch, FB_ACT_COMMAND, 50);
    ovs_assert(!fb_recording_stop());
    fb_mainloop_leave(&outer, fb_recording_epoch(), "stop", 60);
    ovs_assert(!fb_mainloop_get(epoch)->activities[FB_ACT_COMMAND].n);
}

/* Sweeps and operations on ports. */
static void
test_ports(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    const struct fb_port_totals *add, *del;
    const struct fb_sweeps *w;
    const struct fb_ports *p;
    unsigned int epoch;
    int dp = start();

    epoch = fb_recording_epoch();
    ovs_assert(fb_ports_need_count(epoch, dp));
    fb_ports_set_count(epoch, dp, 7);
    ovs_assert(!fb_ports_need_count(epoch, dp));
    fb_ports_changed(epoch, dp, FB_PORT_ADD, "a", 10, 0);
    fb_ports_changed(epoch, dp, FB_PORT_ADD, "b", 30, EBUSY);
    fb_ports_changed(epoch, dp, FB_PORT_ADD, "c", 20, 0);
    fb_ports_changed(epoch, dp, FB_PORT_DEL, "a", 5, 0);

    /* Statistics that are read on such an occasion are no sweep. */
    fb_ports_read(epoch, "a", 100, 110);
    fb_ports_iteration(epoch, 1000);
    p = fb_ports_get(epoch);
    add = &p->ops[dp][FB_PORT_ADD];
    del = &p->ops[dp][FB_PORT_DEL];
    ovs_assert(add->n == 3 && add->n_errors == 1 && add->ticks == 60);
    ovs_assert(add->max == 30 && !strcmp(add->max_name, "b"));
    ovs_assert(add->errnos.n[EBUSY] == 1);
    ovs_assert(add->classes[2].n == 1 && add->classes[3].n == 2);
    ovs_assert(add->classes[3].ticks == 50 && add->classes[3].max == 30);
    ovs_assert(del->n == 1 && del->classes[3].n == 1);
    ovs_assert(p->n_ports[dp] == 8);
    ovs_assert(p->changes[2].n == 1 && p->changes[2].n_ops == 4);
    ovs_assert(p->changes[2].ticks == 1000);
    ovs_assert(p->changes[2].ops_ticks == 65);
    w = &p->sweeps;
    ovs_assert(!w->n && !fb_sweeps_interval(w));

    for (int i = 0; i < 3; i++) {
        fb_ports_read(epoch, "x", 1000 * i, 1000 * i + 10);
        fb_ports_read(epoch, i == 1 ? "slow" : "y", 1000 * i + 20,
                      1000 * i + 30 + i % 2);
        fb_ports_iteration(epoch, 500);
    }
    ovs_assert(w->n == 3 && w->n_interfaces == 6 && w->last_interfaces == 2);
    ovs_assert(w->ticks == 91 && w->read_ticks == 61 && w->max == 31);
    ovs_assert(!strcmp(w->slowest_name, "slow") && w->slowest == 11);
    ovs_assert(fb_sweeps_interval(w) == 1000);

    /* A part of an iteration does not count. */
    fb_ports_read(epoch, "x", 5000, 5010);
    fb_ports_forget();
    fb_ports_iteration(epoch, 500);
    ovs_assert(w->n == 3);

    fb_port_names_set(dp, 3, "p3");
    fb_port_names_set(dp, 3, "q3");
    fb_port_names_set(dp + 1, 3, "r3");
    ovs_assert(!strcmp(fb_port_names_find(dp, 3), "q3"));
    fb_port_names_remove(dp, 3);
    ovs_assert(!fb_port_names_find(dp, 3));
    fb_port_names_clear(dp + 1);
    ovs_assert(!fb_port_names_find(dp + 1, 3));
}

/* Plays a round of 'ms' on datapath 'dp' that ends now. */
static void
play_round(int dp, uint64_t ms)
{
    struct fb_round_work work = { .n[FB_W_REVALIDATION] = ms * MS };
    uint64_t now = fb_clock_ticks();
    uint64_t id;

    id = fb_rounds_begin(dp, &work, fb_recording_epoch(), now - ms * MS);
    fb_rounds_commit(dp, id, &work, now);
    fb_rounds_end(dp, id, now, now, 0);
}

/* Returns how often the calling thread has been preempted. */
static long int
n_preempted(void)
{
    struct rusage ru;

    ovs_assert(!getrusage(RUSAGE_THREAD, &ru));
    return ru.ru_nivcsw;
}

/* Waits until the calling thread has been preempted by a process that wants
 * the same CPU. */
static void
be_preempted(void)
{
    long int before = n_preempted();
    cpu_set_t all, one;
    pid_t pid;

    ovs_assert(!sched_getaffinity(0, sizeof all, &all));
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ovs_assert(!sched_setaffinity(0, sizeof one, &one));
    pid = fork();
    ovs_assert(pid >= 0);
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            sched_yield();
        }
    }
    while (n_preempted() == before) {
        sched_yield();
    }
    kill(pid, SIGKILL);
    ovs_assert(waitpid(pid, NULL, 0) == pid);
    ovs_assert(!sched_setaffinity(0, sizeof all, &all));
}

/* The calling thread is in a round of datapath 'dp' for 'ms', in which it is
 * preempted and uses little CPU time; of these it waits 'wait_ms' for
 * others. */
static void
play_starved(int dp, uint64_t ms, uint64_t wait_ms)
{
    struct fb_thread *thread = fb_thread_self(fb_recording_epoch());
    uint64_t now;

    fb_crew_enter();
    be_preempted();
    now = fb_clock_ticks();
    thread->round = (struct fb_in_round) {
        .dp = dp,
        .joined = now - ms * MS,
        .work.n[FB_W_THREAD] = ms * MS,
        .work.n[FB_W_BARRIER] = wait_ms * MS,
    };
    fb_crew_leave(thread, now);
}

/* Fails unless the findings are just one, whose code is 'code' and whose text
 * or fix contains 'part', or none if 'code' is null. */
static void
expect(const char *code, const char *part)
{
    struct fb_snapshot *s = fb_snapshot_take();
    struct fb_findings f;

    fb_findings_find(s, FB_ABOUT_ALL, &f);
    for (size_t i = 0; i < f.n; i++) {
        printf("%s: %s\n%s\n", f.findings[i].code, f.findings[i].text,
               f.findings[i].fix);
        ovs_assert(f.findings[i].since >= s->start_msec);
        ovs_assert(f.findings[i].since <= s->start_msec + 100 * 1000);
    }
    ovs_assert(f.n == (code != NULL));
    if (code) {
        ovs_assert(!strcmp(f.findings[0].code, code));
        ovs_assert(strstr(f.findings[0].text, part)
                   || strstr(f.findings[0].fix, part));
    }
    fb_findings_destroy(&f);
    fb_snapshot_free(s);
}

/* Returns flow 'i' of datapath 'dp'. */
static struct fb_flow_id
make_id(int dp, uint64_t i)
{
    return (struct fb_flow_id) {
        .ufid = { i * UINT64_C(0x9e3779b97f4a7c15), i },
        .dp = dp,
    };
}

/* Flow 0 of datapath 'dp' is put, vanishes after 'age_ms', and misses 'n'
 * times. */
static void
play_vanished(int dp, uint64_t age_ms, int n)
{
    struct fb_flow_id id = make_id(dp, 0);
    uint64_t now = fb_clock_ticks();

    fb_returns_put(&id, now);
    for (int i = 0; i < n; i++) {
        fb_returns_missed(&id, now + age_ms * MS, now + 9 * SEC);
    }
}

/* Datapath 'dp' gets flow 'i', which 'end' ends and which returns after
 * 'away_ms', 'n' times in a row. */
static void
play_returns(int dp, uint64_t i, enum fb_end end, uint64_t away_ms, int n)
{
    struct fb_flow_id id = make_id(dp, i);
    uint64_t now = fb_clock_ticks();

    fb_returns_put(&id, now);
    for (int j = 0; j < n; j++) {
        now += SEC / 2;
        ovs_assert(fb_returns_age(&id, now) >= 480
                   && fb_returns_age(&id, now) <= 520);
        fb_returns_deleted(&id, end, now);
        ovs_assert(fb_returns_age(&id, now) == UINT64_MAX);
        now += away_ms * MS;
        fb_returns_put(&id, now);
    }
}

/* Nothing is found where nothing is wrong, however much there is of it. */
static void
test_healthy(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_snapshot *s;
    struct fb_findings f;
    unsigned int epoch;
    int dp;

    /* Nor before anything is recorded. */
    s = fb_snapshot_take();
    fb_findings_find(s, FB_ABOUT_ALL, &f);
    ovs_assert(!f.n);
    fb_findings_destroy(&f);
    fb_snapshot_free(s);

    dp = start();
    expect(NULL, NULL);
    epoch = fb_recording_epoch();
    sample.hit += 1000000;
    sample.missed += 1000;
    sample.n_flows = 9000;
    limit = 20000;
    coverage[FB_COV_MAC_LEARNED] += 500;
    coverage[FB_COV_REV_MAC] += 500;
    coverage[FB_COV_REV_FLOW_TABLE] += 500;
    play_round(dp, 900);
    play(SEC, FB_HOLD_MS - 1, FB_ACT_COMMAND, 50, "x");
    play(2 * SEC, 900, FB_ACT_OTHER, 850, "");
    for (int i = 0; i < 5; i++) {
        fb_ports_read(epoch, "x", i * 5 * SEC, i * 5 * SEC + 400 * MS);
        fb_ports_iteration(epoch, SEC);
    }
    fb_ports_set_count(epoch, dp, 2000);
    fb_ports_changed(epoch, dp, FB_PORT_ADD, "a", SEC / 2, 0);
    expect(NULL, NULL);

    /* A limit that the administrator lowers is no finding, and neither is
     * what happened before. */
    limit = 5000;
    expect(NULL, NULL);
    fb_op_errors_count(dp, FB_OP_DEL, ENOENT);
    expect(NULL, NULL);

    /* Flows come back now and then, or later, and people delete flows. */
    for (uint64_t i = 0; i < 99; i++) {
        play_returns(dp, i, FB_END_IDLE, 400, 1);
        play_returns(dp, 1000 + i, FB_END_CHANGED, 400, 2);
        play_returns(dp, 2000 + i, FB_END_OUTSIDER, FB_RETURN_MS + 100, 5);
    }
    fb_returns_command("dpctl/del-flows", fb_clock_ticks());
    play_vanished(dp, 900, 1000);
    play_vanished(dp, 1100, 99);
    expect(NULL, NULL);
}

/* A flow put of flow 'i' of datapath 'dp' fails with 'error'. */
static void
play_put_error(int dp, uint64_t i, int error)
{
    struct fb_flow_event *event = fb_intake_begin();

    *event = (struct fb_flow_event) {
        .epoch = fb_recording_epoch(),
        .kind = FB_EV_PUT,
        .dp = dp,
        .ufid = { i << 32 | i, i },
        .pmd_id = UINT32_MAX,
        .error = error,
        .handler = true,
        .start = fb_clock_ticks(),
        .end = fb_clock_ticks(),
    };
    fb_intake_end(event);
}

/* What each rule says of what it is for. */
static void
test_findings(struct ovs_cmdl_context *ctx)
{
    const char *what = ctx->argc > 1 ? ctx->argv[1] : "";
    int dp = start();
    unsigned int epoch = fb_recording_epoch();

    if (!strcmp(what, "mac-table-full")) {
        coverage[FB_COV_MAC_EVICTED] += 77;
        coverage[FB_COV_REV_MAC] += 5;
        expect(what, "77 addresses");
        expect(what, "set bridge br7 other-config:mac-table-size=");
    } else if (!strcmp(what, "flows-over-limit")) {
        coverage[FB_COV_LIMIT_HIT] += 12;
        expect(what, "12 times");
        coverage[FB_COV_LIMIT_KILL] += 1;
        expect(what, "and 1 times");
        expect(what, "limit 10000)");
        limit = 4000;
        expect(what, "limit 10000)");
        expect(what, "limit 4000, lowered from 10000 to 4000 after");
    } else if (!strcmp(what, "upcalls-lost")) {
        sample.lost += 9;
        sample.missed += 30;
        sample.hit += 1000;
        expect(what, "system@main lost 9 of 30 packets");
    } else if (!strcmp(what, "upcalls-dropped")) {
        coverage[FB_COV_DROP_UPCALL] += 3;
        coverage[FB_COV_DROP_LOCK] += 4;
        expect(what, "3 because ovs-vswitchd");
        expect(what, "4 because its configuration");
    } else if (!strcmp(what, "many-upcalls")) {
        sample.missed += 500;
        sample.hit += 500;
        expect(what, "0.50 upcalls per packet");
    } else if (!strcmp(what, "flow-put-errors")) {
        fb_op_errors_count(dp, FB_OP_PUT, EEXIST);
        fb_op_errors_count(dp, FB_OP_PUT, EEXIST);
        fb_op_errors_count(dp, FB_OP_PUT, EINVAL);
        expect(what, "File exists 2, Invalid argument 1.");
        play_put_error(dp, 7, EINVAL);
        for (int i = 0; i < 3; i++) {
            play_put_error(dp, 8, EEXIST);
            play_put_error(dp, 9 + i, EINVAL);
        }
        expect(what, "The flow with most, 3 (File exists), is "
               "ufid:00000008-0000-0008-");
        play_put_error(dp, 8, EINVAL);
        expect(what, "The flow with most, 4 (Invalid argument), is "
               "ufid:00000008-0000-0008-");
    } else if (!strcmp(what, "slow-rounds")) {
        play_round(dp, 100);
        play_round(dp, 1100);
        expect(what, "up to 1100 ms");
        expect(what, "revalidation");
    } else if (!strcmp(what, "revalidators-starved")) {
        play_starved(dp, 20000, 19000);
        expect(NULL, NULL);
        play_starved(dp, 30000, 0);
        expect(what, "1 revalidators of system@main are kept from the CPU: "
               "of the 31.0 s in which they had work to do");
    } else if (!strcmp(what, "main-thread-held")) {
        play(fb_clock_ticks(), 300, FB_ACT_OPENFLOW, 250,
             "OFPST_FLOW request on br0");
        expect(what, "(OFPST_FLOW request on br0)");
        expect(what, "from outside");
    } else if (!strcmp(what, "long-iteration")) {
        play(fb_clock_ticks(), 1500, FB_ACT_PORT_DEL, 1400, "p9");
        expect("main-thread-held", "deleting ports (p9)");
    } else if (!strcmp(what, "statistics-sweeps")) {
        for (int i = 0; i < 3; i++) {
            fb_ports_read(epoch, "x", i * 5 * SEC, i * 5 * SEC + MS);
            fb_ports_read(epoch, "y", i * 5 * SEC + MS,
                          i * 5 * SEC + 600 * MS);
            fb_ports_iteration(epoch, SEC);
        }
        expect(what, "12 % of its time");
        expect(what, "slowest y");
        expect(what, "stats-update-interval=");
    } else if (!strcmp(what, "flows-idle-out")) {
        for (uint64_t i = 0; i < 100; i++) {
            play_returns(dp, i, FB_END_IDLE, 400, 1);
        }
        sample.missed += 199;
        expect(what, "max-idle is 1500 ms; they came back 0.4 s after");
        expect(what, "other_config:max-idle=3000,");
    } else if (!strcmp(what, "flows-put-again")) {
        play_returns(dp, 1, FB_END_FLUSH, 400, 3);
        play_returns(dp, 2, FB_END_FLUSH, 400, 2);
        expect(what, "5 times one came back within 10 s, and 1 flows");
    } else if (!strcmp(what, "flows-vanish")) {
        play_vanished(dp, 1100, 100);
        sample.missed += 110;
        expect(what, "did not delete them, 1 times so far: 100 packets");
        expect(what, "No command given to ovs-vswitchd did it");
        fb_returns_command("dpctl/show", fb_clock_ticks());
        fb_returns_command("dpctl/del-flows", fb_clock_ticks());
        expect(what, "The command dpctl/del-flows was run, the last of 1");
    } else if (!strcmp(what, "flows-deleted-again")) {
        play_returns(dp, 1, FB_END_CHANGED, 400, 40);
        coverage[FB_COV_REV_FLOW_TABLE] += 17;
        expect("flows-put-again", "the worst 31 times");
        expect("flows-put-again", "OpenFlow rules changed 17, MAC tables 0");
    } else if (!strcmp(what, "threads-not-recorded")) {
        for (size_t i = 0; i <= FB_MAX_RECORDS; i++) {
            fb_record_claim(dp, FB_ROLE_OTHER, "x");
        }
        expect(what, "1 threads");
    } else {
        OVS_NOT_REACHED();
    }
}

/* The flow limit that falls comes with the round that made it fall: the worst
 * is said first, then the older. */
static void
test_limit(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    int dp = start();
    struct fb_snapshot *s;
    struct fb_findings f;

    play_round(dp, 1400);
    play_round(dp, 2100);
    sample.lost++;
    s = fb_snapshot_take();
    fb_findings_find(s, FB_ABOUT_ALL, &f);
    ovs_assert(f.n == 3);
    ovs_assert(!strcmp(f.findings[0].code, "upcalls-lost"));
    for (size_t i = 1; i < 3; i++) {
        ovs_assert(f.findings[i].severity == FB_SEV_WARNING);
        if (!strcmp(f.findings[i].code, "flow-limit-reduced")) {
            ovs_assert(strstr(f.findings[i].text,
                              "2 times, from 10000 to 3750 at least; it is "
                              "3750 now."));
            ovs_assert(strstr(f.findings[i].text,
                              "which took 1400 ms, mostly in revalidation"));
        } else {
            ovs_assert(!strcmp(f.findings[i].code, "slow-rounds"));
        }
    }
    fb_findings_destroy(&f);
    fb_snapshot_free(s);
}

/* One a property. */
const struct ovs_cmdl_command plugin_tests[] = {
    { "mainloop", NULL, 0, 0, test_mainloop, OVS_RO },
    { "ports", NULL, 0, 0, test_ports, OVS_RO },
    { "healthy", NULL, 0, 0, test_healthy, OVS_RO },
    { "findings", NULL, 1, 1, test_findings, OVS_RO },
    { "limit", NULL, 0, 0, test_limit, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};

const enum fb_clock_source plugin_tests_clock = FB_CLOCK_GETTIME;
