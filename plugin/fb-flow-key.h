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

#ifndef FB_FLOW_KEY_H
#define FB_FLOW_KEY_H 1

/* A compact form of flow keys and masks.
 *
 * Purpose: to keep what a datapath flow matches in few bytes.  OVS's own form,
 * Netlink attributes, takes about 280 bytes for the key and mask of a UDP
 * flow that matches all fields; this form takes about 90.
 *
 * It is a sequence of attributes that the mask does not wildcard as a whole.
 * Each is its type, a byte; its length, a byte; how it is masked, a byte (see
 * fb-flow-key.c); its value; and its mask, if it is not all ones.  A value or
 * mask is written as a bit for each byte that says whether it is not 0, lowest
 * first, for each 8 bytes, and then those of these bytes.
 *
 * A flow that is not there as attributes has another form, which is made in
 * two steps, of which the first is quick: a byte 255, and the 64-bit words of
 * OVS's struct flow in which a bit matters.  Each is its number, a byte that
 * is 128 higher if all bits matter; else its mask, as a bit for each byte that
 * says whether all of it matters, or a 0 and all of the mask; and its value,
 * as above.
 *
 * Thread rules: any thread.  fb_flow_key_pick() remembers masks, for each
 * thread by itself; all else are pure functions. */

#include <stddef.h>
#include <stdint.h>
#include "flow.h"

/* Words that fb_flow_key_pick() writes at most. */
#define FB_FLOW_KEY_PICKED (2 + 2 * FLOW_U64S)

struct nlattr;
struct ofpbuf;

size_t fb_flow_key_encode(const struct nlattr *key, size_t key_len,
                          const struct nlattr *mask, size_t mask_len,
                          void *out, size_t out_size);
size_t fb_flow_key_pick(const struct flow *, const struct flow_wildcards *,
                        uint64_t words[]);
size_t fb_flow_key_encode_picked(const uint64_t words[], size_t n,
                                 void *out, size_t out_size);
void fb_flow_key_decode(const void *in, size_t in_size,
                        struct ofpbuf *key, struct ofpbuf *mask);

#endif /* fb-flow-key.h */
