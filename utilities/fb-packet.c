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

/* Its length in the frame, which has no padding, and the tag's place in it. */
#define PAYLOAD_HEADER_LEN 12
#define TAG_OFS 8

#define TTL 64

/* The upper 96 bits of our IPv6 addresses: in 2001:2::/48, which RFC 5180 sets
 * aside for benchmarks. */
#define IPV6_PREFIX_LEN 12
static const uint8_t ipv6_prefix[IPV6_PREFIX_LEN] = { 0x20, 0x01, 0, 0x02 };

/* Where the headers of a frame are, as offsets from its beginning. */
struct layout {
    size_t ip;                  /* IPv4 or IPv6. */
    size_t udp;
    size_t payload;
};

/* Returns where the headers are in a frame with a VLAN tag or without, over
 * IPv6 or IPv4. */
static struct layout
get_layout(bool vlan, bool ipv6)
{
    struct layout l = { .ip = ETH_HEADER_LEN + (vlan ? VLAN_HEADER_LEN : 0) };

    l.udp = l.ip + (ipv6 ? IPV6_HEADER_LEN : IP_HEADER_LEN);
    l.payload = l.udp + UDP_HEADER_LEN;
    return l;
}

/* Returns the least size of a frame like that of 'spec', in bytes. */
size_t
fb_packet_min_size(const struct fb_packet_spec *spec)
{
    struct layout l = get_layout(spec->vlan, spec->ipv6);

    return MAX(FB_PACKET_MIN_SIZE, l.payload + PAYLOAD_HEADER_LEN);
}

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

/* Returns the UDP checksum of the datagram of 'len' bytes at 'udp', whose IP
 * header is 'ip'.  Over a valid datagram, checksum included, it is 0. */
static ovs_be16
udp_csum(const void *ip, bool ipv6, const void *udp, size_t len)
{
    uint32_t pseudo = (ipv6 ? packet_csum_pseudoheader6(ip)
                       : packet_csum_pseudoheader(ip));

    return csum_finish(csum_continue(pseudo, udp, len));
}

/* Writes the Ethernet header of 'spec', with its VLAN tag, to 'frame'. */
static void
build_ethernet(const struct fb_packet_spec *spec, void *frame)
{
    ovs_be16 type = htons(spec->ipv6 ? ETH_TYPE_IPV6 : ETH_TYPE_IP);

    if (spec->vlan) {
        struct vlan_eth_header *eth = frame;
        eth->veth_dst = spec->dst;
        eth->veth_src = spec->src;
        eth->veth_type = htons(ETH_TYPE_VLAN_8021Q);
        eth->veth_tci = htons(spec->vlan);
        eth->veth_next_type = type;
    } else {
        struct eth_header *eth = frame;
        eth->eth_dst = spec->dst;
        eth->eth_src = spec->src;
        eth->eth_type = type;
    }
}

/* Writes the IPv4 header of 'spec', of a packet of 'len' bytes, to 'ip'. */
static void
build_ipv4(const struct fb_packet_spec *spec, size_t len,
           struct ip_header *ip)
{
    memset(ip, 0, sizeof *ip);
    ip->ip_ihl_ver = IP_IHL_VER(5, 4);
    ip->ip_tot_len = htons(len);
    ip->ip_ttl = TTL;
    ip->ip_proto = IPPROTO_UDP;
    put_16aligned_be32(&ip->ip_src, spec->ip_src);
    put_16aligned_be32(&ip->ip_dst, spec->ip_dst);
    ip->ip_csum = csum(ip, sizeof *ip);
    if (spec->fault == FB_PACKET_FAULT_IP_CSUM) {
        ip->ip_csum ^= htons(0x5555);
    }
}

/* Writes the IPv6 header of 'spec', of a packet of 'len' bytes, to 'ip'. */
static void
build_ipv6(const struct fb_packet_spec *spec, size_t len,
           struct ovs_16aligned_ip6_hdr *ip)
{
    memset(ip, 0, sizeof *ip);
    put_16aligned_be32(&ip->ip6_ctlun.ip6_un1.ip6_un1_flow, htonl(6u << 28));
    ip->ip6_ctlun.ip6_un1.ip6_un1_plen = htons(len - IPV6_HEADER_LEN);
    ip->ip6_ctlun.ip6_un1.ip6_un1_nxt = IPPROTO_UDP;
    ip->ip6_ctlun.ip6_un1.ip6_un1_hlim = TTL;
    memcpy(&ip->ip6_src, ipv6_prefix, IPV6_PREFIX_LEN);
    memcpy(&ip->ip6_dst, ipv6_prefix, IPV6_PREFIX_LEN);
    put_16aligned_be32(&ip->ip6_src.be32[3], spec->ip_src);
    put_16aligned_be32(&ip->ip6_dst.be32[3], spec->ip_dst);
}

/* Writes the frame that 'spec' describes to 'frame', which must have room for
 * 'spec->frame_size' bytes and an even address.
 *
 * Returns 0 if successful, EINVAL if the frame size is out of range. */
int
fb_packet_build(const struct fb_packet_spec *spec, void *frame)
{
    struct layout l = get_layout(spec->vlan, spec->ipv6);
    size_t size = spec->frame_size;

    if (size < fb_packet_min_size(spec) || size > FB_PACKET_MAX_SIZE) {
        return EINVAL;
    }

    uint8_t *bytes = frame;
    struct udp_header *udp = ALIGNED_CAST(struct udp_header *, bytes + l.udp);

    build_ethernet(spec, frame);
    if (spec->ipv6) {
        build_ipv6(spec, size - l.ip,
                   ALIGNED_CAST(struct ovs_16aligned_ip6_hdr *,
                                bytes + l.ip));
    } else {
        build_ipv4(spec, size - l.ip,
                   ALIGNED_CAST(struct ip_header *, bytes + l.ip));
    }
    fill_payload(spec, bytes + l.payload, size - l.payload);

    udp->udp_src = htons(spec->sport);
    udp->udp_dst = htons(spec->dport);
    udp->udp_len = htons(size - l.udp);
    udp->udp_csum = 0;
    udp->udp_csum = udp_csum(bytes + l.ip, spec->ipv6, udp, size - l.udp);
    if (!udp->udp_csum) {
        /* 0 would mean that there is no checksum. */
        udp->udp_csum = htons(0xffff);
    }
    return 0;
}

/* Stores the IP addresses of 'spec' in the IP header at 'ip', and keeps an
 * IPv4 header's checksum in step with those of 'old', which are there. */
static void
patch_ip(const struct fb_packet_spec *old, const struct fb_packet_spec *spec,
         uint8_t *ip)
{
    if (spec->ipv6) {
        struct ovs_16aligned_ip6_hdr *ip6 = ALIGNED_CAST(
            struct ovs_16aligned_ip6_hdr *, ip);
        put_16aligned_be32(&ip6->ip6_src.be32[3], spec->ip_src);
        put_16aligned_be32(&ip6->ip6_dst.be32[3], spec->ip_dst);
    } else {
        struct ip_header *ip4 = ALIGNED_CAST(struct ip_header *, ip);
        put_16aligned_be32(&ip4->ip_src, spec->ip_src);
        put_16aligned_be32(&ip4->ip_dst, spec->ip_dst);
        ip4->ip_csum = recalc_csum32(ip4->ip_csum, old->ip_src, spec->ip_src);
        ip4->ip_csum = recalc_csum32(ip4->ip_csum, old->ip_dst, spec->ip_dst);
    }
}

/* Makes 'frame', which fb_packet_build() or this function made of 'old', the
 * frame of 'spec', which may differ in addresses, ports and tag.  Checksums
 * are not computed anew but brought up to date (RFC 1624), at a cost that does
 * not depend on the frame's size. */
void
fb_packet_patch(const struct fb_packet_spec *old,
                const struct fb_packet_spec *spec, void *frame)
{
    struct layout l = get_layout(spec->vlan, spec->ipv6);
    uint8_t *bytes = frame;
    struct eth_header *eth = frame;
    struct udp_header *udp = ALIGNED_CAST(struct udp_header *, bytes + l.udp);
    ovs_be32 old_tag = htonl(old->tag);
    ovs_be32 tag = htonl(spec->tag);
    ovs_be16 sum = udp->udp_csum;

    eth->eth_dst = spec->dst;
    eth->eth_src = spec->src;
    patch_ip(old, spec, bytes + l.ip);
    udp->udp_src = htons(spec->sport);
    udp->udp_dst = htons(spec->dport);
    memcpy(bytes + l.payload + TAG_OFS, &tag, sizeof tag);

    sum = recalc_csum32(sum, old->ip_src, spec->ip_src);
    sum = recalc_csum32(sum, old->ip_dst, spec->ip_dst);
    sum = recalc_csum16(sum, htons(old->sport), htons(spec->sport));
    sum = recalc_csum16(sum, htons(old->dport), htons(spec->dport));
    sum = recalc_csum32(sum, old_tag, tag);
    udp->udp_csum = sum ? sum : htons(0xffff);
}

/* Looks for a UDP header in the 'len' bytes at 'frame', over IPv4 or IPv6, in
 * a VLAN or not.  Returns true and stores where it is in '*l', and that it is
 * over IPv6 in '*ipv6', if there is one, and our payload would fit. */
static bool
find_udp(const uint8_t *frame, size_t len, struct layout *l, bool *ipv6)
{
    if (len < FB_PACKET_MIN_SIZE) {
        return false;
    }

    const struct vlan_eth_header *eth = ALIGNED_CAST(
        const struct vlan_eth_header *, frame);
    bool vlan = eth->veth_type == htons(ETH_TYPE_VLAN_8021Q);
    ovs_be16 type = vlan ? eth->veth_next_type : eth->veth_type;

    *ipv6 = type == htons(ETH_TYPE_IPV6);
    *l = get_layout(vlan, *ipv6);
    if (len < l->payload + PAYLOAD_HEADER_LEN) {
        return false;
    } else if (*ipv6) {
        const struct ovs_16aligned_ip6_hdr *ip = ALIGNED_CAST(
            const struct ovs_16aligned_ip6_hdr *, frame + l->ip);
        return (frame[l->ip] >> 4 == 6
                && ip->ip6_ctlun.ip6_un1.ip6_un1_nxt == IPPROTO_UDP);
    } else {
        const struct ip_header *ip = ALIGNED_CAST(const struct ip_header *,
                                                  frame + l->ip);
        return (type == htons(ETH_TYPE_IP)
                && ip->ip_ihl_ver == IP_IHL_VER(5, 4)
                && ip->ip_proto == IPPROTO_UDP
                && !ip->ip_frag_off);
    }
}

/* Returns the length of the IP packet whose header is 'ip', as it says. */
static size_t
ip_length(const uint8_t *ip, bool ipv6)
{
    if (ipv6) {
        const struct ovs_16aligned_ip6_hdr *ip6 = ALIGNED_CAST(
            const struct ovs_16aligned_ip6_hdr *, ip);
        return ntohs(ip6->ip6_ctlun.ip6_un1.ip6_un1_plen) + IPV6_HEADER_LEN;
    }
    return ntohs(ALIGNED_CAST(const struct ip_header *, ip)->ip_tot_len);
}

/* Checks the 'len' bytes at 'frame', of an even address, as they arrived at a
 * sink: nothing is believed that is not in the frame.  Stores the findings in
 * '*info'.
 *
 * Returns true only if it is one of our frames and whole: the lengths fit and
 * all checksums are valid.  A frame that was padded is not whole. */
bool
fb_packet_verify(const void *frame, size_t len, struct fb_packet_info *info)
{
    const uint8_t *bytes = frame;
    struct payload_header header;
    struct layout l;
    bool ipv6;

    memset(info, 0, sizeof *info);

    info->is_udp = find_udp(frame, len, &l, &ipv6);
    if (!info->is_udp) {
        return false;
    }

    const struct udp_header *udp = ALIGNED_CAST(const struct udp_header *,
                                                bytes + l.udp);
    info->lengths_ok = (ip_length(bytes + l.ip, ipv6) == len - l.ip
                        && ntohs(udp->udp_len) == len - l.udp);
    if (!info->lengths_ok) {
        return false;
    }

    memcpy(&header, bytes + l.payload, PAYLOAD_HEADER_LEN);
    info->is_ours = header.magic == htonll(MAGIC);
    if (!info->is_ours) {
        return false;
    }

    info->tag = ntohl(header.tag);
    info->ip_csum_ok = ipv6 || !csum(bytes + l.ip, IP_HEADER_LEN);
    info->udp_csum_ok = (udp->udp_csum
                         && !udp_csum(bytes + l.ip, ipv6, udp, len - l.udp));
    return info->ip_csum_ok && info->udp_csum_ok;
}
