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
#include "fb-address.h"

/* Returns an Ethernet address of ours: number 'n', less than FB_MAC_MAX, of
 * those with 'use'. */
struct eth_addr
fb_address_mac(enum fb_mac_use use, size_t n)
{
    struct eth_addr mac = ETH_ADDR_C(02,fb,00,00,00,00);
    mac.ea[2] = n >> 16;
    mac.ea[3] = use;
    mac.ea[4] = n >> 8;
    mac.ea[5] = n;
    return mac;
}

/* Returns the Ethernet address of frames to destination 'destination', from 1
 * up, or to the generator's side, which is destination 0.  No interface has
 * it, but where sinks answer: see fb-dut.h. */
struct eth_addr
fb_address_destination_mac(size_t destination)
{
    return fb_address_mac(FB_MAC_DESTINATION, destination);
}

/* Returns the Ethernet address of the interface of 'endpoint': 0 is the
 * generator, others are the sinks. */
struct eth_addr
fb_address_endpoint_mac(size_t endpoint)
{
    return (endpoint ? fb_address_mac(FB_MAC_SINK, endpoint)
            : fb_address_mac(FB_MAC_GEN, 1));
}
