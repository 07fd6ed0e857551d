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

#ifndef FB_MARK_H
#define FB_MARK_H 1

/* Marked frames
 * =============
 *
 * A frame of the load whose place is taken by one that says when it was meant
 * to be sent: same length, addresses and VLAN tags, but an EtherType of its
 * own, so that a sink can receive it without a look at any other frame.
 *
 * All functions are pure and may be called from any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* IEEE Std 802-2014, 9.2.4: Local Experimental EtherType 1. */
#define FB_MARK_ETH_TYPE 0x88b5

/* Most bytes from the destination MAC to the end of the mark: two VLAN
 * tags. */
#define FB_MARK_MAX_LEN 46

/* What a marked frame says. */
struct fb_mark {
    uint64_t seq;               /* Number, unique among those of a sender. */
    uint64_t sent_ns;           /* When to be sent: CLOCK_REALTIME, in ns. */
};

void fb_mark_build(const void *like, size_t len, const struct fb_mark *,
                   void *frame);
bool fb_mark_parse(const void *frame, size_t len, struct fb_mark *);

#endif /* fb-mark.h */
