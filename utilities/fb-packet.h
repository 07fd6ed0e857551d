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

#ifndef FB_PACKET_H
#define FB_PACKET_H 1

/* The frames that a load consists of
 * ==================================
 *
 * Builds UDP datagrams over IPv4 or IPv6 over Ethernet, with a VLAN tag or
 * without, as templates that are changed and sent again and again, and
 * recognizes them where they arrive.
 *
 * A frame's size is the number of bytes handed to the device: from the
 * destination MAC to the end of the payload, without the 4 bytes of frame
 * check sequence that hardware appends.  So a frame of size 60 is the least
 * that Ethernet knows (64 bytes with the FCS), and one of size 1514 fills an
 * MTU of 1500.
 *
 * All functions are pure and may be called from any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "openvswitch/types.h"

/* Least frame size, in bytes; see also fb_packet_min_size(). */
#define FB_PACKET_MIN_SIZE 60
#define FB_PACKET_MAX_SIZE 9014 /* Greatest: an MTU of 9000. */

/* Faults that tests put into a frame. */
enum fb_packet_fault {
    FB_PACKET_FAULT_NONE,       /* A valid frame. */
    FB_PACKET_FAULT_IP_CSUM     /* Wrong checksum of the IPv4 header. */
};

/* What goes into a frame. */
struct fb_packet_spec {
    struct eth_addr src;        /* Source MAC. */
    struct eth_addr dst;        /* Destination MAC. */
    uint16_t vlan;              /* VLAN ID, 1...4094, or 0 for no tag. */
    bool ipv6;                  /* IPv6 instead of IPv4? */
    ovs_be32 ip_src;            /* Source IPv4 address, or the last 32 bits of
                                 * an IPv6 address... */
    ovs_be32 ip_dst;            /* ...and destination address. */
    uint16_t sport;             /* Source UDP port. */
    uint16_t dport;             /* Destination UDP port. */
    size_t frame_size;          /* Up to FB_PACKET_MAX_SIZE bytes. */
    uint32_t tag;               /* Any number, which the sink can read. */
    enum fb_packet_fault fault; /* FB_PACKET_FAULT_NONE but in tests. */
};

/* What fb_packet_verify() found out.  Each member speaks for itself only if
 * all those above it are true. */
struct fb_packet_info {
    bool is_udp;                /* Long enough, and UDP over IPv4 or IPv6? */
    bool lengths_ok;            /* IP and UDP lengths fit the frame's? */
    bool is_ours;               /* Holds our magic? */
    bool ip_csum_ok;            /* IPv6, or checksum of the header valid? */
    bool udp_csum_ok;           /* UDP checksum there and valid? */
    uint32_t tag;               /* The tag of its fb_packet_spec. */
};

size_t fb_packet_min_size(const struct fb_packet_spec *);
int fb_packet_build(const struct fb_packet_spec *, void *frame);
void fb_packet_patch(const struct fb_packet_spec *old,
                     const struct fb_packet_spec *, void *frame);
bool fb_packet_verify(const void *frame, size_t len, struct fb_packet_info *);

#endif /* fb-packet.h */
