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

#ifndef FB_ADDRESS_H
#define FB_ADDRESS_H 1

/* The plan of addresses: who has which, in all DUTs alike.
 *
 * IPv4 addresses are of the blocks that RFC 2544 sets aside for benchmarks:
 * sources in 198.18.0.0/16, destinations in 198.19.0.0/16.  With IPv6 they are
 * the last 32 bits; see fb-packet.h. */

#include <stddef.h>
#include <stdint.h>

#include "openvswitch/types.h"

/* What the fourth byte of an Ethernet address of ours says it belongs to. */
enum fb_mac_use {
    FB_MAC_GEN = 0,             /* The generator. */
    FB_MAC_DESTINATION = 1,     /* A destination of frames; see below. */
    FB_MAC_PORT = 2,            /* A switch port's interface. */
    FB_MAC_SINK = 3,            /* A sink's interface. */
    FB_MAC_FLOW = 4,            /* A source that is another in each flow. */
    FB_MAC_MASK = 5             /* The same, for masks: see fb-masks.h. */
};

/* Number of addresses of each use. */
#define FB_MAC_MAX (1 << 24)

/* Number of IPv4 addresses of sources, and of destinations. */
#define FB_IP_MAX 65535

/* IPv4 addresses before the first source and of destination 0. */
#define FB_IP_SOURCES 0xc6120000U       /* 198.18.0.0. */
#define FB_IP_DESTINATIONS 0xc6130000U  /* 198.19.0.0. */

struct eth_addr fb_address_mac(enum fb_mac_use, size_t n);
struct eth_addr fb_address_destination_mac(size_t destination);
struct eth_addr fb_address_endpoint_mac(size_t endpoint);

#endif /* fb-address.h */
