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

#ifndef FB_EXTRA_PORTS_H
#define FB_EXTRA_PORTS_H 1

/* More ports for a switch that stands: veth pairs with nothing at their far
 * end, which are created once and attached and detached at will, in
 * transactions of any size.
 *
 * For single-threaded use.  Functions that return 'char *' return NULL if
 * successful, otherwise a malloc()'d error message. */

#include <stddef.h>

#include "compiler.h"

struct fb_dut;

/* Extra ports of a switch. */
struct fb_extra_ports {
    struct fb_dut *dut;         /* An Open vSwitch or a Linux bridge. */
    int bridge;                 /* Linux bridge: its interface index. */
    int *ifindexes;             /* Of the ends in the DUT's namespace... */
    size_t n;                   /* ...so many, attached or not. */
};

char *fb_extra_ports_open(struct fb_extra_ports *, struct fb_dut *)
    OVS_WARN_UNUSED_RESULT;
void fb_extra_ports_close(struct fb_extra_ports *);
char *fb_extra_ports_create(struct fb_extra_ports *, size_t n)
    OVS_WARN_UNUSED_RESULT;
char *fb_extra_ports_attach(struct fb_extra_ports *, size_t first, size_t n)
    OVS_WARN_UNUSED_RESULT;
char *fb_extra_ports_detach(struct fb_extra_ports *, size_t first, size_t n)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-extra-ports.h */
