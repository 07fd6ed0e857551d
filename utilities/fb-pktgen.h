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

#ifndef FB_PKTGEN_H
#define FB_PKTGEN_H 1

/* The language of pktgen, the packet generator of the Linux kernel: what it is
 * told, and what it says of itself, in the files below /proc/net/pktgen.  See
 * Documentation/networking/pktgen.rst of the kernel.
 *
 * All functions are pure and may be called from any thread. */

#include <stdbool.h>
#include <stdint.h>

struct fb_frames_config;
struct fb_traffic;
struct svec;

/* What pktgen says of a device. */
struct fb_pktgen_state {
    bool running;               /* Does it send? */
    uint64_t sent;              /* Frames that the device took since it was
                                 * started the last time. */
    uint64_t errors;            /* Frames that it did not take. */
    uint64_t started_us;        /* When it was started, 0 if never... */
    uint64_t stopped_us;        /* ...and stopped, or the present time if it
                                 * runs; both in us of the kernel's clock. */
};

char *fb_pktgen_check(const struct fb_traffic *);
void fb_pktgen_commands(const struct fb_frames_config *, struct svec *);
bool fb_pktgen_parse(const char *text, struct fb_pktgen_state *);

#endif /* fb-pktgen.h */
