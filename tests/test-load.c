/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#include <config.h>
#include "fanbench-test.h"
#include "fb-backend.h"
#include "fb-frames.h"
#include "fb-load.h"
#include "fb-pace.h"
#include "fb-packet.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "openvswitch/util.h"
#include "test-sink.h"
#include "util.h"

/* The tests that take the name of an interface want a veth pair in a network
 * namespace of its own: what is sent into IFNAME arrives at PEER. */

#define MS UINT64_C(1000000)    /* In ns. */

/* Number of frames, and so of tags, of a test load. */
#define N_FRAMES 10

/* Deadline for what is not expected to take any time at all, in seconds. */
#define DEADLINE_S 20

/* Lets 'load' run at 'rate' frames per second, or as fast as it goes if that
 * is 0.  Otherwise like fb_load_run(). */
static int
run(struct fb_load *load, uint64_t rate, uint64_t duration_ns,
    const volatile sig_atomic_t *stop, struct fb_load_result *result)
{
    struct fb_pace_spec spec = { .rate = rate };

    return fb_load_run(load, &spec, duration_ns, stop, result);
}

/* Makes 'pace' the schedule of 'rate' frames per second for 'duration_ns'
 * ns. */
static void
init_pace(struct fb_pace *pace, uint64_t rate, uint64_t duration_ns)
{
    struct fb_pace_spec spec = { .rate = rate };

    fb_pace_init(pace, &spec, duration_ns);
}

/* Returns the backend to test: that of the environment variable BACKEND, or
 * sendmmsg. */
static const struct fb_backend *
backend(void)
{
    const char *name = getenv("BACKEND");
    const struct fb_backend *b = fb_backend_find(name ? name : "sendmmsg");

    CHECK(b != NULL);
    return b;
}

/* Opens a load on 'ifname' of the frames of 'frames'.  Returns what
 * fb_load_open() does. */
static int
try_open(struct fb_load **load, const char *ifname,
         const struct fb_frames_config *frames)
{
    const struct fb_load_source source = {
        .ifname = ifname, .frames = *frames,
    };
    const size_t turn = 0;

    return fb_load_open(load, &(struct fb_load_config) {
        .backend = backend(), .sources = &source, .n_sources = 1,
        .turns = &turn, .n_turns = 1 });
}

/* Opens a load to 'n_destinations' on 'ifname' of frames of 'sizes'. */
static struct fb_load *
open_load__(const char *ifname, size_t n_destinations, const char *sizes)
{
    struct fb_frames_config config = {
        .n_destinations = n_destinations,
    };
    struct fb_load *load;

    CHECK(!fb_sizes_parse(sizes, FB_PACKET_MIN_SIZE, FB_PACKET_MAX_SIZE,
                          &config.traffic.sizes));
    int error = try_open(&load, ifname, &config);

    if (error) {
        ovs_fatal(error, "%s", ifname);
    }
    return load;
}

/* Opens a load of short frames to N_FRAMES destinations on 'ifname'. */
static struct fb_load *
open_load(const char *ifname)
{
    return open_load__(ifname, N_FRAMES, "60");
}

/* Checks that the counts of 'r' fit each other and the interfaces: whatever
 * was tried either arrived at 'peer' or was dropped by 'ifname', and nothing
 * else did.  'r' must be all that was ever sent. */
static void
check_counts(const struct fb_load_result *r, const char *ifname,
             const char *peer)
{
    struct test_counters sender = test_read_counters(ifname);
    struct test_counters sink = test_read_counters(peer);

    for (int i = 0; i < DEADLINE_S * 100
         && sink.rx_packets + sender.tx_dropped < r->attempted; i++) {
        usleep(10000);
        sender = test_read_counters(ifname);
        sink = test_read_counters(peer);
    }

    CHECK(r->attempted == r->accepted + r->refused);
    CHECK(r->refused == (r->refused_enobufs + r->refused_eagain
                         + r->refused_other));
    CHECK(r->calls > 0 && r->calls <= r->attempted);
    CHECK(r->end_ns > r->start_ns);
    CHECK(sink.rx_packets + sender.tx_dropped == r->attempted);
    CHECK(sink.rx_packets <= r->accepted);
}

/* The schedule of a rate: what is due when, what is given up, and that no
 * duration makes it overflow. */
static void
test_pace(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_pace pace;

    init_pace(&pace, 10000, 200 * MS);
    CHECK(pace.n_planned == 2000);
    CHECK(fb_pace_due_ns(&pace, 0) == 0);
    CHECK(fb_pace_due_ns(&pace, 1999) == 199900000);
    CHECK(fb_pace_ready(&pace, 0) == 1);
    CHECK(fb_pace_ready(&pace, 99999) == 1);
    CHECK(fb_pace_ready(&pace, 100000) == 2);
    pace.next = 2;
    CHECK(fb_pace_ready(&pace, 100000) == 0);

    /* Up to 1 ms late is made up for, anything more is given up. */
    CHECK(fb_pace_give_up(&pace, 1200000) == 0);
    CHECK(fb_pace_ready(&pace, 1200000) == 11);
    CHECK(fb_pace_give_up(&pace, 1200001) == 1);
    CHECK(pace.next == 3);
    CHECK(fb_pace_ready(&pace, 1200001) == 10);

    /* There is an end, and every frame is dealt with. */
    CHECK(!fb_pace_is_done(&pace));
    CHECK(fb_pace_ready(&pace, 1000 * MS) == 1997);
    CHECK(fb_pace_give_up(&pace, 1000 * MS) == 1997);
    CHECK(fb_pace_is_done(&pace));
    CHECK(fb_pace_ready(&pace, 1000 * MS) == 0);

    /* A frame is ready exactly when it is due, also if the rate does not
     * divide a second. */
    init_pace(&pace, 70001, 1000 * MS);
    CHECK(pace.n_planned == 70001);
    for (pace.next = 1; pace.next < 70001; pace.next++) {
        uint64_t due_ns = fb_pace_due_ns(&pace, pace.next);

        CHECK(fb_pace_ready(&pace, due_ns) == 1);
        CHECK(fb_pace_ready(&pace, due_ns - 1) == 0);
    }

    init_pace(&pace, FB_PACE_MAX_RATE, 86400 * 1000 * MS);
    CHECK(pace.n_planned == 86400 * 1000 * MS);
    init_pace(&pace, 1, 1);
    CHECK(pace.n_planned == 1);
    init_pace(&pace, 1000, 0);
    CHECK(fb_pace_is_done(&pace));
}

/* Checks that in 'pace' each frame is ready when it is due, and not before,
 * and that time does not go back. */
static void
check_due(struct fb_pace *pace)
{
    uint64_t last_ns = 0;

    for (pace->next = 0; pace->next < pace->n_planned; pace->next++) {
        uint64_t due_ns = fb_pace_due_ns(pace, pace->next);

        CHECK(due_ns >= last_ns && due_ns < pace->duration_ns);
        CHECK(fb_pace_ready(pace, due_ns) >= 1);
        CHECK(!due_ns || !fb_pace_ready(pace, due_ns - 1));
        last_ns = due_ns;
    }
    CHECK(fb_pace_is_done(pace));
}

/* The schedules of bursts and ramps: known numbers of frames, at known times,
 * each ready when it is due. */
static void
test_pace_shapes(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_pace_spec bursts = {
        .rate = 300007, .burst_ns = 10 * MS, .pause_ns = 90 * MS,
    };
    struct fb_pace_spec ramp = { .rate = 1000, .end_rate = 99000 };
    struct fb_pace pace;

    fb_pace_init(&pace, &bursts, 1000 * MS);
    CHECK(pace.n_planned == 30001);
    CHECK(fb_pace_due_ns(&pace, 3000) == 9999766);
    CHECK(fb_pace_due_ns(&pace, 3001) == 100003099);
    pace.next = 3001;
    CHECK(fb_pace_ready(&pace, 99 * MS) == 0);
    check_due(&pace);

    /* 1,000 to 99,000 frames per second: 50,000 on average, and in the first
     * half a second half of that less a quarter of the rise. */
    fb_pace_init(&pace, &ramp, 1000 * MS);
    CHECK(pace.n_planned == 50000);
    CHECK(fb_pace_ready(&pace, 500 * MS - 1) == 12750);
    check_due(&pace);
    ramp.rate = 99000;
    ramp.end_rate = 1000;
    fb_pace_init(&pace, &ramp, 1000 * MS);
    CHECK(pace.n_planned == 50000);
    CHECK(fb_pace_ready(&pace, 500 * MS - 1) == 37250);
    check_due(&pace);
    ramp.end_rate = ramp.rate;
    fb_pace_init(&pace, &ramp, 100 * MS);
    CHECK(pace.n_planned == 9900);
    check_due(&pace);
}

/* The error of gaps: of frames that are exact, late, and sent together. */
static void
test_gap(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_gap *gap = xmalloc(sizeof *gap);
    struct fb_gap_error e;
    struct fb_pace pace;

    init_pace(&pace, 100000, 1000 * MS);
    fb_gap_init(gap);
    fb_gap_get(&gap->errors, &e);
    CHECK(!e.n && !e.max_ns);
    fb_gap_add(gap, &pace, 0, 1, 50);       /* 50 ns late, as are all... */
    fb_gap_add(gap, &pace, 1, 1, 10050);    /* ...so that no gap is off... */
    fb_gap_add(gap, &pace, 2, 1, 20090);    /* ...but this one, by 40. */
    fb_gap_add(gap, &pace, 3, 2, 40090);    /* 10 us too long, then too
                                             * short. */
    fb_gap_add(gap, &pace, 10, 1, 100090);  /* Five were given up: exact. */
    fb_gap_get(&gap->errors, &e);
    CHECK(e.n == 5 && e.max_ns == 10000);
    CHECK(fb_hist_min(&gap->errors) == 0);
    CHECK(e.p50_ns == 40);
    free(gap);
}

/* "load-bad-arguments IFNAME": what cannot be sent is refused by errno. */
static void
test_bad_arguments(struct ovs_cmdl_context *ctx)
{
    const char *ifname = ctx->argv[1];
    struct fb_frames_config config = { .n_destinations = 1 };
    struct fb_load_result result;
    struct fb_load *load;

    fb_sizes_init(&config.traffic.sizes, FB_PACKET_MIN_SIZE);
    CHECK(try_open(&load, "nonesuch", &config) == ENODEV
          && !load);
    fb_sizes_init(&config.traffic.sizes, FB_PACKET_MIN_SIZE - 1);
    CHECK(try_open(&load, ifname, &config) == EINVAL
          && !load);
    fb_load_close(NULL);

    load = open_load(ifname);
    CHECK(run(load, FB_PACE_MAX_RATE + 1, MS, NULL, &result)
          == EINVAL);
    CHECK(!result.attempted && !result.calls);
    CHECK(!run(load, 0, 0, NULL, &result));
    CHECK(!result.attempted && !result.calls);
    CHECK(!run(load, 1000, 0, NULL, &result));
    CHECK(!result.attempted && !result.missed);
    fb_load_close(load);
}

/* "load-unpaced IFNAME PEER": as fast as it goes, every frame tried is
 * accounted for. */
static void
test_unpaced(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load(ctx->argv[1]);
    struct fb_load_result r;

    CHECK(!run(load, 0, 200 * MS, NULL, &r));
    CHECK(r.end_ns - r.start_ns >= 200 * MS);
    CHECK(r.accepted > 0);
    CHECK(!r.missed && !r.late_max_ns);
    CHECK(!r.idle_ns && !r.slept_ns);
    check_counts(&r, ctx->argv[1], ctx->argv[2]);
    fb_load_close(load);
}

/* "load-paced IFNAME PEER": at 10,000 frames per second for 0.2 s there are
 * 2,000 frames, each sent or, on a machine that is busy, missed. */
static void
test_paced(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load(ctx->argv[1]);
    struct fb_load_result r;

    CHECK(!run(load, 10000, 200 * MS, NULL, &r));
    CHECK(r.attempted + r.missed == 2000);
    CHECK(r.attempted > 0);
    CHECK(r.late_max_ns <= FB_PACE_MAX_LATE_NS);
    CHECK(r.gap_error.n == r.attempted - 1);
    CHECK(r.gap_error.p50_ns <= r.gap_error.p99_ns);
    CHECK(r.end_ns - r.start_ns >= 200 * MS);
    CHECK(r.idle_ns > 0 && r.idle_ns < r.end_ns - r.start_ns);
    CHECK(!r.slept_ns);
    check_counts(&r, ctx->argv[1], ctx->argv[2]);
    fb_load_close(load);
}

/* "load-down IFNAME": into an interface that is down nothing is sent, and the
 * run ends at once. */
static void
test_down(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load(ctx->argv[1]);
    struct fb_load_result r;

    CHECK(run(load, 0, DEADLINE_S * 1000 * MS, NULL, &r) == ENETDOWN);
    CHECK(r.accepted == 0 && r.refused == 1 && r.calls == 1);
    fb_load_close(load);
}

/* "load-vanish IFNAME [RATE]": the interface, which is deleted while the run
 * lasts, ends it. */
static void
test_vanish(struct ovs_cmdl_context *ctx)
{
    uint64_t rate = ctx->argc > 2 ? strtoull(ctx->argv[2], NULL, 10) : 0;
    struct fb_load *load = open_load(ctx->argv[1]);
    struct fb_load_result r;
    int error = run(load, rate, DEADLINE_S * 1000 * MS, NULL, &r);

    if (error != ENETDOWN && error != ENXIO && error != ENODEV) {
        ovs_fatal(error, "unexpected end of the run");
    }
    CHECK(r.accepted > 0);
    CHECK(r.attempted == r.accepted + r.refused);
    fb_load_close(load);
}

/* Set by handle_alarm(). */
static volatile sig_atomic_t stop;

/* Asks the run to stop. */
static void
handle_alarm(int signr OVS_UNUSED)
{
    stop = 1;
}

/* "load-stop IFNAME": a signal ends a run, paced or not, also while it
 * sleeps. */
static void
test_stop(struct ovs_cmdl_context *ctx)
{
    static const uint64_t rates[] = { 0, 100000, 1 };
    struct sigaction action = { .sa_handler = handle_alarm };
    struct itimerval timer = { .it_value.tv_usec = 100000 };
    struct fb_load *load = open_load(ctx->argv[1]);

    CHECK(!sigaction(SIGALRM, &action, NULL));
    for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
        struct fb_load_result r;

        stop = 0;
        CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
        CHECK(run(load, rates[i], DEADLINE_S * 1000 * MS, &stop, &r)
              == EINTR);
        CHECK(r.accepted > 0);
    }
    fb_load_close(load);
}

/* Checks that the sink 'fd' receives the next 'n' frames, whole and in turn
 * after the 'n_received' ones before, and adds them to 'n_received'. */
static void
check_turn(int fd, uint64_t n, uint64_t *n_received)
{
    for (uint64_t i = 0; i < n; i++) {
        CHECK(test_receive_tag(fd) == (*n_received)++ % N_FRAMES + 1);
    }
}

/* "load-turn IFNAME PEER": what arrives is whole, and in turn, also from one
 * run to the next, whether it was sent one by one or in batches. */
static void
test_turn(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load(ctx->argv[1]);
    int fd = test_open_sink(ctx->argv[2]);
    uint64_t n_received = 0;
    struct fb_load_result r;

    while (n_received < 3 * N_FRAMES) {
        CHECK(!run(load, 1000, 13 * MS, NULL, &r));
        CHECK(!r.refused);
        check_turn(fd, r.accepted, &n_received);
    }

    /* All due at once: 103 frames by two system calls. */
    while (n_received < 400) {
        CHECK(!run(load, FB_PACE_MAX_RATE, 103, NULL, &r));
        CHECK(!r.refused);
        check_turn(fd, r.accepted, &n_received);
    }
    close(fd);
    fb_load_close(load);
}

/* The sizes of the frames of load-refused: one in ten is too long for an MTU
 * of 1,500.  And which it is. */
#define LONG_MIX "60:9,1515:1"
#define LONG_FRAME 5

/* Lets 'load' send 'n' frames at once and adds those that it tried to
 * '*n_tried', those before included.  Checks that it refused a frame whenever
 * the turn was that of the long one, and never else.  Returns what
 * fb_load_run() does. */
static int
check_refused(struct fb_load *load, uint64_t n, uint64_t *n_tried)
{
    struct fb_load_result r;
    int error = run(load, FB_PACE_MAX_RATE, n, NULL, &r);
    uint64_t n_long = 0;

    for (uint64_t i = 0; i < r.attempted; i++) {
        n_long += (*n_tried)++ % N_FRAMES == LONG_FRAME;
    }
    CHECK(r.refused == n_long && r.refused_other == n_long);
    CHECK(r.accepted == r.attempted - n_long);
    return error;
}

/* "load-refused IFNAME": a frame that is refused within a batch is passed
 * over, and one that is refused for good ends the run. */
static void
test_refused(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load__(ctx->argv[1], 1, LONG_MIX);
    uint64_t n_tried = 0;

    while (n_tried < 10 * N_FRAMES) {
        int error = check_refused(load, N_FRAMES, &n_tried);

        CHECK(!error || error == EMSGSIZE);
    }

    /* One by one, so that it is the first of a batch. */
    while (n_tried % N_FRAMES != LONG_FRAME) {
        CHECK(!check_refused(load, 1, &n_tried));
    }
    while (n_tried % N_FRAMES == LONG_FRAME) {
        int error = check_refused(load, 1, &n_tried);

        CHECK(error == (n_tried % N_FRAMES == LONG_FRAME ? 0 : EMSGSIZE));
    }
    fb_load_close(load);
}

/* "load-rate IFNAME RATE SECONDS": not a test but a measurement: sends at
 * RATE, or as fast as it goes if that is 0, and prints how that went. */
static void
print_rate(struct ovs_cmdl_context *ctx)
{
    struct fb_load *load = open_load(ctx->argv[1]);
    struct fb_load_result r;

    CHECK(!run(load, strtoull(ctx->argv[2], NULL, 10),
               strtod(ctx->argv[3], NULL) * 1e9, NULL, &r));
    printf("attempted=%"PRIu64" missed=%"PRIu64" seconds=%.9f p50=%"PRIu64
           " p99=%"PRIu64" max=%"PRIu64"\n", r.attempted, r.missed,
           (r.end_ns - r.start_ns) / 1e9, r.gap_error.p50_ns,
           r.gap_error.p99_ns, r.gap_error.max_ns);
    fb_load_close(load);
}

const struct ovs_cmdl_command test_load_commands[] = {
    { "load-rate", "IFNAME RATE SECONDS", 3, 3, print_rate, OVS_RO },
    { "load-pace", NULL, 0, 0, test_pace, OVS_RO },
    { "load-pace-shapes", NULL, 0, 0, test_pace_shapes, OVS_RO },
    { "load-gap", NULL, 0, 0, test_gap, OVS_RO },
    { "load-bad-arguments", "IFNAME", 1, 1, test_bad_arguments, OVS_RO },
    { "load-unpaced", "IFNAME PEER", 2, 2, test_unpaced, OVS_RO },
    { "load-paced", "IFNAME PEER", 2, 2, test_paced, OVS_RO },
    { "load-down", "IFNAME", 1, 1, test_down, OVS_RO },
    { "load-vanish", "IFNAME [RATE]", 1, 2, test_vanish, OVS_RO },
    { "load-stop", "IFNAME", 1, 1, test_stop, OVS_RO },
    { "load-refused", "IFNAME", 1, 1, test_refused, OVS_RO },
    { "load-turn", "IFNAME PEER", 2, 2, test_turn, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
