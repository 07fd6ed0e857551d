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

#ifndef FB_MASKS_H
#define FB_MASKS_H 1

/* Flows that Open vSwitch keeps under a chosen number of masks.
 *
 * A megaflow's mask has the bits that were looked at to find its OpenFlow
 * rules.  Three tables, one after another, have eight rules each, of which
 * each looks at one bit of the source address and has a lower priority than
 * the one before.  A packet with the first bit set is decided by the first
 * rule, and its megaflow has that bit only; one with the second bit set has to
 * pass the first rule, too, and its megaflow has both bits, and so on.  So the
 * addresses, which have one bit set for each table, lead to 8 * 8 * 8 masks.
 *
 * For any thread. */

#include <stddef.h>

#include "openvswitch/types.h"

struct ds;

/* Most masks. */
#define FB_MASKS_MAX 512

struct eth_addr fb_masks_mac(size_t i);
int fb_masks_put_rules(struct ds *);

#endif /* fb-masks.h */
