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
#include "fb-flows.h"
#include "fb-frames.h"
#include "fb-generator.h"
#include "fb-load.h"
#include "fb-pace.h"
#include "fb-packet.h"
#include "fb-traffic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test-sink.h"
#include "util.h"

#define MS UINT64_C(1000000)    /* In ns. */

/* Flows of the load, and the most threads that send them. */
#define N_FLOWS 12
#define N_THREADS 3

/* Checks that the frames of the schedule of 'spec' are shared out: each is
 * that of one of 'n' senders, due when it would be without them. */
static void
check_shares(const struct fb_pace_spec *spec, size_t n)
{
    struct fb_pace whole, parts[N_THREADS];
    uint64_t sum = 0;

    fb_pace_init(&whole, spec, 100 * MS);
    for (size_t i = 0; i < n; i++) {
        struct fb_pace_spec share = *spec;

        share.first = i;
        share.step = n;
        fb_pace_init(&parts[i], &share, 100 * MS);
        sum += parts[i].n_planned;
    }
    CHECK(sum == whole.n_planned);
    for (uint64_t i = 0; i < whole.n_planned; i++) {
        struct fb_pace *part = &parts[i % n];
        uint64_t due_ns = fb_pace_due_ns(&whole, i);

        CHECK(part->next == i / n);
        CHECK(fb_pace_due_ns(part, part->next) == due_ns);
        CHECK(fb_pace_ready(part, due_ns) >= 1);
        CHECK(!due_ns || !fb_pace_ready(part, due_ns - 1));
        part->next++;
    }
    for (size_t i = 0; i < n; i++) {
        CHECK(fb_pace_is_done(&parts[i]));
    }
}

/* Several senders share a schedule of each kind. */
static void
test_pace_shares(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct fb_pace_spec specs[] = {
        { .rate = 70001 },
        { .rate = 10 },
        { .rate = 30007, .burst_ns = 10 * MS, .pause_ns = 15 * MS },
        { .rate = 1000, .end_rate = 99000 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(specs); i++) {
        for (size_t n = 1; n <= N_THREADS; n++) {
            check_shares(&specs[i], n);
        }
    }
}

/* Several senders share flows: each has its own, in turn, again and again. */
static void
test_flow_shares(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_traffic traffic = {
        .n_flows = 24, .fields = FB_FIELD_SPORT | FB_FIELD_IP_SRC,
    };
    struct fb_flows all, shares[N_THREADS];

    fb_flows_init(&all, &traffic, 8, NULL);
    for (size_t i = 0; i < N_THREADS; i++) {
        struct fb_flows_share share = { .first = i, .step = N_THREADS };

        fb_flows_init(&shares[i], &traffic, 8, &share);
        CHECK(shares[i].n_flows == 8);
    }
    for (size_t i = 0; i < 100; i++) {
        struct fb_packet_spec a, b;

        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        bool last = fb_flows_next(&all, &a);
        bool last_of_share = fb_flows_next(&shares[i % N_THREADS], &b);

        CHECK(!memcmp(&a, &b, sizeof a));
        CHECK(last_of_share == (i % 24 >= 24 - N_THREADS));
        CHECK(!last || last_of_share);
    }
}

/* Checks the pairs, and their turns, of two-way traffic with 'n' destinations:
 * each source has each of its destinations once in so many turns. */
static void
check_pairs(enum fb_pattern pattern, size_t n)
{
    struct fb_traffic traffic = { .pattern = pattern };
    size_t n_sources = fb_traffic_n_sources(&traffic, n);
    size_t n_turns = fb_traffic_n_turns(&traffic, n);
    size_t n_pairs = fb_traffic_n_pairs(&traffic, n);
    struct fb_flows *flows = xcalloc(n_sources, sizeof *flows);
    bool *seen = xcalloc((n + 1) * (n + 1), sizeof *seen);

    CHECK(n_sources == n + 1);
    CHECK(fb_traffic_n_flows(&traffic, n) == n_pairs);
    CHECK(fb_traffic_cycle(&traffic, n) == n_pairs);
    for (size_t i = 0; i < n_sources; i++) {
        struct fb_flows_share share = { .source = i };

        fb_flows_init(&flows[i], &traffic, n, &share);
    }
    for (size_t i = 0; i < n_pairs; i++) {
        size_t source = fb_traffic_source(&traffic, i % n_turns);
        struct fb_packet_spec spec;

        fb_flows_next(&flows[source], &spec);
        size_t destination = spec.tag & 0xffff;
        CHECK(spec.tag >> 16 == source);
        CHECK(destination <= n && destination != source);
        CHECK(pattern == FB_PATTERN_MATRIX || !source || !destination);
        CHECK(!seen[source * (n + 1) + destination]);
        seen[source * (n + 1) + destination] = true;
    }
    free(flows);
    free(seen);
}

/* Which port sends to which other in two-way traffic. */
static void
test_pairs(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    for (size_t n = 1; n < 12; n++) {
        check_pairs(FB_PATTERN_BIDIRECTIONAL, n);
        check_pairs(FB_PATTERN_MATRIX, n);
    }
}

/* Opens a generator of 'n_threads' threads for 'n_flows' flows, one for each
 * destination, on 'ifname'. */
static struct fb_generator *
open_generator(const char *ifname, size_t n_flows, size_t n_threads)
{
    struct fb_load_source source = {
        .ifname = ifname, .frames.n_destinations = n_flows,
    };
    struct fb_generator *generator;

    fb_sizes_init(&source.frames.traffic.sizes, FB_PACKET_MIN_SIZE);
    int error = fb_generator_open(&generator, &fb_backend_sendmmsg, &source,
                                  n_threads);
    if (error) {
        ovs_fatal(error, "%s", ifname);
    }
    CHECK(fb_generator_n_threads(generator) == n_threads);
    return generator;
}

/* Receives 'n' frames from the sink 'fd' and counts those with each tag. */
static void
count_tags(int fd, uint64_t n, uint64_t counts[N_FLOWS + 1])
{
    memset(counts, 0, (N_FLOWS + 1) * sizeof *counts);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t tag = test_receive_tag(fd);

        CHECK(tag >= 1 && tag <= N_FLOWS);
        counts[tag]++;
    }
}

/* "generator-threads IFNAME PEER": threads together keep a schedule, count
 * every frame, and send each flow. */
static void
test_threads(struct ovs_cmdl_context *ctx)
{
    const struct fb_pace_spec spec = { .rate = 6000 };
    const struct fb_pace_spec unpaced = { .rate = 0 };
    int fd = test_open_sink(ctx->argv[2]);

    for (size_t n = 1; n <= N_THREADS; n++) {
        struct fb_generator *generator = open_generator(ctx->argv[1], N_FLOWS,
                                                        n);
        uint64_t counts[N_FLOWS + 1];
        struct fb_load_result r;
        uint64_t sum = 0;

        CHECK(!fb_generator_run(generator, &spec, 20 * MS, NULL, &r));
        CHECK(r.attempted + r.missed == 120);
        CHECK(r.attempted == r.accepted + r.refused && !r.refused);
        CHECK(r.end_ns - r.start_ns >= 20 * MS);
        CHECK(r.gap_error.n <= r.attempted);
        count_tags(fd, r.accepted, counts);
        for (size_t i = 1; i <= N_FLOWS; i++) {
            CHECK(r.missed || counts[i] == 120 / N_FLOWS);
            sum += counts[i];
        }
        CHECK(sum == r.accepted);

        /* As fast as it goes; and one by one, in turn. */
        CHECK(!fb_generator_run(generator, &unpaced, 0, NULL, &r));
        CHECK(!r.attempted);
        fb_generator_rewind(generator);
        CHECK(!fb_generator_send(generator, N_FLOWS, 10000));
        count_tags(fd, N_FLOWS, counts);
        for (size_t i = 1; i <= N_FLOWS; i++) {
            CHECK(counts[i] == 1);
        }
        fb_generator_close(generator);
    }
    close(fd);
}

/* "generator-unpaced IFNAME": as fast as it goes by several threads, counts
 * fit. */
static void
test_unpaced(struct ovs_cmdl_context *ctx)
{
    struct fb_generator *generator = open_generator(ctx->argv[1], N_FLOWS,
                                                    N_THREADS);
    struct fb_load_result r;

    CHECK(!fb_generator_run(generator, &(struct fb_pace_spec) { .rate = 0 },
                            50 * MS, NULL, &r));
    CHECK(r.attempted > 0 && r.attempted == r.accepted + r.refused);
    CHECK(r.refused == (r.refused_enobufs + r.refused_eagain
                        + r.refused_other));
    CHECK(r.calls > 0 && !r.missed && !r.idle_ns);
    fb_generator_close(generator);

    /* A single flow is all threads'. */
    generator = open_generator(ctx->argv[1], 1, N_THREADS);
    CHECK(!fb_generator_run(generator, &(struct fb_pace_spec) { .rate = 1000 },
                            20 * MS, NULL, &r));
    CHECK(r.attempted + r.missed == 20);
    fb_generator_close(generator);
}

/* "generator-down IFNAME": what stops one thread is the result's error. */
static void
test_down(struct ovs_cmdl_context *ctx)
{
    struct fb_generator *generator = open_generator(ctx->argv[1], N_FLOWS,
                                                    N_THREADS);
    struct fb_load_result r;

    CHECK(fb_generator_run(generator, &(struct fb_pace_spec) { .rate = 0 },
                           20000 * MS, NULL, &r) == ENETDOWN);
    CHECK(r.refused == N_THREADS && !r.accepted);
    fb_generator_close(generator);
}

const struct ovs_cmdl_command test_generator_commands[] = {
    { "generator-pace-shares", NULL, 0, 0, test_pace_shares, OVS_RO },
    { "generator-flow-shares", NULL, 0, 0, test_flow_shares, OVS_RO },
    { "generator-pairs", NULL, 0, 0, test_pairs, OVS_RO },
    { "generator-threads", "IFNAME PEER", 2, 2, test_threads, OVS_RO },
    { "generator-unpaced", "IFNAME", 1, 1, test_unpaced, OVS_RO },
    { "generator-down", "IFNAME", 1, 1, test_down, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
