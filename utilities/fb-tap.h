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

#ifndef FB_TAP_H
#define FB_TAP_H 1

/* A tap interface behind a userspace datapath, to which the host's own IP
 * stack sends UDP packets, and which is read at the other end.
 *
 *     UDP socket -> IP stack -> fb-host (internal port) --.
 *     UDP socket -> IP stack -> fb-gen == fb-port0 -------+- switch - fb-tap
 *
 * The internal port is always served by ovs-vswitchd's main thread, the other
 * one by whoever serves ports of the DUT's kind.
 *
 * For single-threaded use, but for fb_tap_send() and fb_tap_read(), each of
 * which may run in a thread of its own.  Functions that return 'char *' return
 * NULL if successful, otherwise a malloc()'d error message. */

#include <stdint.h>

#include "compiler.h"

struct fb_dut;

/* Size of the frames, in bytes without FCS: Ethernet, IPv4 and UDP headers and
 * 18 bytes. */
#define FB_TAP_FRAME_SIZE 60

/* Where packets enter the switch. */
enum fb_tap_input {
    FB_TAP_INTERNAL,            /* By the internal port. */
    FB_TAP_PORT,                /* By the port of the load. */
    FB_N_TAP_INPUTS
};

/* A tap and the way to it. */
struct fb_tap {
    struct fb_dut *dut;
    int tap_fd;                 /* Of the tap, not blocking; or -1. */
    int sockets[FB_N_TAP_INPUTS]; /* UDP sockets, connected; or -1. */
};

const char *fb_tap_input_name(enum fb_tap_input);
char *fb_tap_open(struct fb_dut *, struct fb_tap *) OVS_WARN_UNUSED_RESULT;
void fb_tap_close(struct fb_tap *);
int fb_tap_send(const struct fb_tap *, enum fb_tap_input, uint64_t *n_sent);
uint64_t fb_tap_read(const struct fb_tap *, int timeout_ms);

#endif /* fb-tap.h */
