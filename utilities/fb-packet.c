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
#include "fb-packet.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "csum.h"
#include "packets.h"
#include "unaligned.h"
#include "util.h"

/* The first bytes of the payload: "fanbench" in ASCII. */
#define MAGIC UINT64_C(0x66616e62656e6368)

/* What the payload begins with. */
struct payload_header {
    ovs_be64 magic;             /* MAGIC. */
    ovs_be32 tag;               /* The tag of the fb_packet_spec. */
};

/* Its length in the frame, which has no padding. */
#define PAYLOAD_HEADER_LEN 12

/* Offsets of the headers in a frame. */
#define IP_OFS ETH_HEADER_LEN
#define UDP_OFS (IP_OFS + IP_HEADER_LEN)
#define PAYLOAD_OFS (UDP_OFS + UDP_HEADER_LEN)

#define TTL 64

/* Fills the payload at 'payload', of 'len' bytes. */
static void
fill_payload(const struct fb_packet_spec *spec, uint8_t *payload, size_t len)
{
    struct payload_header header = {
        .magic = htonll(MAGIC),
        .tag = htonl(spec->tag),
    };

    memcpy(payload, &header, PAYLOAD_HEADER_LEN);
    for (size_t i = PAYLOAD_HEADER_LEN; i < len; i++) {
        payload[i] = i;
    }
}

/* Returns the UDP checksum of the datagram of 'len' bytes at 'udp', whose
 * IPv4 header is 'ip'.  Over a valid datagram, checksum included, it is 0. */
static ovs_be16
udp_csum(const struct ip_header *ip, const void *udp, size_t len)
{
    return csum_finish(csum_continue(packet_csum_pseudoheader(ip), udp, len));
}

/* Writes the frame that 'spec' describes to 'frame', which must have room for
 * 'spec->frame_size' bytes and an even address.
 *
 * Returns 0 if successful, EINVAL if the frame size is out of range. */
int
fb_packet_build(const struct fb_packet_spec *spec, void *frame)
{
    size_t size = spec->frame_size;

    if (size < FB_PACKET_MIN_SIZE || size > FB_PACKET_MAX_SIZE) {
        return EINVAL;
    }

    struct eth_header *eth = frame;
    struct ip_header *ip = ALIGNED_CAST(struct ip_header *,
                                        (uint8_t *) frame + IP_OFS);
    struct udp_header *udp = ALIGNED_CAST(struct udp_header *,
                                          (uint8_t *) frame + UDP_OFS);

    eth->eth_dst = spec->dst;
    eth->eth_src = spec->src;
    eth->eth_type = htons(ETH_TYPE_IP);

    memset(ip, 0, sizeof *ip);
    ip->ip_ihl_ver = IP_IHL_VER(5, 4);
    ip->ip_tot_len = htons(size - IP_OFS);
    ip->ip_ttl = TTL;
    ip->ip_proto = IPPROTO_UDP;
    put_16aligned_be32(&ip->ip_src, spec->ip_src);
    put_16aligned_be32(&ip->ip_dst, spec->ip_dst);
    ip->ip_csum = csum(ip, sizeof *ip);
    if (spec->fault == FB_PACKET_FAULT_IP_CSUM) {
        ip->ip_csum ^= htons(0x5555);
    }

    fill_payload(spec, (uint8_t *) frame + PAYLOAD_OFS, size - PAYLOAD_OFS);

    udp->udp_src = htons(spec->sport);
    udp->udp_dst = htons(spec->dport);
    udp->udp_len = htons(size - UDP_OFS);
    udp->udp_csum = 0;
    udp->udp_csum = udp_csum(ip, udp, size - UDP_OFS);
    if (!udp->udp_csum) {
        /* 0 would mean that there is no checksum. */
        udp->udp_csum = htons(0xffff);
    }
    return 0;
}

/* Checks the 'len' bytes at 'frame', of an even address, as they arrived at a
 * sink: nothing is believed that is not in the frame.  Stores the findings in
 * '*info'.
 *
 * Returns true only if it is one of our frames and whole: the lengths fit and
 * both checksums are valid.  A frame that was padded is not whole. */
bool
fb_packet_verify(const void *frame, size_t len, struct fb_packet_info *info)
{
    const struct eth_header *eth = frame;
    const struct ip_header *ip = ALIGNED_CAST(
        const struct ip_header *, (const uint8_t *) frame + IP_OFS);
    const struct udp_header *udp = ALIGNED_CAST(
        const struct udp_header *, (const uint8_t *) frame + UDP_OFS);
    struct payload_header header;

    memset(info, 0, sizeof *info);

    info->is_udp = (len >= FB_PACKET_MIN_SIZE
                    && eth->eth_type == htons(ETH_TYPE_IP)
                    && ip->ip_ihl_ver == IP_IHL_VER(5, 4)
                    && ip->ip_proto == IPPROTO_UDP
                    && !ip->ip_frag_off);
    if (!info->is_udp) {
        return false;
    }

    info->lengths_ok = (ntohs(ip->ip_tot_len) == len - IP_OFS
                        && ntohs(udp->udp_len) == len - UDP_OFS);
    if (!info->lengths_ok) {
        return false;
    }

    memcpy(&header, (const uint8_t *) frame + PAYLOAD_OFS, PAYLOAD_HEADER_LEN);
    info->is_ours = header.magic == htonll(MAGIC);
    if (!info->is_ours) {
        return false;
    }

    info->tag = ntohl(header.tag);
    info->ip_csum_ok = !csum(ip, IP_HEADER_LEN);
    info->udp_csum_ok = (udp->udp_csum
                         && !udp_csum(ip, udp, len - UDP_OFS));
    return info->ip_csum_ok && info->udp_csum_ok;
}
