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
#include "fb-mark-ring.h"
#include "fb-mark.h"
#include "fb-marker.h"
#include "fb-pace.h"
#include "fb-packet.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "packets.h"
#include "util.h"

/* The tests that take the name of an interface want a veth pair in a network
 * namespace of its own: what is sent into IFNAME arrives at PEER. */

#define MS UINT64_C(1000000)    /* In ns. */

/* Number of frames of a test load, whose tags are from 1 on. */
#define N_FRAMES 8

/* Builds a frame into 'frame', of FB_PACKET_MIN_SIZE bytes. */
static void
build_frame(void *frame)
{
    struct fb_packet_spec spec = {
        .src = ETH_ADDR_C(02,00,00,00,00,99),
        .dst = ETH_ADDR_C(02,00,00,00,01,01),
        .ip_src = htonl(0x0a000063),
        .ip_dst = htonl(0x0a000101),
        .sport = 4096,
        .dport = 8192,
        .frame_size = FB_PACKET_MIN_SIZE,
        .tag = 1,
    };

    CHECK(!fb_packet_build(&spec, frame));
}

/* Opens a load of N_FRAMES frames on 'ifname', marked as 'marker' says. */
static struct fb_load *
open_load(const char *ifname, struct fb_marker *marker)
{
    struct fb_load_source source = {
        .ifname = ifname, .frames.n_destinations = N_FRAMES,
    };
    const size_t turn = 0;
    struct fb_load *load;

    CHECK(!fb_sizes_parse("60", FB_PACKET_MIN_SIZE, FB_PACKET_MAX_SIZE,
                          &source.frames.traffic.sizes));
    int error = fb_load_open(&load, &(struct fb_load_config) {
        .backend = &fb_backend_sendmmsg, .sources = &source, .n_sources = 1,
        .turns = &turn, .n_turns = 1 });

    if (error) {
        ovs_fatal(error, "%s", ifname);
    }
    fb_load_set_marker(load, marker);
    return load;
}

/* Runs 'load' at 'rate', or as fast as it goes if that is 0.  Returns what
 * fb_load_run() does. */
static int
run_load(struct fb_load *load, uint64_t rate, uint64_t duration_ns,
         struct fb_load_result *r)
{
    const struct fb_pace_spec spec = { .rate = rate };

    return fb_load_run(load, &spec, duration_ns, NULL, r);
}

/* Opens a ring of 'n_slots' in the present network namespace. */
static struct fb_mark_ring *
open_ring(size_t n_slots)
{
    int fd = open("/proc/self/ns/net", O_RDONLY);
    struct fb_mark_ring *ring;

    CHECK(fd >= 0);
    char *error = fb_mark_ring_open(fd, n_slots, &ring);

    if (error) {
        ovs_fatal(0, "%s", error);
    }
    close(fd);
    return ring;
}

/* Returns the number of frames that interface 'ifname' did not send. */
static uint64_t
read_dropped(const char *ifname)
{
    struct ifaddrs *all;
    uint64_t n = 0;
    bool found = false;

    CHECK(!getifaddrs(&all));
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_PACKET
            && !strcmp(i->ifa_name, ifname)) {
            const struct rtnl_link_stats *stats = i->ifa_data;

            n = stats->tx_dropped;
            found = true;
        }
    }
    freeifaddrs(all);
    CHECK(found);
    return n;
}

/* Waits until 'n' marked frames, sent into 'ifname', have arrived in 'ring' or
 * 20 s have passed.  On a busy machine the receive queue may refuse some. */
static void
settle(struct fb_mark_ring *ring, uint64_t n, const char *ifname)
{
    for (int i = 0; i < 2000 && fb_mark_ring_received(ring) < n; i++) {
        if (fb_mark_ring_received(ring) + read_dropped(ifname) >= n) {
            /* Lost, or one of the last. */
            i += 100;
        }
        usleep(10000);
    }
    CHECK(fb_mark_ring_received(ring) <= n);
    CHECK(fb_mark_ring_received(ring) + read_dropped(ifname) >= n);
}

/* A mark is read as it was written, from frames with and without VLAN tags,
 * and all else of the frame stays as it was. */
static void
test_frame(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const struct fb_mark mark = {
        .seq = UINT64_C(0x0123456789abcdef),
        .sent_ns = UINT64_C(1700000000123456789),
    };
    uint8_t tags[] = { 0x88, 0xa8, 0x00, 0x05, 0x81, 0x00, 0x60, 0x07 };

    for (size_t n_tags = 0; n_tags <= 2; n_tags++) {
        ovs_be32 plain[FB_PACKET_MIN_SIZE / 4];
        uint8_t like[FB_PACKET_MIN_SIZE + sizeof tags];
        uint8_t frame[sizeof like + 1] = { [sizeof like] = 0x5a };
        size_t tags_len = n_tags * VLAN_HEADER_LEN;
        size_t len = FB_PACKET_MIN_SIZE + tags_len;
        size_t ofs = 2 * ETH_ADDR_LEN + tags_len;
        struct fb_mark found;

        build_frame(plain);
        memcpy(like, plain, 2 * ETH_ADDR_LEN);
        memcpy(like + 2 * ETH_ADDR_LEN, tags + sizeof tags - tags_len,
               tags_len);
        memcpy(like + ofs, (uint8_t *) plain + 2 * ETH_ADDR_LEN, len - ofs);
        CHECK(!fb_mark_parse(like, len, &found));

        fb_mark_build(like, len, &mark, frame);
        CHECK(frame[len] == (len == sizeof like ? 0x5a : 0));
        CHECK(!memcmp(frame, like, ofs));
        CHECK(frame[ofs] == 0x88 && frame[ofs + 1] == 0xb5);
        CHECK(!memcmp(frame + ofs + 26, like + ofs + 26, len - ofs - 26));
        CHECK(fb_mark_parse(frame, len, &found));
        CHECK(found.seq == mark.seq && found.sent_ns == mark.sent_ns);

        CHECK(fb_mark_parse(frame, FB_MARK_MAX_LEN, &found));
        CHECK(!fb_mark_parse(frame, FB_MARK_MAX_LEN - 1, &found));
        frame[ofs + 2] ^= 1;
        CHECK(!fb_mark_parse(frame, len, &found));
    }
}

/* Which frames of a paced run are marked: evenly spread, not only some of
 * those in turn, and counted if they were given up. */
static void
test_paced(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static struct fb_marker m;

    fb_marker_init(&m, 0, 1000);
    CHECK(!fb_marker_is_due(&m, UINT64_MAX));
    fb_marker_start_paced(&m, 1000000, N_FRAMES);
    CHECK(fb_marker_is_clock_steady(&m));
    CHECK(m.interval == 1001 && m.next == 1000);
    CHECK(!fb_marker_is_due(&m, 1000) && fb_marker_is_due(&m, 1001));
    fb_marker_next(&m, 0);
    CHECK(m.n_marked == 1 && m.next == 2001 && !m.n_missed);

    /* What is not late is not given up. */
    fb_marker_skip(&m, 2001);
    CHECK(m.next == 2001 && !m.n_missed);
    fb_marker_skip(&m, 2002);
    CHECK(m.next == 3002 && m.n_missed == 1);
    fb_marker_skip(&m, 3002 + 1001 * 5);
    CHECK(m.next == 3002 + 1001 * 5 && m.n_missed == 6);

    /* At a low rate most frames are no marked ones, unless all shall be. */
    fb_marker_start_paced(&m, 1000, N_FRAMES);
    CHECK(m.interval == 11);
    fb_marker_set_rate(&m, FB_MARKER_ALL);
    fb_marker_start_paced(&m, 1000, N_FRAMES);
    CHECK(m.interval == 1 && m.next == 0);

    fb_marker_set_rate(&m, 0);
    fb_marker_start_paced(&m, 1000, N_FRAMES);
    CHECK(!fb_marker_is_due(&m, UINT64_MAX));

    /* A clock that was set is found out. */
    fb_marker_set_rate(&m, 1000);
    fb_marker_start_paced(&m, 1000, N_FRAMES);
    m.realtime_ofs += MS;
    CHECK(!fb_marker_is_clock_steady(&m));
}

/* When frames of a run without a pace are marked: at the rate asked for,
 * without making up for what was late. */
static void
test_unpaced(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static struct fb_marker m;

    fb_marker_init(&m, 0, 1000);
    fb_marker_start_unpaced(&m, 100 * MS);
    CHECK(!fb_marker_is_due(&m, 100 * MS + MS / 2));
    CHECK(fb_marker_is_due(&m, 100 * MS + MS / 2 + 1));
    fb_marker_next(&m, 100 * MS + 600000);
    CHECK(m.next == 101 * MS + MS / 2);
    fb_marker_next(&m, 200 * MS);
    CHECK(m.next == 200 * MS && m.n_marked == 2 && !m.n_missed);

    fb_marker_set_rate(&m, FB_MARKER_ALL);
    fb_marker_start_unpaced(&m, 100 * MS);
    CHECK(fb_marker_is_due(&m, 100 * MS + 1));
    fb_marker_next(&m, 100 * MS + 1);
    CHECK(!fb_marker_is_due(&m, 100 * MS + 1));
    CHECK(fb_marker_is_due(&m, 100 * MS + 2));

    fb_marker_set_rate(&m, 0);
    fb_marker_start_unpaced(&m, 100 * MS);
    CHECK(!fb_marker_is_due(&m, UINT64_MAX));
}

/* Runs 'load', at 'rate' or as fast as it goes if that is 0, and checks that
 * 'ring' has every marked frame that was sent, in turn, and with times that
 * are the schedule's and within the run's.  'ifnames' are those of the sender
 * and the receiver. */
static void
check_arrivals(struct fb_load *load, struct fb_marker *marker,
               struct fb_mark_ring *ring, uint64_t rate, char *const ifnames[])
{
    int ifindex = if_nametoindex(ifnames[1]);
    uint64_t seq = marker->n_marked;
    uint64_t n_missed = marker->n_missed;
    struct fb_mark_arrival arrival;
    struct fb_load_result r;

    CHECK(!run_load(load, rate, 100 * MS, &r));
    CHECK(!r.refused);
    CHECK(marker->n_marked > seq);
    if (rate) {
        CHECK(marker->n_marked - seq + marker->n_missed - n_missed
              == (rate / 10) / marker->interval);
    }
    settle(ring, marker->n_marked, ifnames[0]);
    CHECK(!fb_mark_ring_dropped(ring));

    while (fb_mark_ring_next(ring, &arrival)) {
        uint64_t sent_ns = arrival.mark.sent_ns - marker->realtime_ofs;

        if (read_dropped(ifnames[0])) {
            CHECK(arrival.mark.seq >= seq);
            seq = arrival.mark.seq;
        }
        CHECK(arrival.mark.seq == seq++);
        CHECK(arrival.ifindex == ifindex);
        CHECK(arrival.arrived_ns >= arrival.mark.sent_ns);
        /* Two clocks are compared, none of them exactly. */
        CHECK(sent_ns + MS >= r.start_ns && sent_ns <= r.end_ns + MS);
        if (rate) {
            CHECK((sent_ns - r.start_ns) % (1000 * MS / rate) == 0);
        }
    }
    CHECK(seq == marker->n_marked || read_dropped(ifnames[0]));
}

/* "mark-arrivals IFNAME PEER": each marked frame arrives once, with the time
 * at which it was due or, as fast as it goes, sent; unmarked ones do not get
 * into the ring. */
static void
test_arrivals(struct ovs_cmdl_context *ctx)
{
    static struct fb_marker marker;

    fb_marker_init(&marker, 0, 1000);
    struct fb_mark_ring *ring = open_ring(1);
    struct fb_load *load = open_load(ctx->argv[1], &marker);

    check_arrivals(load, &marker, ring, 100000, ctx->argv + 1);
    check_arrivals(load, &marker, ring, 0, ctx->argv + 1);
    check_arrivals(load, &marker, ring, 10000, ctx->argv + 1);

    /* None if none are asked for. */
    uint64_t n_received = fb_mark_ring_received(ring);
    uint64_t n_marked = marker.n_marked;
    struct fb_load_result r;

    fb_marker_set_rate(&marker, 0);
    CHECK(!run_load(load, 0, 10 * MS, &r) && r.accepted);
    CHECK(marker.n_marked == n_marked);
    fb_load_set_marker(load, NULL);
    CHECK(!run_load(load, 10000, 10 * MS, &r) && r.attempted);
    CHECK(fb_mark_ring_received(ring) == n_received);
    fb_load_close(load);
    fb_mark_ring_close(ring);
    fb_mark_ring_close(NULL);
}

/* Runs 'load' at 'rate' and counts how often each of its frames was marked, in
 * the marked frames that arrive at 'fd', which gets no others. */
static void
count_marks(struct fb_load *load, int fd, uint64_t rate,
            unsigned int counts[N_FRAMES])
{
    /* Offset of the tag in a frame of fb_packet_build(). */
    enum { TAG_OFS = 50 };
    uint8_t frame[FB_PACKET_MIN_SIZE + 1];
    struct fb_load_result r;

    CHECK(!run_load(load, rate, 100 * MS, &r));
    usleep(50000);
    memset(counts, 0, N_FRAMES * sizeof *counts);
    for (;;) {
        ssize_t len = recv(fd, frame, sizeof frame, MSG_DONTWAIT);

        if (len < 0) {
            break;
        }
        CHECK(len == FB_PACKET_MIN_SIZE);

        ovs_be32 tag;

        memcpy(&tag, frame + TAG_OFS, sizeof tag);
        CHECK(ntohl(tag) >= 1 && ntohl(tag) <= N_FRAMES);
        counts[ntohl(tag) - 1]++;
    }
}

/* "mark-spread IFNAME PEER": marked are all frames in turn, though a batch is
 * as long as a multiple of their number. */
static void
test_spread(struct ovs_cmdl_context *ctx)
{
    static const uint64_t rates[] = { 0, 100000 };
    static struct fb_marker marker;

    BUILD_ASSERT_DECL(FB_BACKEND_BATCH % N_FRAMES == 0);
    fb_marker_init(&marker, 0, 1000);
    struct fb_load *load = open_load(ctx->argv[1], &marker);
    int fd = socket(AF_PACKET, SOCK_RAW, htons(FB_MARK_ETH_TYPE));

    CHECK(fd >= 0);
    for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
        unsigned int counts[N_FRAMES];
        unsigned int sum = 0;

        fb_marker_set_rate(&marker, 1000);
        count_marks(load, fd, rates[i], counts);
        for (size_t j = 0; j < N_FRAMES; j++) {
            sum += counts[j];
        }
        CHECK(sum > 0);
        for (size_t j = 0; j < N_FRAMES; j++) {
            /* What was given up leaves holes in a paced run. */
            CHECK(counts[j] <= sum / N_FRAMES + 1 + marker.n_missed);
        }
    }
    close(fd);
    fb_load_close(load);
}

/* "mark-full-ring IFNAME PEER": frames that find the ring full are counted,
 * and once it was read others find room. */
static void
test_full_ring(struct ovs_cmdl_context *ctx)
{
    static struct fb_marker marker;

    fb_marker_init(&marker, 0, FB_MARKER_ALL);
    struct fb_mark_ring *ring = open_ring(1);
    struct fb_load *load = open_load(ctx->argv[1], &marker);
    uint64_t n_read = 0;

    for (int i = 0; i < 2; i++) {
        struct fb_mark_arrival arrival;
        struct fb_load_result r;
        uint64_t dropped = fb_mark_ring_dropped(ring);

        do {
            CHECK(!run_load(load, 100000, 100 * MS, &r));
            settle(ring, marker.n_marked, ctx->argv[1]);
        } while (fb_mark_ring_dropped(ring) == dropped);
        while (fb_mark_ring_next(ring, &arrival)) {
            n_read++;
        }
        CHECK(n_read + fb_mark_ring_dropped(ring)
              == fb_mark_ring_received(ring));
    }
    fb_load_close(load);
    fb_mark_ring_close(ring);
}

const struct ovs_cmdl_command test_mark_commands[] = {
    { "mark-frame", NULL, 0, 0, test_frame, OVS_RO },
    { "mark-paced", NULL, 0, 0, test_paced, OVS_RO },
    { "mark-unpaced", NULL, 0, 0, test_unpaced, OVS_RO },
    { "mark-arrivals", "IFNAME PEER", 2, 2, test_arrivals, OVS_RO },
    { "mark-spread", "IFNAME PEER", 2, 2, test_spread, OVS_RO },
    { "mark-full-ring", "IFNAME PEER", 2, 2, test_full_ring, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
