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
#include "fb-packet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "flow.h"
#include "packets.h"
#include "pcap-file.h"
#include "util.h"

/* Frame sizes to test with: the usual ones, both ends, and odd ones. */
static const size_t sizes[] = {
    60, 61, 64, 65, 78, 127, 128, 256, 511, 512, 1024, 1280, 1513, 1514,
};

/* Returns what the frame of size 'frame_size' with number 'i' is built of. */
static struct fb_packet_spec
make_spec(size_t frame_size, uint32_t i)
{
    return (struct fb_packet_spec) {
        .src = ETH_ADDR_C(02,00,00,00,00,99),
        .dst = ETH_ADDR_C(02,00,00,00,01,01),
        .ip_src = htonl(0x0a000063),
        .ip_dst = htonl(0x0a000101 + i),
        .sport = 4096 + i,
        .dport = 8192 + i,
        .frame_size = frame_size,
        .tag = 0xdeadbe00 + i,
    };
}

/* Builds the frame of 'spec' in 'frame', which must be possible. */
static void
build(const struct fb_packet_spec *spec, void *frame)
{
    int error = fb_packet_build(spec, frame);

    if (error) {
        ovs_fatal(error, "%"PRIuSIZE"-byte frame", spec->frame_size);
    }
}

/* What was built is verified, for every size from the least to the greatest,
 * and nothing is written behind it. */
static void
test_verify(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint8_t *frame = xmalloc(FB_PACKET_MAX_SIZE + 1);

    for (size_t size = FB_PACKET_MIN_SIZE; size <= FB_PACKET_MAX_SIZE;
         size++) {
        struct fb_packet_spec spec = make_spec(size, size);
        struct fb_packet_info info;

        frame[size] = 0xa5;
        build(&spec, frame);
        CHECK(frame[size] == 0xa5);
        CHECK(fb_packet_verify(frame, size, &info));
        CHECK(info.is_udp && info.lengths_ok && info.is_ours);
        CHECK(info.ip_csum_ok && info.udp_csum_ok);
        CHECK(info.tag == spec.tag);
    }
    free(frame);
}

/* A UDP checksum that comes out as 0 is sent as 0xffff: it happens once in
 * 65,535 tags on average, and then it is valid too. */
static void
test_zero_checksum(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    ovs_be16 frame[FB_PACKET_MIN_SIZE / 2];
    unsigned int n = 0;

    for (uint32_t tag = 0; tag < 0x10000; tag++) {
        struct fb_packet_spec spec = make_spec(sizeof frame, 0);
        struct fb_packet_info info;

        spec.tag = tag;
        build(&spec, frame);
        CHECK(fb_packet_verify(frame, sizeof frame, &info));
        n += frame[20] == htons(0xffff);
        CHECK(frame[20]);
    }
    CHECK(n > 0);
}

/* Damage is found: in every byte that a checksum, the type or a length
 * protects, in a frame that was cut or padded, and by fault on purpose. */
static void
test_damage(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    struct fb_packet_spec spec = make_spec(100, 7);
    uint8_t *frame = xmalloc(101);
    struct fb_packet_info info;

    build(&spec, frame);
    for (size_t i = ETH_HEADER_LEN - 2; i < 100; i++) {
        frame[i] ^= 0x10;
        if (fb_packet_verify(frame, 100, &info)) {
            ovs_fatal(0, "change of byte %"PRIuSIZE" not seen", i);
        }
        frame[i] ^= 0x10;
    }
    CHECK(fb_packet_verify(frame, 100, &info));
    for (size_t len = 0; len < 100; len++) {
        CHECK(!fb_packet_verify(frame, len, &info));
    }
    frame[100] = 0;
    CHECK(!fb_packet_verify(frame, 101, &info));
    CHECK(info.is_udp && !info.lengths_ok);

    spec.fault = FB_PACKET_FAULT_IP_CSUM;
    build(&spec, frame);
    CHECK(!fb_packet_verify(frame, 100, &info));
    CHECK(info.is_ours && !info.ip_csum_ok && info.udp_csum_ok);
    free(frame);
}

/* Sizes out of range are refused, and nothing is written. */
static void
test_bad_size(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    static const size_t bad[] = {
        0, 1, FB_PACKET_MIN_SIZE - 1, FB_PACKET_MAX_SIZE + 1, SIZE_MAX,
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        struct fb_packet_spec spec = make_spec(bad[i], 0);

        CHECK(fb_packet_build(&spec, NULL) == EINVAL);
    }
}

/* OVS's own parser finds in the frame what the description says. */
static void
test_flow(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
        struct fb_packet_spec spec = make_spec(sizes[i], i);
        struct dp_packet *packet = dp_packet_new(sizes[i]);
        struct flow flow;

        build(&spec, dp_packet_put_uninit(packet, sizes[i]));
        flow_extract(packet, &flow);
        CHECK(eth_addr_equals(flow.dl_src, spec.src));
        CHECK(eth_addr_equals(flow.dl_dst, spec.dst));
        CHECK(flow.dl_type == htons(ETH_TYPE_IP));
        CHECK(flow.nw_proto == IPPROTO_UDP && !flow.nw_frag);
        CHECK(flow.nw_src == spec.ip_src && flow.nw_dst == spec.ip_dst);
        CHECK(flow.tp_src == htons(spec.sport));
        CHECK(flow.tp_dst == htons(spec.dport));
        dp_packet_delete(packet);
    }
}

/* "packet-pcap FILE [bad-ip-csum]": writes a frame of each size to FILE, for
 * an independent reader. */
static void
test_pcap(struct ovs_cmdl_context *ctx)
{
    const char *name = ctx->argv[1];
    bool bad = ctx->argc > 2 && !strcmp(ctx->argv[2], "bad-ip-csum");
    struct pcap_file *pcap = ovs_pcap_open(name, "wb");

    if (!pcap) {
        ovs_fatal(errno, "%s: open failed", name);
    }
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
        struct fb_packet_spec spec = make_spec(sizes[i], i);
        struct dp_packet *packet = dp_packet_new(sizes[i]);

        spec.fault = bad ? FB_PACKET_FAULT_IP_CSUM : FB_PACKET_FAULT_NONE;
        build(&spec, dp_packet_put_uninit(packet, sizes[i]));
        ovs_pcap_write(pcap, packet);
        dp_packet_delete(packet);
    }
    ovs_pcap_close(pcap);
}

const struct ovs_cmdl_command test_packet_commands[] = {
    { "packet-verify", NULL, 0, 0, test_verify, OVS_RO },
    { "packet-zero-checksum", NULL, 0, 0, test_zero_checksum, OVS_RO },
    { "packet-damage", NULL, 0, 0, test_damage, OVS_RO },
    { "packet-bad-size", NULL, 0, 0, test_bad_size, OVS_RO },
    { "packet-flow", NULL, 0, 0, test_flow, OVS_RO },
    { "packet-pcap", "FILE [bad-ip-csum]", 1, 2, test_pcap, OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
