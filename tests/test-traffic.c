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
#include "fb-churn.h"
#include "fb-flows.h"
#include "fb-frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "flow.h"
#include "hash.h"
#include "openvswitch/hmap.h"
#include "pcap-file.h"
#include "util.h"

/* Returns a traffic that differs from the plain one in what 'text' says:
 * name=value pairs with blanks between them, as the options have them. */
static struct fb_traffic
make_traffic(const char *text)
{
    struct fb_traffic traffic = { .n_flows = 0 };
    char *copy = xstrdup(text);
    char *save_ptr = NULL;

    fb_sizes_init(&traffic.sizes, 78);
    for (char *word = strtok_r(copy, " ", &save_ptr); word;
         word = strtok_r(NULL, " ", &save_ptr)) {
        char *value = strchr(word, '=');
        value = value ? value + 1 : NULL;
        if (!strncmp(word, "flows=", 6)) {
            traffic.n_flows = strtoull(value, NULL, 10);
        } else if (!strncmp(word, "fields=", 7)) {
            CHECK(!fb_fields_parse(value, &traffic.fields));
        } else if (!strncmp(word, "pattern=", 8)) {
            CHECK(fb_pattern_from_name(value, &traffic.pattern));
        } else if (!strncmp(word, "packets=", 8)) {
            traffic.flow_packets = strtoul(value, NULL, 10);
        } else if (!strncmp(word, "vlan=", 5)) {
            traffic.vlan = strtoul(value, NULL, 10);
        } else if (!strncmp(word, "sizes=", 6)) {
            CHECK(!fb_sizes_parse(value, FB_PACKET_MIN_SIZE,
                                  FB_PACKET_MAX_SIZE, &traffic.sizes));
        } else {
            CHECK(!strcmp(word, "ipv6"));
            traffic.ipv6 = true;
        }
    }
    free(copy);
    return traffic;
}

/* Checks that 's' is refused as sizes, with an error that has 'word'. */
static void
check_bad_sizes(const char *s, const char *word)
{
    struct fb_sizes sizes;
    char *error = fb_sizes_parse(s, 60, 1514, &sizes);

    if (!error || !strstr(error, word)) {
        ovs_fatal(0, "%s: %s", s, error ? error : "accepted");
    }
    free(error);
}

/* Sizes: what is accepted, what is not, and that each has its share, evenly
 * spread. */
static void
test_sizes(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    uint8_t schedule[FB_SIZES_MAX_PERIOD];
    size_t n[FB_SIZES_MAX] = { 0 };
    struct fb_sizes sizes;

    CHECK(!fb_sizes_parse("64", 60, 1514, &sizes));
    CHECK(sizes.n == 1 && sizes.period == 1 && sizes.classes[0].size == 64);
    CHECK(!fb_sizes_parse("imix", 60, 1514, &sizes));
    CHECK(sizes.n == 3 && sizes.period == 12);
    CHECK(fb_sizes_mean(&sizes) == (7 * 60 + 4 * 590 + 1514) / 12.0);
    fb_sizes_schedule(&sizes, schedule);
    for (size_t i = 0; i < sizes.period; i++) {
        n[schedule[i]]++;
        /* Of the first i + 1 frames none is off its share by a frame. */
        for (size_t j = 0; j < sizes.n; j++) {
            double share = (i + 1.0) * sizes.classes[j].weight / sizes.period;
            CHECK(n[j] > share - 1 && n[j] < share + 1);
        }
    }
    CHECK(n[0] == 7 && n[1] == 4 && n[2] == 1);

    check_bad_sizes("", "not a size");
    check_bad_sizes("64,", "not a size");
    check_bad_sizes("64:", "not a size");
    check_bad_sizes("64x", "not a size");
    check_bad_sizes("-64", "not a size");
    check_bad_sizes("99999999999999999999", "not a size");
    check_bad_sizes("59", "59 is not between 60 and 1514");
    check_bad_sizes("64:1,1515:1", "1515 is not between");
    check_bad_sizes("64:0", "weights");
    check_bad_sizes("64:1000,65:1", "weights");
    check_bad_sizes("61,62,63,64,65,66,67,68,69", "more than 8");
}

/* Checks that 'text' is refused for 'n_destinations', with an error that has
 * 'word'; or accepted, if 'word' is null. */
static void
check_traffic(const char *text, size_t n_destinations, const char *word)
{
    struct fb_traffic traffic = make_traffic(text);
    char *error = fb_traffic_check(&traffic, n_destinations);

    if (!error != !word || (error && !strstr(error, word))) {
        ovs_fatal(0, "%s: %s", text, error ? error : "accepted");
    }
    free(error);
}

/* Traffic that cannot be is refused, with the option that says so. */
static void
test_check(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    unsigned int fields;

    check_traffic("", 1000, NULL);
    check_traffic("sizes=73 ipv6", 1, "--frame-size: 73 bytes are too few for "
                  "IPv6, which needs 74");
    check_traffic("sizes=78:1,77:1 ipv6 vlan=5", 1, "in a VLAN");
    check_traffic("sizes=60 vlan=5", 1, NULL);
    check_traffic("flows=7", 8, "--destinations=7");
    check_traffic("flows=9", 8, "--flow-fields");
    check_traffic("flows=131073 fields=sport", 8, "131072");
    check_traffic("flows=131072 fields=sport", 8, NULL);
    check_traffic("flows=1000000 fields=sport", 1000, NULL);
    check_traffic("flows=1000000 fields=ip-dst", 1000, "only 65000");
    check_traffic("flows=1000000 fields=eth-src", 1, NULL);

    char *error = fb_fields_parse("sport,tos", &fields);
    CHECK(strstr(error, "tos: no such field"));
    free(error);
    error = fb_fields_parse(",", &fields);
    CHECK(strstr(error, "names no field"));
    free(error);
}

/* A flow that was seen. */
struct seen {
    struct hmap_node node;      /* In check_flows()'s table. */
    struct fb_packet_spec spec; /* Padding and all. */
};

/* Checks that the flows of 'text' to 'n_destinations' are as many as they
 * should be, all different, in the fields that it names only, evenly spread
 * over the destinations, and that they begin again. */
static void
check_flows(const char *text, size_t n_destinations)
{
    struct fb_traffic traffic = make_traffic(text);
    uint64_t n_flows = fb_traffic_n_flows(&traffic, n_destinations);
    struct hmap seen = HMAP_INITIALIZER(&seen);
    struct fb_packet_spec first, spec;
    struct fb_flows flows;
    bool last = false;

    CHECK(!fb_traffic_check(&traffic, n_destinations));
    fb_flows_init(&flows, &traffic, n_destinations, NULL);
    memset(&spec, 0, sizeof spec);
    for (uint64_t i = 0; i < n_flows; i++) {
        CHECK(!last);
        last = fb_flows_next(&flows, &spec);
        if (!i) {
            first = spec;
        }
        CHECK(spec.tag == i % n_destinations + 1);
        CHECK((traffic.fields & FB_FIELD_SPORT) || spec.sport == first.sport);
        CHECK((traffic.fields & FB_FIELD_DPORT) || spec.dport == first.dport);
        CHECK((traffic.fields & FB_FIELD_IP_SRC)
              || spec.ip_src == first.ip_src);
        CHECK((traffic.fields & FB_FIELD_ETH_SRC)
              || eth_addr_equals(spec.src, first.src));

        uint32_t hash = hash_bytes(&spec, sizeof spec, 0);
        struct seen *s;
        HMAP_FOR_EACH_WITH_HASH (s, node, hash, &seen) {
            CHECK(memcmp(&s->spec, &spec, sizeof spec));
        }
        s = xmalloc(sizeof *s);
        s->spec = spec;
        hmap_insert(&seen, &s->node, hash);
    }
    CHECK(last);
    fb_flows_next(&flows, &spec);
    CHECK(!memcmp(&spec, &first, sizeof spec));

    struct seen *s;
    HMAP_FOR_EACH_POP (s, node, &seen) {
        free(s);
    }
    hmap_destroy(&seen);
}

/* Flows are as many as asked for, and all different. */
static void
test_flows(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    check_flows("", 1);
    check_flows("", 1000);
    check_flows("flows=1000000 fields=sport,dport", 8);
    check_flows("flows=1000000 fields=ip-src,ip-dst", 7);
    check_flows("flows=1000000 fields=eth-src", 3);
    check_flows("flows=65000 fields=ip-dst", 1000);
    check_flows("flows=16385 fields=sport,dport,ip-src,ip-dst,eth-src", 1);
}

/* Returns a frame's number of bytes and what they are, as one number. */
static uint64_t
fingerprint(const struct iovec *iov)
{
    return ((uint64_t) iov->iov_len << 32
            | hash_bytes(iov->iov_base, iov->iov_len, 0));
}

/* Checks 'n' frames of 'text' to 'n_destinations', taken in batches of any
 * size of which often only a part is used: each is whole, to its destination,
 * and what it would be if it were built for itself, and each flow has sizes in
 * the proportion asked for. */
static void
check_frames(const char *text, size_t n_destinations, size_t n)
{
    struct fb_frames_config config = {
        .traffic = make_traffic(text),
        .n_destinations = n_destinations,
    };
    struct fb_packet_spec spec = {
        .vlan = config.traffic.vlan,
        .ipv6 = config.traffic.ipv6,
    };
    ovs_be16 frame[FB_PACKET_MAX_SIZE / 2];
    size_t n_short = 0, n_first_short = 0, n_first = 0;
    struct fb_frames *frames;
    struct fb_flows flows;
    size_t done = 0;

    CHECK(!fb_frames_create(&config, &frames));
    fb_flows_init(&flows, &config.traffic, n_destinations, NULL);
    for (size_t round = 1; done < n; round++) {
        size_t n_peek = round % FB_FRAMES_WINDOW + 1;
        size_t n_take = (round * 7) % n_peek + 1;
        struct iovec *iovs = fb_frames_peek(frames, n_peek);

        for (size_t i = 0; i < n_take; i++, done++) {
            struct iovec expected = { frame, iovs[i].iov_len };
            struct fb_packet_info info;
            bool first = !flows.flow;

            fb_flows_next(&flows, &spec);
            spec.frame_size = iovs[i].iov_len;
            CHECK(!fb_packet_build(&spec, frame));
            CHECK(fingerprint(&iovs[i]) == fingerprint(&expected));
            CHECK(fb_packet_verify(iovs[i].iov_base, iovs[i].iov_len, &info));
            bool is_short = spec.frame_size == config.traffic.sizes.classes[0]
                                               .size;
            n_short += is_short;
            n_first += first;
            n_first_short += first && is_short;
        }
        fb_frames_advance(frames, n_take);
    }

    double share = ((double) config.traffic.sizes.classes[0].weight
                    / config.traffic.sizes.period);
    CHECK(n_short > share * done - 40 && n_short < share * done + 40);
    CHECK(n_first_short > share * n_first - 40
          && n_first_short < share * n_first + 40);

    fb_frames_rewind(frames);
    struct fb_packet_info info;
    struct iovec *iov = fb_frames_peek(frames, 1);
    CHECK(fb_packet_verify(iov->iov_base, iov->iov_len, &info));
    CHECK(info.tag == 1);
    fb_frames_destroy(frames);
}

/* Frames that are patched are what they would be if each were built. */
static void
test_frames(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    check_frames("", 8, 10000);
    check_frames("sizes=imix", 8, 40000);
    check_frames("sizes=imix", 12, 40000);
    check_frames("flows=100000 fields=sport,dport", 8, 250000);
    check_frames("flows=30011 fields=ip-src,ip-dst,eth-src vlan=4094", 10,
                 70000);
    check_frames("flows=100000 fields=sport,ip-src,ip-dst ipv6", 8, 250000);
    check_frames("flows=20000 fields=sport sizes=imix", 8, 200000);
    check_frames("flows=20000 fields=ip-dst,dport ipv6 vlan=7 "
                 "sizes=78:3,1500:1", 5, 100000);
}

/* Checks that of 'n' frames with churn, 'flow_packets' of each flow, each flow
 * but the first and the last ones has as many as it should, and that new flows
 * come evenly. */
static void
check_churn(uint32_t flow_packets, size_t n)
{
    char *text = xasprintf("pattern=churn fields=sport,dport packets=%"PRIu32,
                           flow_packets);
    struct fb_frames_config config = {
        .traffic = make_traffic(text),
        .n_destinations = 8,
    };
    size_t n_flows = n / flow_packets + FB_CHURN_LANES + 1;
    uint32_t *counts = xcalloc(n_flows, sizeof *counts);
    struct fb_frames *frames;
    size_t n_seen = 0;

    CHECK(!fb_traffic_check(&config.traffic, config.n_destinations));
    CHECK(!fb_frames_create(&config, &frames));
    for (size_t i = 0; i < n; i++) {
        struct iovec *iov = fb_frames_peek(frames, 1);
        struct fb_packet_info info;
        struct flow flow;

        CHECK(fb_packet_verify(iov->iov_base, iov->iov_len, &info));
        struct dp_packet *packet = dp_packet_clone_data(iov->iov_base,
                                                        iov->iov_len);
        flow_extract(packet, &flow);
        dp_packet_delete(packet);

        /* The wheels, turned back. */
        size_t number = ((ntohs(flow.tp_src) - 49152
                          + (ntohs(flow.tp_dst) - 32768) * 16384) * 8
                         + info.tag - 1);
        CHECK(number < n_flows);
        n_seen += !counts[number]++;
        fb_frames_advance(frames, 1);

        size_t expected = (i + 1) / flow_packets;
        CHECK(n_seen <= expected + FB_CHURN_LANES + 1);
        CHECK(n_seen + FB_CHURN_LANES >= expected);
    }
    for (size_t i = FB_CHURN_LANES; i + 2 * FB_CHURN_LANES < n_seen; i++) {
        CHECK(counts[i] == flow_packets);
    }
    fb_frames_destroy(frames);
    free(counts);
    free(text);
}

/* Flows that come and go have the number of packets that they should. */
static void
test_churn(struct ovs_cmdl_context *ctx OVS_UNUSED)
{
    check_churn(1, 100000);
    check_churn(3, 100000);
    check_churn(100, 200000);
}

/* "traffic-pcap FILE TRAFFIC N_DESTINATIONS N": writes N frames to FILE, for
 * an independent reader. */
static void
test_pcap(struct ovs_cmdl_context *ctx)
{
    struct fb_frames_config config = {
        .traffic = make_traffic(ctx->argv[2]),
        .n_destinations = atoi(ctx->argv[3]),
    };
    struct pcap_file *pcap = ovs_pcap_open(ctx->argv[1], "wb");
    struct fb_frames *frames;

    if (!pcap) {
        ovs_fatal(errno, "%s: open failed", ctx->argv[1]);
    }
    CHECK(!fb_traffic_check(&config.traffic, config.n_destinations));
    CHECK(!fb_frames_create(&config, &frames));
    for (int i = 0; i < atoi(ctx->argv[4]); i++) {
        struct iovec *iov = fb_frames_peek(frames, 1);
        struct dp_packet *packet = dp_packet_clone_data(iov->iov_base,
                                                        iov->iov_len);
        ovs_pcap_write(pcap, packet);
        dp_packet_delete(packet);
        fb_frames_advance(frames, 1);
    }
    fb_frames_destroy(frames);
    ovs_pcap_close(pcap);
}

const struct ovs_cmdl_command test_traffic_commands[] = {
    { "traffic-sizes", NULL, 0, 0, test_sizes, OVS_RO },
    { "traffic-check", NULL, 0, 0, test_check, OVS_RO },
    { "traffic-flows", NULL, 0, 0, test_flows, OVS_RO },
    { "traffic-frames", NULL, 0, 0, test_frames, OVS_RO },
    { "traffic-churn", NULL, 0, 0, test_churn, OVS_RO },
    { "traffic-pcap", "FILE TRAFFIC N_DESTINATIONS N", 4, 4, test_pcap,
      OVS_RO },
    { NULL, NULL, 0, 0, NULL, OVS_RO },
};
