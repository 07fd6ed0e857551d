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
#include "fb-engine.h"
#include "fb-frames.h"
#include "fb-load.h"
#include "fb-packet.h"
#include "fb-pktgen.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "svec.h"
#include "test-sink.h"
#include "util.h"

#define MS UINT64_C(1000000)    /* In ns. */

/* Returns what makes frames of 60 bytes, with 'pattern', to
 * 'n_destinations'. */
static struct fb_frames_config
frames(enum fb_pattern pattern, size_t n_destinations)
{
    struct fb_frames_config config = {
        .traffic.pattern = pattern,
        .n_destinations = n_destinations,
    };

    CHECK(!fb_sizes_parse("60", FB_PACKET_MIN_SIZE, FB_PACKET_MAX_SIZE,
                          &config.traffic.sizes));
    return config;
}

/* pktgen is told to make the frames that other backends send. */
static void
test_commands(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const enum fb_pattern patterns[] = {
        FB_PATTERN_UNIFORM, FB_PATTERN_FLOOD
    };

    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
        struct fb_frames_config config = frames(patterns[i], 300);
        struct svec commands = SVEC_EMPTY_INITIALIZER;

        CHECK(!fb_pktgen_check(&config.traffic));
        fb_pktgen_commands(&config, &commands);
        for (size_t j = 0; j < commands.n; j++) {
            puts(commands.names[j]);
        }
        svec_destroy(&commands);
    }
}

/* The file of a device is understood, whatever it was told last. */
static void
test_parse(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const char text[] =
        "Params: count 0  min_pkt_size: 60  max_pkt_size: 60\n"
        "     frags: 0  delay: 0  clone_skb: 0  ifname: fb-gen\n"
        "     udp_src_min: 49152  udp_src_max: 49152\n"
        "Current:\n"
        "     pkts-sofar: 123456789012  errors: 7\n"
        "     started: 16000001us  stopped: 16100002us idle: 3us\n"
        "     seq_num: 18  cur_dst_mac_offset: 0\n"
        "Result: %s\n";
    struct fb_pktgen_state state;
    char all[sizeof text + 64];

    snprintf(all, sizeof all, text, "Starting");
    CHECK(fb_pktgen_parse(all, &state));
    CHECK(state.running);
    CHECK(state.sent == UINT64_C(123456789012));
    CHECK(state.errors == 7);
    CHECK(state.started_us == 16000001);
    CHECK(state.stopped_us == 16100002);

    snprintf(all, sizeof all, text, "OK: udp_dst_max=9");
    CHECK(fb_pktgen_parse(all, &state));
    CHECK(!state.running);

    /* Cut off, or of another kernel. */
    *strstr(all, "stopped") = 'x';
    CHECK(!fb_pktgen_parse(all, &state));
    *strstr(all, "Current") = '\0';
    CHECK(!fb_pktgen_parse(all, &state));
    CHECK(!fb_pktgen_parse("", &state));
}

/* Checks that the first frames that came to the sink 'fd' are those of
 * 'config', in turn, and that each destination has one of its IP addresses,
 * whichever that is.  They were all sent before. */
static void
check_frames(int fd, const struct fb_frames_config *config)
{
    size_t n = 3 * config->n_destinations;
    uint64_t seen = 0;
    int first = 0;

    for (size_t i = 0; i < n; i++) {
        size_t destination = i % config->n_destinations + 1;
        ovs_be16 frame[1024];
        const uint8_t *bytes = (const uint8_t *) frame;
        struct fb_packet_info info;

        CHECK(recv(fd, frame, sizeof frame, 0) == FB_PACKET_MIN_SIZE);
        fb_packet_verify(frame, FB_PACKET_MIN_SIZE, &info);
        CHECK(info.is_udp && info.lengths_ok);
        /* The last bytes of the MAC and the IP address. */
        CHECK(bytes[5] == destination);
        CHECK(bytes[33] >= 1 && bytes[33] <= config->n_destinations);
        if (!i) {
            first = bytes[33];
        }
        CHECK(bytes[33] == (first - 1 + i) % config->n_destinations + 1);
        seen |= UINT64_C(1) << bytes[33];
    }
    CHECK(seen == (UINT64_C(1) << (config->n_destinations + 1)) - 2);
}

/* The kernel's pktgen sends what it should for as long as it should, more than
 * once, and counts it; and it ends when it is asked to.  Arguments: IFNAME,
 * PEER. */
static void
test_run(struct ovs_cmdl_context *ctx)
{
    struct fb_load_source source = {
        .ifname = ctx->argv[1],
        .frames = frames(FB_PATTERN_UNIFORM, 7),
    };
    const struct fb_engine_class *class = &fb_engine_pktgen;
    volatile sig_atomic_t stop = 1;
    struct fb_load_result r;
    struct fb_engine *engine;

    int error = class->open(&source, &engine);
    if (error == ENOENT) {
        puts("this kernel has no pktgen");
        exit(77);
    }
    CHECK(!error);
    for (int i = 0; i < 3; i++) {
        uint64_t before = test_read_counters(ctx->argv[2]).rx_packets;
        int fd = test_open_sink(ctx->argv[2]);

        CHECK(!class->start(engine));
        CHECK(!class->finish(engine, 30 * MS, NULL, &r));
        CHECK(r.attempted == r.accepted + r.refused);
        CHECK(r.accepted > 0);
        CHECK(r.end_ns - r.start_ns >= 30 * MS);
        CHECK(test_read_counters(ctx->argv[2]).rx_packets - before
              == r.accepted);
        check_frames(fd, &source.frames);
        close(fd);
    }
    CHECK(!class->start(engine));
    CHECK(class->finish(engine, 3600 * 1000 * MS, &stop, &r) == EINTR);
    CHECK(r.end_ns > r.start_ns);

    /* Closed while it sends. */
    CHECK(!class->start(engine));
    class->close(engine);
}

/* "pktgen-rate IFNAME SECONDS": not a test but a measurement: sends as fast as
 * it goes, to as many destinations as "load-rate" does, and prints how that
 * went. */
static void
print_rate(struct ovs_cmdl_context *ctx)
{
    struct fb_load_source source = {
        .ifname = ctx->argv[1],
        .frames = frames(FB_PATTERN_UNIFORM, 10),
    };
    struct fb_load_result r;
    struct fb_engine *engine;

    int error = fb_engine_pktgen.open(&source, &engine);
    if (error) {
        ovs_fatal(error, "%s", ctx->argv[1]);
    }
    CHECK(!fb_engine_pktgen.start(engine));
    CHECK(!fb_engine_pktgen.finish(engine, strtod(ctx->argv[2], NULL) * 1e9,
                                   NULL, &r));
    printf("attempted=%"PRIu64" seconds=%.9f\n", r.attempted,
           (r.end_ns - r.start_ns) / 1e9);
    fb_engine_pktgen.close(engine);
}

const struct ovs_cmdl_command test_pktgen_commands[] = {
    { "pktgen-rate", "IFNAME SECONDS", 2, 2, print_rate, OVS_RO },
    { "pktgen-commands", NULL, 0, 0, test_commands, OVS_RO },
    { "pktgen-parse", NULL, 0, 0, test_parse, OVS_RO },
    { "pktgen-run", "IFNAME PEER", 2, 2, test_run, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
