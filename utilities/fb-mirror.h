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

#ifndef FB_MIRROR_H
#define FB_MIRROR_H 1

/* Mirrors of the port at which a DUT, an Open vSwitch, gets its load.  There
 * is at most one at a time, which the DUT holds, so that it goes with it.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stdint.h>

#include "compiler.h"

struct fb_dut;
struct fb_mirror;

/* Where packets are mirrored to. */
enum fb_mirror_kind {
    FB_MIRROR_NONE,             /* Nowhere. */
    FB_MIRROR_DUMMY,            /* A dummy interface, which drops them. */
    FB_MIRROR_TAP,              /* A tap interface that nobody reads, so that
                                 * it drops them once its queue is full. */
    FB_MIRROR_TCPDUMP,          /* Where ovs-tcpdump has them mirrored to, and
                                 * a tcpdump that takes them there. */
    FB_N_MIRRORS
};

const char *fb_mirror_name(enum fb_mirror_kind);
char *fb_mirror_start(struct fb_dut *, enum fb_mirror_kind)
    OVS_WARN_UNUSED_RESULT;
char *fb_mirror_renew_flows(struct fb_dut *) OVS_WARN_UNUSED_RESULT;
char *fb_mirror_count(struct fb_dut *, uint64_t *n) OVS_WARN_UNUSED_RESULT;
char *fb_mirror_stop(struct fb_dut *) OVS_WARN_UNUSED_RESULT;
void fb_mirror_destroy(struct fb_mirror *);

#endif /* fb-mirror.h */
