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

#include "fb-masks.h"

#include "fb-address.h"
#include "openvswitch/dynamic-string.h"
#include "packets.h"

/* OpenFlow tables, and rules of each, with a bit of the address for each:
 * together all that fb_address_mac() leaves to its callers. */
#define N_TABLES 3
#define N_BITS 8
BUILD_ASSERT_DECL(N_BITS * N_BITS * N_BITS == FB_MASKS_MAX);
BUILD_ASSERT_DECL(FB_MAC_MAX == 1 << (N_TABLES * N_BITS));

/* Priority of the first rule of a table. */
#define PRIORITY 100

/* Returns the number, for fb_address_mac(), that has only the bit set that
 * rule 'bit' of 'table' looks at. */
static size_t
get_bit(size_t table, size_t bit)
{
    return (size_t) 1 << (table * N_BITS + bit);
}

/* Returns the source address of flows under mask number 'i', less than
 * FB_MASKS_MAX. */
struct eth_addr
fb_masks_mac(size_t i)
{
    size_t n = 0;

    for (size_t table = 0; table < N_TABLES; table++) {
        n |= get_bit(table, i % N_BITS);
        i /= N_BITS;
    }
    return fb_address_mac(FB_MAC_MASK, n);
}

/* Appends the rules, for "ovs-ofctl add-flows", of the tables from 0 up.
 * Returns the number of the table in which packets go on, whichever their
 * source address is. */
int
fb_masks_put_rules(struct ds *rules)
{
    for (size_t table = 0; table < N_TABLES; table++) {
        for (size_t bit = 0; bit < N_BITS; bit++) {
            struct eth_addr value = fb_address_mac(FB_MAC_MASK,
                                                   get_bit(table, bit));
            struct eth_addr none = fb_address_mac(FB_MAC_MASK, 0);
            struct eth_addr mask;

            for (size_t i = 0; i < ARRAY_SIZE(mask.ea); i++) {
                mask.ea[i] = value.ea[i] ^ none.ea[i];
                value.ea[i] &= mask.ea[i];
            }
            ds_put_format(rules, "table=%"PRIuSIZE",priority=%"PRIuSIZE","
                          "dl_src="ETH_ADDR_FMT"/"ETH_ADDR_FMT","
                          "actions=resubmit(,%"PRIuSIZE")\n", table,
                          PRIORITY - bit, ETH_ADDR_ARGS(value),
                          ETH_ADDR_ARGS(mask), table + 1);
        }
        ds_put_format(rules, "table=%"PRIuSIZE",priority=0,"
                      "actions=resubmit(,%"PRIuSIZE")\n", table, table + 1);
    }
    return N_TABLES;
}
