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

#ifndef FB_DROPS_H
#define FB_DROPS_H 1

/* Why Open vSwitch's datapath flows drop packets. */

#include <stdint.h>

#include "compiler.h"

struct jsonrpc;

/* Packets that matched datapath flows that drop them. */
struct fb_drops {
    uint64_t n;                 /* In all; and of these... */
    uint64_t no_port;           /* ...those for a port that is not there... */
    uint64_t port_state;        /* ...or that does not forward. */
};

char *fb_drops_count(struct jsonrpc *, const char *type, const char *flows,
                     struct fb_drops *) OVS_WARN_UNUSED_RESULT;

#endif /* fb-drops.h */
