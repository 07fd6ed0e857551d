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

#ifndef FB_MARK_RING_H
#define FB_MARK_RING_H 1

/* Receives marked frames
 * ======================
 *
 * One packet socket for all sinks of a namespace, bound to the EtherType of
 * marked frames.  The kernel looks handlers up by EtherType, so that other
 * frames do not meet it: they are neither cloned, copied, filtered nor
 * stamped.  (Since Linux 6.16, the EtherType of each frame is compared once
 * with the socket's.)
 *
 * Frames go to a ring in memory that is shared with the kernel, which stamps
 * each with CLOCK_REALTIME when it puts it there, before any process wakes
 * up.  Nobody reads the ring while a load runs.
 *
 * For single-threaded use. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "fb-mark.h"

struct fb_mark_ring;

/* A marked frame that arrived. */
struct fb_mark_arrival {
    struct fb_mark mark;        /* What it says. */
    uint64_t arrived_ns;        /* When it did: CLOCK_REALTIME, in ns. */
    int ifindex;                /* Of the sink's interface. */
};

/* Most frames that a ring can hold: 64 MB. */
#define FB_MARK_RING_MAX_SLOTS (256 * 1024)

char *fb_mark_ring_open(int netns_fd, size_t n_slots, struct fb_mark_ring **)
    OVS_WARN_UNUSED_RESULT;
void fb_mark_ring_close(struct fb_mark_ring *);

bool fb_mark_ring_next(struct fb_mark_ring *, struct fb_mark_arrival *);
int fb_mark_ring_fd(const struct fb_mark_ring *);
uint64_t fb_mark_ring_received(struct fb_mark_ring *);
uint64_t fb_mark_ring_dropped(struct fb_mark_ring *);

#endif /* fb-mark-ring.h */
