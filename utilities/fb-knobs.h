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

#ifndef FB_KNOBS_H
#define FB_KNOBS_H 1

/* Knobs: what interfaces and namespaces are set to that changes what a packet
 * costs, by name, so that a difference can be called by its name. */

#include <stddef.h>

#include "compiler.h"

struct fb_rtnl;
struct smap;

/* Names of knobs that others ask for. */
#define FB_KNOB_NAME "name"     /* The interface's own, no knob. */
#define FB_KNOB_XDP "XDP program"
#define FB_KNOB_OFFLOAD "offload " /* Before that of the offload. */

char *fb_knobs_of_interfaces(struct fb_rtnl *, int netns_fd,
                             const int ifindexes[], size_t n,
                             struct smap *knobs, char **unknown)
    OVS_WARN_UNUSED_RESULT;
char *fb_knobs_of_netns(int netns_fd, struct smap *knobs)
    OVS_WARN_UNUSED_RESULT;

#endif /* fb-knobs.h */
